Feature: navigation

Scenario: addresses, titles, history
* driver site + '/start.html'
* match driver.title == 'Start'
* match driver.url == site + '/start.html'
* click('#next')
* match driver.title == 'Second'
* waitForUrl('second')
* back()
* match driver.title == 'Start'
* forward()
* match driver.title == 'Second'
* script('window.mark = 1')
* refresh()
* match script('window.mark') == null
* script('window.mark = 1')
* reload()
* match script('window.mark') == null
* match driver.title == 'Second'
* driver.url = site + '/done.html'
* match driver.title == 'Done'
* driver.setUrl(site + '/start.html')
* match getUrl() == site + '/start.html'
* match driver.nothing == null
* assert driver.nothingElse === null

Scenario: fragments in the history
* driver site + '/start.html'
* driver site + '/start.html#there'
* back()
* match driver.url == site + '/start.html'
* forward()
* match driver.url == site + '/start.html#there'
* script("history.pushState({}, '', '?pushed')")
* back()
* match driver.url == site + '/start.html#there'

Scenario: an expression as an address
* def page = 'second.html'
* driver `${site}/${page}`
* match driver.title == 'Second'

Scenario: pages
* driver site + '/start.html'
* click('#tab')
* switchPage('Second')
* match driver.title == 'Second'
* match getPages() == '#[2]'
* switchPage('Start')
* match script('document.visibilityState') == 'visible'
* switchPage(1)
* match script('document.visibilityState') == 'visible'
* close()
* switchPage(0)
* match driver.title == 'Start'
* driver.waitForPageLoad()
* driver.waitForPageLoad('networkidle', 5000)

Scenario: the window
* driver site + '/start.html'
* driver.dimensions = { x: 0, y: 0, width: 900, height: 700 }
* match driver.dimensions contains { width: 900, height: 700 }
* maximize()
* screenshot()
* def bytes = screenshot(false)
* match karate.typeOf(bytes) == 'bytes'
* def paper = driver.pdf({ landscape: true })
* assert paper.length > 1000

Scenario: quit and another
* driver site + '/start.html'
* driver.quit()
* configure driver = { type: 'chrome', headless: true }
* driver site + '/second.html'
* match driver.title == 'Second'

Scenario: timeouts
* driver site + '/start.html'
* driver.timeout(5000)
* match driver.timeout().url == driver.url
