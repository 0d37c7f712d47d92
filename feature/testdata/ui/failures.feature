Feature: failures of the browser

Scenario: not configured
* configure driver = null
* click('#x')

Scenario: no element
* driver site + '/start.html'
* driver.timeout(200)
* click('#never')

Scenario: in a called feature
* driver site + '/second.html'
* driver.timeout(200)
* call read('fill.feature') { who: 'x' }

Scenario: bad option
* configure driver = { typ: 'chrome' }

Scenario: bad type
* configure driver = { type: 'netscape' }

Scenario: nobody there
* driver 'http://127.0.0.1:1/'

Scenario: no executable
* configure driver = { type: 'chrome', executable: '/no/such/browser' }
* driver site

Scenario: null locator
* driver site + '/start.html'
* click(null)
