@ignore
Feature: called

@given
Scenario: with what is given
* def got = given
* def local = 'set by called'
* def sawOuter = outer.n
* def sawConfig = who
* def loop = __loop

@none
Scenario: tagged
* def tagged = true
