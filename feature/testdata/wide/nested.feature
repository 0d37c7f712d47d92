@ignore
Feature:
Scenario:
* def inner = call read('fill.feature')
