@ignore
Feature:
Scenario:
* set box.n = 2
