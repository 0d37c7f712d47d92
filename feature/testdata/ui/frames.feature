Feature: frames, dialogs, cookies, hands

Scenario: frames
* driver site + '/frames.html'
* switchFrame(0)
* match text('#text') == 'inside'
* click('#press')
* match text('#text') == 'pressed'
* switchFrame('#two')
* match text('#text') == 'deep inside'
* switchFrame(-1)
* match text('#text') == 'pressed'
* switchFrame(null)
* match text('h1') == 'Outer'
* switchFrame('#one')
* match driver.getCurrentFrame() contains { name: 'one' }
* switchFrame(null)
* match driver.currentFrame == null

Scenario: a dialog stays open until it is answered
* driver site + '/start.html'
* click('#ask')
* match driver.dialogText == 'Sure?'
* dialog(true)
* match text('#log') == 'said true'
* click('#ask')
* dialog(false)
* match text('#log') == 'said false'
* click('#prompt')
* dialog(true, 'Bob')
* match text('#log') == 'said Bob'
* click('#alert')
* dialog(true)
* match text('#log') == 'alerted'

Scenario: a function answers
* driver site + '/start.html'
* def seen = []
* driver.onDialog(function(d){ seen.push(d.message); d.type == 'prompt' ? d.accept('Eve') : d.dismiss() })
* click('#ask')
* match text('#log') == 'said false'
* click('#prompt')
* match text('#log') == 'said Eve'
* match seen == ['Sure?', 'Name?']

Scenario: cookies
* driver site + '/start.html'
* clearCookies()
* cookie({ name: 'a', value: 'one' })
* match cookie('a') contains { name: 'a', value: 'one' }
* match driver.cookies == '#[1]'
* match script('document.cookie') == 'a=one'
* driver.setCookies([{ name: 'b', value: 'two' }])
* deleteCookie('a')
* match cookie('a') == null
* match driver.cookies[0].value == 'two'
* clearCookies()
* match driver.cookies == []

Scenario: the mouse
* driver site + '/start.html'
* mouse('#pad').click()
* match text('#pad') == 'down up'
* mouse('#pad').doubleClick()
* match text('#pad') == 'double'
* mouse('#pad').rightClick()
* match text('#pad') contains 'menu'
* mouse().move('#pad').down().up()
* match text('#pad') == 'down up'
* match attribute('#pad', 'data-over') == 'yes'
* mouse(5, 5).offset(2, 2).wheel(0, 100)
* script("document.body.style.paddingBottom = '3000px'")
* mouse(5, 5).scrollDown(300)
* waitUntil('scrollY > 0')
* mouse(6, 6).scrollUp(1000)
* waitUntil('scrollY == 0')

Scenario: the keyboard
* driver site + '/start.html'
* clear('#name')
* keys().type('Hello')
* match value('#name') == 'Hello'
* keys().press('Control+a').press('Backspace')
* match value('#name') == ''
* keys().down('Shift').press('a').up('Shift')
* match value('#name') == 'A'
* input('#name', ['x', 'y', Key.TAB])
* match value('#name') == 'xy'

Scenario: a handler answers requests
* driver site + '/start.html'
* def taken = driver.intercept({ patterns: ['*/api/*'], handler: function(r){ return { status: 200, body: { from: 'handler ' + r.method } } } })
* click('#call')
* waitForText('#api', 'handler GET')
* match taken.requests[0].url contains '/api/data'
* driver.stopIntercept()

Scenario: a mock answers requests
* driver site + '/start.html'
* driver.intercept({ patterns: [{ urlPattern: '*/api/*' }], mock: 'api-mock.feature' })
* click('#call')
* waitForText('#api', 'mock')

Scenario: a called feature uses the browser of its caller
* driver site + '/start.html'
* call read('fill.feature') { who: 'Called' }
* match value('#name') == 'Called'
* def r = call read('fill.feature') { who: 'Isolated' }
* match r.seen == 'Isolated'
* match value('#name') == 'Isolated'

Scenario: one that a shared call starts is the caller's
* call read('open.feature')
* match driver.title == 'Second'

Scenario: karate.driver
* def d = karate.driver({ type: 'chrome', headless: true })
* d.setUrl(site + '/second.html')
* match d.title == 'Second'
* d.quit()

Scenario: two drivers beside each other
* driver site + '/start.html'
* def d = karate.driver({ type: 'chrome', headless: true })
* d.setUrl(site + '/second.html')
* match d.title == 'Second'
* match driver.title == 'Start'
* d.quit()
* match driver.title == 'Start'
