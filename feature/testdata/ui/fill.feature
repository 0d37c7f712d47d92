@ignore
Feature:
Scenario:
* input('#name', who)
* def seen = value('#name')
