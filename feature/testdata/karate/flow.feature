Feature: flow

  Background:
    * def fromBackground = 1
    * def counter = { n: 0 }

  Scenario: the background runs before
    * match fromBackground == 1
    * counter.n++
    * match counter.n == 1

  Scenario: and anew for each
    * match counter.n == 0

  Scenario: keywords of all kinds
    Given def a = 1
    When def b = a + 1
    Then match b == 2
    And match a == 1
    But match a != 2

  Scenario: abort
    * def a = 1
    * if (a == 1) karate.abort()
    * match 1 == 2

  Scenario: fails: karate.fail
    * karate.fail('on purpose')

  Scenario: fails: karate.fail in a condition
    * def a = 1
    * if (a == 1) karate.fail('a is one')

  Scenario: go on after failures
    * configure continueOnStepFailure = { enabled: true, continueAfter: true, keywords: ['match'] }
    * match 1 == 1

  Scenario: fails: go on after failures
    * configure continueOnStepFailure = true
    * match 1 == 2
    * match 2 == 3
    * configure continueOnStepFailure = false

  Scenario: configure in JavaScript
    * karate.configure('retry', { count: 2, interval: 10 })
    * configure readTimeout = 1000
    * configure logPrettyResponse = true

  Scenario: fails: configure something else
    * configure nonsense = 1

  Scenario: information
    * match karate.info.scenarioName == 'information'
    * match karate.info.featureFileName == 'flow.feature'
    * match karate.scenario.name == 'information'
    * match karate.feature.name == 'flow'
    * match karate.env == '#null'

  Scenario: of the config
    * match configured == 'from config'
    * match env == 'none'
    * match prop == 'given'
    * match double(4) == 8
    * match shared == { count: 1 }

  Scenario: fails: a keyword that is none
    * nonsense here

  Scenario: a hook after
    * configure afterScenario = function(){ karate.log('after', karate.info.scenarioName) }
    * match 1 == 1

  Scenario: fails: before a hook after
    * configure afterScenario = function(){ karate.log('after', karate.info.errorMessage) }
    * match 1 == 2

  Scenario: without a step

  Scenario: doc only
    # nothing but this
    * print 'x'

  Scenario: fails: failures go on, and continueAfter stays when it is switched off
    * def v = 'a'
    * configure continueOnStepFailure = { enabled: true, continueAfter: true }
    * match v == 'b'
    * match v == 'a'
    * configure continueOnStepFailure = false
    * match v == 'a'
    * match v == 'c'
    * match v == 'not reached'
