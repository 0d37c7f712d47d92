@area=tags @suite
Feature: tags

  Scenario: of the feature
    * match karate.tags contains 'suite'
    * match karate.tagValues contains { area: ['tags'] }

  @own @level=3,4
  Scenario: of the scenario
    * match karate.tags contains ['own', 'suite']
    * match karate.tagValues.level == ['3', '4']

  @env=prod
  Scenario: fails: only in another environment
    * match 1 == 2

  @envnot=prod
  Scenario: in any but one environment
    * match 1 == 1

  @ignore
  Scenario: fails: ignored
    * match 1 == 2

  @fail
  Scenario: that fails passes
    * match 1 == 2

  @fail
  Scenario: fails: that passes fails
    * match 1 == 1

  @report=false
  Scenario: without a report
    * match 1 == 1

  @parallel=false
  Scenario: not beside others
    * match 1 == 1
