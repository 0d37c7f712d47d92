Feature: waiting

Background:
* driver site + '/later.html'

Scenario: for an element
* click('#go')
* match waitFor('#came').text == 'came'

Scenario: for one of several
* click('#go')
* match waitForAny('#never', '#came').text == 'came'
* match waitForAny(['#came', '#never']).attribute('id') == 'came'

Scenario: for a text
* click('#go')
* waitForText('#state', 'done')
* match text('#state') == 'done'

Scenario: until it may be pressed
* click('#go')
* waitForEnabled('#wait').click()
* waitForText('#state', 'pressed')

Scenario: a click waits by itself
* click('#go')
* click('#wait')
* waitUntil("document.querySelector('#state').textContent != 'idle'")

Scenario: for an address
* click('#go')
* def url = waitForUrl('#done')
* match url contains 'later.html#done'

Scenario: for a number
* click('#go')
* def items = waitForResultCount('#list li', 4)
* match items == '#[4]'
* match items[3].text == 'item 4'
* match waitForResultCount('#list li', 4, '_.textContent') == ['item 1', 'item 2', 'item 3', 'item 4']

Scenario: until the page says so
* click('#go')
* waitUntil("document.querySelectorAll('#list li').length == 4")
* waitUntil('#state', "_.textContent == 'done'")
* waitUntil('#wait', '!_.disabled')

Scenario: until a function here says so
* click('#go')
* def n = function(){ var all = locateAll('#list li'); return all.length == 4 ? all.length : null }
* match waitUntil(n) == 4

Scenario: retry
* click('#go')
* retry(20, 50).waitFor('#came')
* retry(10, 100).waitForText('#state', 'done')
* retry(10).click('#wait')

Scenario: covered for a moment
* script('covered()')
* click('#go')
* waitForText('#state', 'done')

Scenario: in motion
* script('slide()')
* click('#slid')
* waitForText('#state', 'slid')

Scenario: replaced all the time
* script('replace()')
* click('#fresh')
* waitForText('#state', 'fresh')

Scenario: until it has gone
* script('gone()')
* waitUntil("!document.querySelector('h1')")
* match exists('h1') == false

Scenario: in vain
* def vain = function(f){ try { f(); return 'no error' } catch (e) { return e.message } }
* match vain(() => waitFor('#never', 100)) contains 'timeout waiting for element: #never'
* match vain(() => waitForAny(['#n1', '#n2'], 100)) contains 'timeout waiting for any element: #n1, #n2'
* match vain(() => waitForText('#state', 'never', 100)) contains "timeout waiting for text 'never' in element: #state"
* match vain(() => waitForEnabled('#wait', 100)) contains 'timeout waiting for element to be enabled: #wait'
* match vain(() => waitForUrl('never', 100)) contains 'timeout waiting for URL to contain: never'
* match vain(() => waitUntil('1 == 2', 100)) contains 'timeout waiting for condition: 1 == 2'
* match vain(() => waitForResultCount('#list li', 9, 100)) contains 'timeout waiting for 9 elements: #list li'

Scenario: a delay
* delay(20)
* delay(10).click('#go')
* waitForText('#state', 'done')
