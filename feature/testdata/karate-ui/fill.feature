@ignore
Feature: fills in a name

Scenario:
* clear('#name')
* input('#name', who)
* def seen = value('#name')
