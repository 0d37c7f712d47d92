Feature: once

Background:
* callonce read('counted.feature')
* def isolated = callonce read('counted.feature')

Scenario: first
* match counted == '#string'
* match isolated.counted == '#string'

Scenario: second
* match counted == '#string'
* match helper(2) == 4
