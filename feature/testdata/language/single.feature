Feature: single
Background:
* def a = karate.callSingle('counted.feature')
* def b = karate.callSingle('counted.feature')
* def c = karate.callSingle('counted.feature?other')
* def d = karate.callSingle('function.js', 4)
Scenario: the same each time
* match a.counted == b.counted
* match a.counted != c.counted
* match d == { doubled: 8 }
