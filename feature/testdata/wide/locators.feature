Feature: locators

Scenario: CSS, XPath, texts, a script
* driver site + '/form.html'
* match text('h1') == 'Form'
* match text('//h1') == 'Form'
* match text("(//h1)[1]") == 'Form'
* match text('{h1}Form') == 'Form'
* match text('{}Turn on') == 'Turn on'
* match text('{^button}Turn') == 'Turn on'
* match text("(document.querySelector('h1'))") == 'Form'

Scenario: wildcards by number, of what is visible
* driver site + '/form.html'
* click('{span}Same')
* match text('#log') == 'span 1'
* click('{span:2}Same')
* match text('#log') == 'span 2'
* click('{span:3}Same')
* match text('#log') == 'span 3'
* match locateAll('{span}Same') == '#[3]'
* click('{:2}Same')
* match text('#log') == 'span 2'

Scenario: what a button is
* driver site + '/form.html'
* click('{button}As a button')
* match text('#log') == 'role'
* match exists('{button}Send form') == true
* match exists('{button}Send') == false
* match exists('{^button}Send') == true

Scenario: nothing there
* driver site + '/form.html'
* match exists('#none') == false
* match exists('{button}None') == false
* match exists('//none') == false
* optional('#none').click()
* optional('{}None').input('x')
* match optional('#none').present == false
* match optional('#on').present == true
* optional('#on').click()
* match text('#log') == 'on'
* match locateAll('.none') == []

Scenario: elements within elements
* driver site + '/grid.html'
* def row = locate('//tr[3]')
* match row.locate('td').text == 'Green'
* match row.locate('./td[1]').text == 'Green'
* row.locate('{button}Edit').click()
* match text('#log') == 'green'
* match row.locateAll('td') == '#[3]'
* match row.locate('input').value == '2'
* match locate('#red').parent.parent.text contains 'Red'
* match locate('#red').closest('tr').locate('td').text == 'Red'

Scenario: filters and maps
* driver site + '/grid.html'
* match scriptAll('td:first-child', '_.textContent') == ['Red', 'Green', 'Blue']
* match scriptAll('td:first-child', '_.textContent', x => x.includes('e')) == ['Red', 'Green', 'Blue']
* match scriptAll('td:first-child', '_.textContent', x => x.startsWith('B')) == ['Blue']
* def ids = karate.map(locateAll('input'), e => e.attribute('id'))
* match ids == ['red', 'green', 'tick']
* def some = karate.filter(locateAll('input'), e => e.value == '2')
* match some == '#[1]'
* match locateAll('input', e => e.attribute('type') == 'checkbox') == '#[1]'

Scenario: to the right, to the left
* driver site + '/grid.html'
* match rightOf('{td}Red').find('input').attribute('id') == 'red'
* rightOf('{td}Green').input('22')
* match value('#green') == '22'
* rightOf('{td}Blue').select('2')
* match value('#blue') == '2'
* leftOf('{}Tick me').click()
* match script('#tick', '_.checked') == true

Scenario: above, below, near
* driver site + '/grid.html'
* match above('#green').find('input').attribute('id') == 'red'
* match below('#red').find('input').attribute('id') == 'green'
* match below('{th}Name').find('td').text == 'Red'
* match near('#label').find('input').attribute('id') == 'tick'
* match near('#label').exists('a') == false
* match rightOf('{td}Red').findAll('button') == '#[1]'

Scenario: nothing beside it
* driver site + '/grid.html'
* driver.timeout(300)
* def f = function(){ try { rightOf('{td}Red').find('video').click(); return '' } catch (e) { return e.message } }
* match f() contains 'no element found to the right of {td}Red matching: video'

Scenario: in the shadow
* driver site + '/shadow.html'
* match text('.head') == 'First'
* match locateAll('.head') == '#[2]'
* locate('#two').locate('.inside').input('typed')
* click('{button}Ok Second')
* match text('#log') == 'two typed'
* match text('.deep') == 'deep part'
* match exists('{em}deep part') == true

Scenario: scoped in the shadow
* driver site + '/shadow.html'
* def card = locate('#one')
* match card.locate('.head').text == 'First'
* card.locate('.inside').input('scoped')
* card.locate('.ok').click()
* match text('#log') == 'one scoped'

Scenario: facts
* driver site + '/form.html'
* match attribute('#mail', 'placeholder') == 'you@example.com'
* match attribute('#mail', 'none') == null
* match property('#user', 'tagName') == 'INPUT'
* match html('h1') == '<h1>Form</h1>'
* match position('#user') contains { x: '#number', y: '#number', width: '#number', height: '#number' }
* match position('#user', true) contains { x: '#number' }

Scenario: refs of the tree
* driver site + '/form.html'
* def tree = driver.ariaTree()
* def ref = 'ref:' + karate.extract(tree, 'textbox "User name".*?\\[ref=(e\\d+)', 1)
* input(ref, 'by ref')
* match value('#user') == 'by ref'

Scenario: a locator must be one
* driver site + '/form.html'
* def f = function(){ try { click(''); return '' } catch (e) { return e.message } }
* match f() contains 'locator cannot be null or empty'

Scenario: a wildcard with parents
* driver site + '/home.html'
* match exists('{p/a}Form') == false
* match exists('{body/nav/a}Form') == true
* click('{nav/a:1}Form')
* waitForUrl('form.html')

Scenario: options of Karate's own machinery
* configure driver = { type: 'chrome', headless: true, pollAttempts: 20, pollInterval: 250, maxPayloadSize: 4194304, httpConfig: { readTimeout: 1000 }, beforeStart: null, afterStop: null, showProcessLog: true }
* driver site + '/home.html'
* match driver.title == 'Index'
