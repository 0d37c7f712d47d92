@ignore
Feature:
@first
Scenario:
* input('#user', 'first')
@second
Scenario:
* input('#user', 'second')
