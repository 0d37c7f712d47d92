@ignore
Feature:
Scenario:
* def counted = 1
