Feature: the browser is that of the command line

Scenario: which needs no configure driver
* configure driver = null
* driver site + '/start.html'
* match driver.title == 'Start'
