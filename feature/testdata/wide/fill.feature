@ignore
Feature:
Scenario:
* input('#user', who)
* def seen = value('#user')
