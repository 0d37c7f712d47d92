Feature: a browser that dies

Scenario: while it is used
* configure driver = { type: 'chrome', headless: true, timeout: 5000, addOptions: ['--rove-dies-in-the-middle'] }
* driver site + '/start.html'
* def now = 'dead'
* click('#box')
* match driver.title == 'Start'

Scenario: the next one has another
* configure driver = { type: 'chrome', headless: true, addOptions: ['--rove-dies-in-the-middle'] }
* driver site + '/start.html'
* match driver.title == 'Start'
