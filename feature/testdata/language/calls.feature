Feature: calls

Background:
* def outer = { n: 1 }

Scenario: isolated
* def result = call read('called.feature@given') { given: 5 }
* match result.got == 5
* match result.who == '#notpresent'
* match result.sawOuter == 1
* match result.sawConfig == 'config'
* def mine = typeof local == 'undefined' ? 'no' : 'yes'
* match mine == 'no'
* match outer.n == 1

Scenario: shared
* call read('called.feature@given') { given: 6 }
* match got == 6
* match local == 'set by called'
* match given == 6

Scenario: without an argument
* def result = call read('called.feature@none')
* match result.tagged == true
* call read('called.feature@none')
* match tagged == true

Scenario: a list
* def result = call read('called.feature@given') [{ given: 1 }, { given: 2 }]
* match result == '#[2]'
* match result[1].got == 2
* match $result[*].loop == [0, 1]

Scenario: a function gives the arguments
* def gen = function(i){ if (i == 3) return null; return { given: i } }
* def result = call read('called.feature@given') gen
* match $result[*].got == [0, 1, 2]

Scenario: functions
* def add = function(x){ return x.a + x.b }
* def sum = call add { a: 1, b: 2 }
* match sum == 3
* def fromFile = call read('function.js') 5
* match fromFile == { doubled: 10 }
* def fn = read('function.js')
* match fn(2).doubled == 4
* call read('function.js') 7
* match doubled == 14

Scenario: from scripts
* def result = karate.call('called.feature@given', { given: 9 })
* match result.got == 9
* karate.call(true, 'called.feature@given', { given: 10 })
* match got == 10
* def f = function(){ return karate.call('called.feature@given', { given: 11 }).got }
* match f() == 11

Scenario: the argument
* def result = call read('argument.feature') { a: 1, b: { c: 2 } }
* match result.whole == { a: 1, b: { c: 2 } }
* match result.inner == 2

Scenario: objects are passed as they are
* def box = { n: 1 }
* def result = call read('change.feature') { box: '#(box)' }
* match result.box.n == 2
* match box.n == 2

Scenario: a variable of the caller is a copy
* def held = { n: 1, deep: { m: 1 } }
* def result = call read('change-held.feature')
* match held.n == 1

Scenario: what is called comes back through a function
* def kit = call read('kit.feature')
* match kit.twice(4) == 8
* match kit.greet2('x') == 'hello x'

Scenario: nested
* def result = call read('nested.feature')
* match result.inner.got == 77
