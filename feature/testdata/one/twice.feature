@ignore
Feature: two scenarios in one called feature, each with a driver
Scenario: a
* driver site + '/form.html'
* match driver.title == 'Form'
Scenario: b
* driver site + '/grid.html'
* match driver.title == 'Grid'
