Feature: calls

  Scenario: a feature with an argument
    * def r = call read('called/simple.feature') { name: 'Bo' }
    * match r.result == 'got Bo'
    * match r.inner == 5
    * match karate.get('inner') == null

  Scenario: the argument by a variable and by expression
    * def arg = { a: 1, b: 2 }
    * def r = call read('called/add.feature') arg
    * match r.sum == 3
    * match r.arg == { a: 1, b: 2 }
    * match r.loop == -1
    * def s = call read('called/add.feature') { a: '#(arg.b)', b: 10 }
    * match s.sum == 12

  Scenario: variables are seen below
    * def a = 5
    * def b = 6
    * def r = call read('called/add.feature')
    * match r.sum == 11
    * match r.arg == null

  Scenario: an array makes a loop
    * def args = [{ a: 1, b: 1 }, { a: 2, b: 2 }]
    * def r = call read('called/add.feature') args
    * match r == '#[2]'
    * match r[*].sum == [2, 4]
    * match r[*].loop == [0, 1]

  Scenario: a table makes a loop
    * table args
      | a | b |
      | 1 | 2 |
      | 3 | 4 |
    * def r = call read('called/add.feature') args
    * match $r[*].sum == [3, 7]

  Scenario: a function makes a loop
    * def gen = function(i){ return i < 3 ? { a: i, b: 1 } : null }
    * def r = call read('called/add.feature') gen
    * match r[*].sum == [1, 2, 3]

  Scenario: by tag
    * def a = call read('called/tagged.feature@one')
    * def b = call read('called/tagged.feature@two')
    * def c = call read('called/tagged.feature@name=third')
    * match a.value == 'one'
    * match b.value == 'two'
    * match c.value == 'three'
    * match a.common == 'bg'

  Scenario: shared scope
    * def outer = 'here'
    * def outerObject = { k: 'v' }
    * call read('called/shared.feature')
    * match fresh == 'made below'
    * match seen == 'here'
    * match outer == 'changed below'
    * match outerObject.k == 'mutated'

  Scenario: isolated scope
    * def outer = 'here'
    * def outerObject = { k: 'v' }
    * def r = call read('called/shared.feature')
    * match outer == 'here'
    * match r.outer == 'changed below'
    * match karate.get('fresh') == null
    * match outerObject.k == 'v'

  Scenario: a feature in a variable
    * def add = read('called/add.feature')
    * def r = call add { a: 2, b: 3 }
    * match r.sum == 5

  Scenario: nested
    * def r = call read('called/nested.feature')
    * match r.total == 5

  Scenario: with a background
    * def r = call read('called/background.feature') { name: 'x' }
    * match r.both == 'bg x!'

  Scenario: by JavaScript
    * def r = karate.call('called/add.feature', { a: 4, b: 5 })
    * match r.sum == 9
    * def s = karate.call('called/simple.feature', { name: 'js' })
    * match s.result == 'got js'

  Scenario: by JavaScript with shared scope
    * karate.call(true, 'called/simple.feature', { name: 'shared' })
    * match result == 'got shared'

  Scenario: callonce in two scenarios, the first
    * def r = callonce read('called/counter.feature')
    * match r.token == '#uuid'

  Scenario: callonce without def shares
    * callonce read('called/counter.feature')
    * match token == '#uuid'

  Scenario: callSingle
    * def a = karate.callSingle('called/counter.feature')
    * def b = karate.callSingle('called/counter.feature')
    * match a.token == b.token
    * def c = karate.callSingle('called/counter.feature?x')
    * match a.token != c.token

  Scenario: reading files
    * def json = read('called/data.json')
    * def yaml = read('called/data.yaml')
    * def csv = read('called/data.csv')
    * def text = read('called/data.txt')
    * def xml = read('called/data.xml')
    * match json == { a: 1, b: ['x'] }
    * match yaml == { a: 1, b: ['x'] }
    * match csv == [{ a: '1', b: 'x' }, { a: '2', b: 'y' }]
    * match text == 'plain text'
    * match xml == <a><b>1</b></a>
    * match karate.readAsString('called/data.txt') == 'plain text'

  Scenario: reading JSON with expressions in it
    * def v = 7
    * def json = read('called/embedded.json')
    * match json == { a: 7, b: 14 }

  Scenario: fails: what is called fails
    * def r = call read('called/fails.feature')

  Scenario: fails: what is called fails, shared
    * call read('called/fails.feature')

  Scenario: fails: one of a loop fails
    * def args = [{ a: 1, b: 1 }, { a: 2, nope: 2 }]
    * def r = call read('called/add.feature') args

  Scenario: fails: a feature that is not there
    * call read('called/nope.feature')

  Scenario: fails: a file that is not there
    * def a = read('called/nope.json')

  Scenario: fails: a variable that is missing below
    * def r = call read('called/simple.feature')

  Scenario: fails: an argument that is no object
    * def r = call read('called/simple.feature') 'text'

  Scenario: fails: a call of something else
    * def x = 5
    * call x
