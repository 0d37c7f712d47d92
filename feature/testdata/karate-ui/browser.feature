Feature: the browser, as both have it

Background:
* driver site + '/start.html'

Scenario: title and address
* match driver.title == 'Start'
* match driver.url == site + '/start.html'

Scenario: a link, back and forward
* click('#next')
* waitForUrl('second')
* match driver.title == 'Second'
* back()
* waitFor('#next')
* match driver.title == 'Start'
* forward()
* waitFor('{h1}Second page')
* refresh()
* waitFor('h1')
* match driver.title == 'Second'

Scenario: texts, markup, attributes
* match text('#head') == 'Welcome'
* match html('#note') contains '<b>bold</b>'
* match attribute('#note', 'data-x') == '7'
* match text('//h1') == 'Welcome'
* match text('{h1}Welcome') == 'Welcome'

Scenario: values
* input('#right', ' more')
* clear('#name')
* input('#name', 'Ann')
* match value('#name') == 'Ann'
* value('#name', 'set')
* match value('#name') == 'set'

Scenario: keys among texts
* clear('#name')
* input('#name', ['Bob', Key.ENTER])
* waitForText('#log', 'entered Bob')

Scenario: options
* select('#pick', 'de')
* match value('#pick') == 'de'
* select('#pick', '{}France')
* match value('#pick') == 'fr'
* select('#pick', '{^}United')
* match value('#pick') == 'us'
* select('#pick', 1)
* match value('#pick') == 'de'

Scenario: a check box
* click('#box')
* match script('#box', '_.checked') == true
* click('#box')
* match script('#box', '_.checked') == false

Scenario: what is there, and what can be used
* match exists('#head') == true
* match exists('#none') == false
* match enabled('#send') == true
* match enabled('#off') == false

Scenario: several
* match locateAll('.row') == '#[3]'
* match scriptAll('.row', '_.firstChild.textContent.trim()') == ['one', 'two', 'three']
* def starts = function(x){ return x.startsWith('t') }
* match scriptAll('.row', '_.firstChild.textContent.trim()', starts) == ['two', 'three']
* waitForResultCount('.row', 3)

Scenario: the second of a name
* click('{button:2}Edit')
* match text('#log') == 'edit 2'

Scenario: an element in a variable
* def row = locate('.row:nth-child(3)')
* row.locate('button').click()
* match text('#log') == 'edit 3'

Scenario: each of several
* def list = locateAll('.row button')
* karate.forEach(list, function(b){ b.click() })
* match text('#log') == 'edit 3'

Scenario: later
* click('#later')
* waitForText('#late', 'here')
* waitForEnabled('#off')
* waitFor('.new')
* match waitForAny('.none', '.new').text == 'new'

Scenario: until
* click('#later')
* waitUntil("document.querySelector('#late').textContent == 'here'")
* waitUntil('#off', '!_.disabled')

Scenario: until a function says so
* click('#later')
* def there = function(){ return exists('.new') ? text('.new') : null }
* match waitUntil(there) == 'new'

Scenario: retry
* click('#later')
* retry(10, 100).waitFor('.new')

Scenario: what may not be there
* optional('#none').click()
* optional('#box').click()
* match script('#box', '_.checked') == true

Scenario: scripts
* match script('1 + 1') == 2
* match script("({ a: [1, 'x', null] })") == { a: [1, 'x', null] }
* match script('#note', '_.dataset.x') == '7'

Scenario: a question
* click('#ask')
* match driver.dialogText == 'Sure?'
* dialog(true)
* match text('#log') == 'said true'

Scenario: a prompt
* click('#prompt')
* dialog(true, 'Bob')
* match text('#log') == 'said Bob'

Scenario: frames
* driver site + '/frames.html'
* switchFrame(0)
* match text('#text') == 'inside'
* click('#press')
* match text('#text') == 'pressed'
* switchFrame(null)
* match text('h1') == 'Outer'
* switchFrame('#one')
* match text('#text') == 'pressed'

Scenario: cookies
* cookie({ name: 'a', value: 'one', url: site })
* match cookie('a') contains { name: 'a', value: 'one' }
* deleteCookie('a')
* match cookie('a') == null
* clearCookies()

Scenario: the mouse
* mouse('#pad').click()
* match text('#pad') == 'down up'

Scenario: a form
* clear('#name')
* input('#name', 'Ann')
* submit().click('#send')
* match text('#thanks') == 'Thank you'

Scenario: places
* match rightOf('{td}Left').find('input').attribute('id') == 'right'

Scenario: a called feature has the browser of its caller
* call read('fill.feature') { who: 'Called' }
* match value('#name') == 'Called'
* def r = call read('fill.feature') { who: 'Isolated' }
* match r.seen == 'Isolated'

Scenario: pictures
* def bytes = screenshot(false)
* assert bytes.length > 1000

Scenario: fails: no such element
* click('#never')

Scenario: fails: other text
* match text('#head') == 'Goodbye'

Scenario: fails: it does not come
* waitFor('#never')

Scenario: fails: the page's script throws
* script('nope.nope')

Scenario: fails: in a called feature
* driver site + '/second.html'
* call read('fill.feature') { who: 'x' }
