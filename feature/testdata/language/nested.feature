@ignore
Feature:
Scenario:
* def inner = call read('called.feature@given') { given: 77, outer: { n: 5 } }
* match inner.sawOuter == 5
