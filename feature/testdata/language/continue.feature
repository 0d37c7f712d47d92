Feature: failures that do not end a scenario

@fail
Scenario: all are told
* configure continueOnStepFailure = true
* match 1 == 2
* match 2 == 3
* def reached = true
* configure continueOnStepFailure = false
