@ignore
Feature: nav
Background:
* driver site + '/grid.html'
Scenario: a
* match driver.title == 'Grid'
* call read('title.feature')
* match t == 'Grid'
