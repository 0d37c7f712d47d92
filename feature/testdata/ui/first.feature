Feature: written as for the first version

Background:
* configure driver = { type: 'chrome', headless: true, showDriverLog: true, timeout: 20000 }
* def page = { name: '#name', send: '{button}Send it' }

Scenario: a form
  Given driver site + '/start.html'
  And input(page.name, 'dummy')
  When submit().click(page.send)
  Then match html('#thanks') contains 'Thank you'
  And match driver.title == 'Done'
  And match driver.url contains 'name=dummy'

Scenario: waiting and retrying
  Given driver site + '/start.html'
  When click('#later')
  Then retry(10, 100).waitFor('.new')
  And waitForUrl('start.html')
  * if (exists('#none')) karate.fail('there is none')
  * def rows = locateAll('.row')
  * match karate.sizeOf(rows) == 3
  * rows[1].locate('button').click()
  * match text('#log') == 'edit 2'
  * optional('#cookie-banner').click()
  * delay(10).text('#head')
  * waitUntil("document.readyState == 'complete'")
  * def buttons = scriptAll('.row button', '_.textContent')
  * match each buttons == 'Edit'

Scenario: dialogs are asked for until they are there
  Given driver site + '/start.html'
  * click('#alert')
  * def asked = waitUntil(function(){ return driver.dialogText })
  * match asked == 'Careful'
  * dialog(true)
  * match text('#log') == 'alerted'

Scenario: mouse, keys, frames, pages
  Given driver site + '/start.html'
  * mouse().move('#pad').click()
  * match text('#pad') == 'down up'
  * mouse('#ask').go()
  * input('#name', ['x', Key.ENTER])
  * match text('#log') contains 'entered'
  * driver.screenshot()
  * driver site + '/frames.html'
  * switchFrame('#one')
  * match text('#text') == 'inside'
  * switchFrame(null)
  * driver.close()

Scenario: words of the manual
  Given driver site + '/start.html'
  * script("document.body.addEventListener('keydown', function(e){ document.querySelector('#log').textContent = e.key })")
  * input('body', Key.ESCAPE)
  * match text('#log') == 'Escape'
  * def found = function(){ var all = scriptAll('.row button', '_.textContent'); return all.size() == 3 ? all : null }
  * match waitUntil(found) == ['Edit', 'Edit', 'Edit']
  * match locateAll('.row').get(0).text contains 'one'
  * click('#later')
  * waitUntilEnabled('#off').click()
  * click('#ask')
  * match driver.dialog == 'Sure?'
  * driver.dialog(true)
  * match text('#log') == 'said true'
  * timeout(50)
  * def inVain = function(){ try { waitFor('#never'); return false } catch (e) { return true } }
  * match inVain() == true
  * timeout()
  * def paper = driver.pdf({ orientation: 'landscape' })

Scenario: options instead of an address
  Given driver site + '/start.html'
  * cookie({ name: 'a', value: 'b' })
  * driver { userAgent: 'other', noOptionOfOurs: true }
  * match driver.url == 'about:blank'
  * driver.quit()
  * match driver.isTerminated() == true
  * driver site + '/start.html'
  * match driver.cookies == []
