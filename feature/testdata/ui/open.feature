@ignore
Feature:
Scenario:
* driver site + '/second.html'
