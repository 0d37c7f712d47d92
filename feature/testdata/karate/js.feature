Feature: JavaScript in steps

  Scenario: functions and closures
    * def base = 10
    * def add = function(a, b){ return a + b }
    * def arrow = (a, b) => a * b
    * def one = x => x + base
    * def noargs = () => 'hi'
    * match add(1, 2) == 3
    * match arrow(3, 4) == 12
    * match one(5) == 15
    * match noargs() == 'hi'

  Scenario: a function over several lines
    * def fact =
      """
      function fn(n) {
        if (n < 2) return 1;
        return n * fn(n - 1);
      }
      """
    * match fact(5) == 120

  Scenario: functions that give objects
    * def make = function(n){ return { id: n, list: [n, n + 1] } }
    * match make(3) == { id: 3, list: [3, 4] }
    * def made = make(1)
    * match made.list[1] == 2

  Scenario: functions in objects
    * def utils = ({ twice: x => x * 2, name: 'u' })
    * match utils.twice(4) == 8
    * match utils.name == 'u'

  Scenario: call with an argument
    * def greet = function(arg){ return 'hi ' + arg.name }
    * def a = call greet { name: 'Bo' }
    * match a == 'hi Bo'
    * def b = call greet ({ name: 'Al' })
    * match b == 'hi Al'
    * def plus = function(x){ return x + 1 }
    * def c = call plus 4
    * match c == 5

  Scenario: conditions and loops
    * def x = 5
    * def size = x > 3 ? 'big' : 'small'
    * if (x > 3) karate.set('flag', true)
    * match size == 'big'
    * match flag == true
    * def list = []
    * eval for (var i = 0; i < 3; i++) list.push(i)
    * match list == [0, 1, 2]

  Scenario: eval
    * def foo = { a: 1 }
    * eval foo.b = 2
    * eval
      """
      for (var i = 0; i < 2; i++) {
        foo['k' + i] = i;
      }
      """
    * match foo == { a: 1, b: 2, k0: 0, k1: 1 }

  Scenario: template strings, spread and destructuring
    * def name = 'x'
    * def s = `hello ${name} ${1 + 1}`
    * match s == 'hello x 2'
    * def a = [1, 2]
    * def b = ([...a, 3])
    * match b == [1, 2, 3]
    * def o = ({ ...{ p: 1 }, q: 2 })
    * match o == { p: 1, q: 2 }

  Scenario: array methods
    * def n = [3, 1, 2]
    * def sorted = n.slice().sort()
    * def big = n.filter(x => x > 1)
    * def sum = n.reduce((a, b) => a + b, 0)
    * match sorted == [1, 2, 3]
    * match big == [3, 2]
    * match sum == 6
    * match n.includes(2) == true
    * match (n.indexOf(2)) == 2
    * match n.join('-') == '3-1-2'

  Scenario: strings
    * def s = ' Hello '
    * match s.trim() == 'Hello'
    * match s.toLowerCase() == ' hello '
    * match (s.trim().length) == 5
    * match s.trim().replace('l', 'L') == 'HeLlo'
    * match s.trim().split('l') == ['He', '', 'o']

  Scenario: JSON and numbers
    * def a = JSON.parse('{"x":[1,2]}')
    * def b = JSON.stringify({ y: 1 })
    * match a == { x: [1, 2] }
    * match b == '{"y":1}'
    * match (parseInt('42')) == 42
    * match (Math.max(1, 7)) == 7
    * match (0.1 + 0.2 > 0.3) == true
    * match (7 % 3) == 1

  Scenario: a JavaScript file
    * def fn = read('called/double.js')
    * match fn(4) == 8
    * def x = call read('called/double.js') 5
    * match x == 10

  Scenario: Java
    * def UUID = Java.type('java.util.UUID')
    * def id = UUID.randomUUID() + ''
    * match id == '#uuid'
    * def System = Java.type('java.lang.System')
    * def t = System.currentTimeMillis()
    * match t == '#number'
    * def b64 = Java.type('java.util.Base64').getEncoder().encodeToString('abc'.getBytes())
    * match b64 == 'YWJj'

  Scenario: what Java's strings can do
    * def s = 'abc'
    * match s.equals('abc') == true
    * match s.equalsIgnoreCase('ABC') == true
    * match s.contains('b') == true
    * match s.isEmpty() == false
    * match s.matches('a.*') == true
    * match s.matches('a') == false
    * match s.hashCode() == 96354
    * match (s.getBytes().length) == 3

  Scenario: packages of Java by dots
    * def a = java.util.UUID.randomUUID() + ''
    * match a == '#uuid'
    * def b = java.lang.System.currentTimeMillis()
    * match b == '#? _ > 0'

  Scenario: regular expressions
    * def ok = (/^a+$/.test('aaa'))
    * match ok == true
    * def found = 'a1b22'.match(/[0-9]+/g)
    * match (found.length) == 2

  Scenario: dates
    * def y = new Date(0).getTime()
    * match y == 0
    * def s = new Date(0).toISOString()
    * match s == '1970-01-01T00:00:00.000Z'

  Scenario: shadowing and change
    * def a = 1
    * def a = a + 1
    * eval a = a + 1
    * match a == 3

  Scenario: assert
    * def a = 3
    * assert a == 3
    * assert a > 2 && a < 4

  Scenario: fails: assert
    * def a = 3
    * assert a == 4

  Scenario: fails: assert that gives no boolean
    * assert 'text'

  Scenario: fails: an exception
    * def f = function(){ throw new Error('boom') }
    * f()

  Scenario: fails: a name that is not there
    * def a = nope + 1

  Scenario: fails: a mistake of syntax
    * def a = (1 +

  Scenario: fails: a method that is not there
    * def a = 'x'.nope()

  Scenario: fails: a property of null
    * def a = null
    * def b = a.x
