@ignore
Feature: init
Background:
* configure driver = { type: 'chrome', headless: true }
Scenario: init
* driver site + '/form.html'
* def started = true
