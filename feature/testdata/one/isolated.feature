@ignore
Feature: isolated starts its own
Scenario:
* driver site + '/form.html'
* def title = driver.title
* def inner = call read('init.feature')
* match driver.title == 'Form'
