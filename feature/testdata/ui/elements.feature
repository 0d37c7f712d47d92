Feature: elements

Background:
* driver site + '/start.html'

Scenario: reading
* match text('#head') == 'Welcome'
* match html('#note') contains '<b>bold</b>'
* match value('#name') == 'old'
* match attribute('#note', 'data-x') == '7'
* match attribute('#note', 'none') == null
* match property('#box', 'checked') == false
* match enabled('#off') == false
* match enabled('#send') == true
* match exists('#none') == false
* assert exists('#head')
* def heads = locateAll('#head')
* match heads[0].text == 'Welcome'
* match position('#head') contains { x: '#number', y: '#number', width: '#number', height: '#number' }

Scenario: acting
* input('#name', 'Ann')
* match value('#name') == 'Ann'
* input('#name', ['Bob', Key.ENTER])
* match text('#log') == 'entered Bob'
* clear('#name')
* match value('#name') == ''
* value('#name', 'set')
* match value('#name') == 'set'
* click('#box')
* match script('#box', '_.checked') == true
* select('#pick', 'de')
* match value('#pick') == 'de'
* select('#pick', '{}France')
* match value('#pick') == 'fr'
* select('#pick', '{^}United')
* match value('#pick') == 'us'
* select('#pick', 1)
* match value('#pick') == 'de'
* focus('#name')
* match script('document.activeElement.id') == 'name'
* script("document.body.style.paddingTop = '3000px'")
* scroll('#call').highlight()
* assert script('scrollY > 0')
* match highlight('#head').text == 'Welcome'
* inputFile('#file', 'karate-config.js')
* match script('#file', '_.files[0].name') == 'karate-config.js'

Scenario: locators
* match text('{h1}Welcome') == 'Welcome'
* match text('//h1') == 'Welcome'
* match text('{^p}bold') contains 'bold'
* click('{button:2}Edit')
* match text('#log') == 'edit 2'
* match locateAll('.row') == '#[3]'
* match scriptAll('.row', '_.firstChild.textContent.trim()') == ['one', 'two', 'three']
* match scriptAll('.row', function(e){ return e.firstChild.textContent.trim() }, x => x.startsWith('t')) == ['two', 'three']
* def rows = locateAll('.row', e => e.text.includes('two'))
* match rows == '#[1]'
* def row = locate('.row:nth-child(3)')
* row.locate('button').click()
* match text('#log') == 'edit 3'

Scenario: elements as objects
* def e = locate('#note')
* match e.text == 'Some bold text'
* match e.text() == 'Some bold text'
* match e.html contains 'bold'
* match e.attribute('data-x') == '7'
* assert e.present
* match e.children == '#[1]'
* match e.script('_.id') == 'note'
* match locate('#name').value == 'old'
* match locate('#off').enabled == false
* locate('#name').clear().input('chained').focus()
* match value('#name') == 'chained'
* optional('#none').click()
* match optional('#none').present == false
* def list = locateAll('.row button')
* karate.forEach(list, (b, i) => b.click())
* match text('#log') == 'edit 3'
* karate.forEach(locateAll('.row'), function(x){ x.highlight() })

Scenario: places
* match rightOf('{td}Left').find('input').value == 'r'
* rightOf('{td}Left').input('typed')
* match value('#right') == 'typed'
* match near('{td}Left').within(400).exists('input') == true

Scenario: a form
* input('#name', 'Ann')
* submit().click('#send')
* match text('#thanks') == 'Thank you'
* match text('#q') contains 'name=Ann'

Scenario: scripts
* match script('1 + 1') == 2
* match script('-0') == 0
* match script('[-0, 1]') == [0, 1]
* match script("({ a: [1, 'x', null] })") == { a: [1, 'x', null] }
* match script(function(){ return document.title }) == 'Start'
* match script('() => Promise.resolve(7)') == 7
* match script('window') == null
* match script('Symbol.iterator') == null
* match script('#note', '_.dataset.x') == '7'
* match script('#note', function(e){ return e.id }) == 'note'

Scenario: a variable may have the name of a method
* def text = text('#head')
* match text == 'Welcome'

Scenario: a step is the call of the same name
* click('#box')
* match script('#box', '_.checked') == true
* driver.click('#box')
* match script('#box', '_.checked') == false
* eval driver.input('#name', 'a'); input('#right', 'b')
* match driver.value('#name') + value('#right') == 'ab'

Scenario: one look at the tree, and the whole form by its refs
* def tree = driver.ariaTree()
* match tree contains 'heading "Welcome"'
* def ref = function(what){ return 'ref:' + karate.extract(tree, what + '.*?\\[ref=(e\\d+)', 1) }
* input(ref('textbox "Name"'), 'By ref')
* click(ref('checkbox "Agree"'))
* match script('#box', '_.checked') == true
* submit().click(ref('button "Send it"'))
* match text('#q') contains 'name=By+ref'
