@ignore
Feature:
Scenario:
* set held.n = 2
* match held.n == 2
