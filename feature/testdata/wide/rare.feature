Feature: what is seldom called

Background:
* driver site + '/form.html'

Scenario: the protocol
* def r = driver.cdp().method('Browser.getVersion').send()
* match r.result.product contains 'Chrome'
* match r.getResult('product') == r.result.product
* match r.isError() == false
* def bad = driver.cdp().method('Page.nonsense').send()
* match bad.isError() == true
* match bad.error.code == -32601
* match bad.getErrorMessage() contains 'Page.nonsense'
* def v = driver.method('Runtime.evaluate').param('expression', '1 + 2').param('returnByValue', true).send()
* match v.getResult('result.value') == 3
* match driver.send({ method: 'Runtime.evaluate', params: { expression: 'document.title' } }).result.result.value == 'Form'
* def f = function(){ try { driver.cdp().method('nonsense') } catch (e) { return e.message } }
* match f() contains 'Browser.getVersion'
* driver.cdp().method('Emulation.setTimezoneOverride').params({ timezoneId: 'Asia/Tokyo' }).send()
* match script('Intl.DateTimeFormat().resolvedOptions().timeZone') == 'Asia/Tokyo'

Scenario: what is true or false
* def e = locate('#off')
* match ([e.enabled, e.enabled(), e.isEnabled(), !e.enabled()]) == [false, false, false, true]
* if (e.enabled) karate.fail('a disabled button is enabled')
* match locate('#on').enabled() == true
* def none = optional('#none')
* match ([none.present, none.present(), none.exists(), none.isPresent()]) == [false, false, false, false]
* if (optional('#on').present) click('#on')
* match text('#log') == 'on'

Scenario: as Java would name it
* match locate('#off').getLocator() == '#off'
* match locate('#off').locator() == '#off'
* match locate('h1').innerHtml() == 'Form'
* match locate('h1').getParent().tag == 'body'
* match locate('#f').getChildren().length == 8
* match locate('#user').getPosition() contains { x: '#number' }
* match locate('#f').getFirstChild().getNextSibling().tag == 'p'
* locate('#log').setText('<b>x</b>')
* match html('#log') == '<p id="log"><b>x</b></p>'
* locate('#log').text = 'plain'
* match text('#log') == 'plain'

Scenario: elements in place of locators
* def e = locate('#user')
* input(e, 'by element')
* match value(e) == 'by element'
* value(e, 'set')
* match value('#user') == 'set'
* def all = locateAll('label')
* match text(all[1]) == 'Mail'
* match ([exists(e), enabled(locate('#off'))]) == [true, false]
* match ([attribute(e, 'name'), property(e, 'name'), script(e, '_.id')]) == ['user', 'user', 'user']
* match waitUntil(e, '!_.disabled').attribute('id') == 'user'
* select(locate('#land'), 'de')
* match value('#land') == 'de'
* match rightOf(all[1]).find('input').attribute('id') == 'mail'
* match locateAll(e) == '#[1]'

Scenario: chords and wheels
* focus('#user')
* keys().type('hello').ctrl('a').type('bye')
* match value('#user') == 'bye'
* keys().combo([Key.CONTROL, Key.SHIFT], Key.LEFT).type('Q')
* match value('#user') == 'Q'
* keys().shift(Key.LEFT).type('b').shift('c')
* match value('#user') == 'bC'
* driver site + '/pads.html'
* def m = mouse(200, 200)
* match ([m.x, m.getY()]) == [200, 200]
* m.scrollDown(300)
* waitUntil('scrollY > 100')
* m.scrollUp(300)
* waitUntil('scrollY == 0')
* actions([{ type: 'pointer', id: '1', actions: [{ type: 'pointerMove', x: 60, y: 40 }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }] }])
* match text('#log') == 'click a'

Scenario: the dialog that is open
* match driver.getDialog() == null
* script("setTimeout(() => { window.r = prompt('name?', 'ann') }, 10)")
* waitUntil(() => driver.dialogText)
* match driver.getDialog().message == 'name?'
* driver.getDialog().accept('bob')
* match script('window.r') == 'bob'

Scenario: so often, one after the other
* driver.pageLoadTimeout(5000).elementTimeout(6000).scriptTimeout(7000).retryInterval(100).click('#on')
* def f = function(){ try { retry(2, 100).click('#none') } catch (e) { return e.message } }
* match f() contains 'timeout waiting for element: #none'
* retry(1, 1).click('#on')
* locate('#on').retry(1, 1).click()
* optional('#none').retry(2, 20).click()
* match retry(3, 100).text('h1') == 'Form'

Scenario: a command before and after it
* driver.quit()
* configure driver = { type: 'chrome', timeout: '5000', retryCount: 1, retryInterval: 50, beforeStart: 'true', afterStop: 'true' }
* driver site + '/later.html'
* click('#go')
* waitFor('#came')
* driver.quit()
* configure driver = { type: 'chrome', beforeStart: 'false' }
* def f = function(){ try { driver.title } catch (e) { return e.message } }
* match f() contains 'beforeStart: false'
