Feature: schemas, references and the operators before them

  Background:
    * def dogs = [{ id: 1, name: 'Rex', legs: 4 }, { id: 2, name: 'Bo', legs: 3 }]
    * def dog = { id: '#number', name: '#string', legs: '#? _ > 2' }
    * def part = { name: 'Rex' }

  Scenario: a variable as schema
    * match dogs[0] == dog
    * match dogs[0] == '#(dog)'
    * def owner = { pet: '#(dogs[0])' }
    * match owner == { pet: '#(dog)' }

  Scenario: an optional schema
    * def one = { name: 'a', pet: { id: 1, name: 'x', legs: 4 } }
    * def two = { name: 'a', pet: null }
    * def three = { name: 'a' }
    * match one == { name: '#string', pet: '##(dog)' }
    * match two == { name: '#string', pet: '##(dog)' }
    * match three == { name: '#string', pet: '##(dog)' }

  Scenario: fails: an optional schema that does not fit
    * def one = { name: 'a', pet: { id: 1, name: 'x', legs: 1 } }
    * match one == { name: '#string', pet: '##(dog)' }

  Scenario: arrays of schemas
    * match dogs == '#[] dog'
    * match dogs == '#[2] dog'
    * def kennel = { dogs: '#(dogs)' }
    * match kennel == { dogs: '#[_ < 3] dog' }
    # a part of each
    * def part2 = { legs: '#number' }
    * match dogs == '#[] ^part2'

  Scenario: contains shortcuts in objects
    * def actual = { list: [1, 2, 3], dog: { id: 1, name: 'Rex', legs: 4 } }
    * def some = [3, 1]
    * def all = [3, 2, 1]
    * def any = [9, 1]
    * def none = [7, 8]
    * match actual == { list: '#(^some)', dog: '#(^part)' }
    * match actual == { list: '#(^^all)', dog: '#ignore' }
    * match actual == { list: '#(^*any)', dog: '#ignore' }
    * match actual == { list: '#(!^none)', dog: '#ignore' }
    * match actual == { list: '#(!=none)', dog: '#ignore' }

  Scenario: fails: contains only shortcut
    * def actual = { list: [1, 2, 3] }
    * def some = [3, 1]
    * match actual == { list: '#(^^some)' }

  Scenario: fails: contains any shortcut
    * def actual = { list: [1, 2, 3] }
    * def none = [7, 8]
    * match actual == { list: '#(^*none)' }

  Scenario: fails: contains shortcut
    * def actual = { dog: { id: 1, name: 'Bo' } }
    * match actual == { dog: '#(^part)' }

  Scenario: deep shortcut
    * def actual = { a: { b: { c: 1, d: 2 } } }
    * def deep = { b: { c: 1 } }
    * match actual == { a: '#(^+deep)' }

  Scenario: contains a part of some member
    * match dogs contains '#(^part)'
    * match dogs contains any '#(^part)'
    * match dogs contains deep part
    * match each dogs contains { name: '#string' }

  Scenario: the root in expressions
    * def temp = { celsius: 100, fahrenheit: 212 }
    * match temp == { celsius: '#number', fahrenheit: '#? _ == $.celsius * 1.8 + 32' }
    * match temp contains { fahrenheit: '#($.celsius * 1.8 + 32)' }

  Scenario: functions in expressions
    * def isValid = function(x){ return x > 0 }
    * def json = { a: 5, b: 'x' }
    * match json == { a: '#? isValid(_)', b: '#? _.length == 1' }
    * def min = 3
    * match json.a == '#? _ > min'

  Scenario: fails: a function that says no
    * def isValid = function(x){ return x > 10 }
    * def json = { a: 5 }
    * match json == { a: '#? isValid(_)' }

  Scenario: the length of an array by a path
    * def foo = { count: 2, items: ['a', 'b'] }
    * match foo == { count: '#number', items: '#[$.count] #string' }
    * def n = 2
    * match foo.items == '#[n]'

  Scenario: fails: the length of an array by a path
    * def foo = { count: 3, items: ['a', 'b'] }
    * match foo == { count: '#number', items: '#[$.count]' }

  Scenario: embedded expressions on the right side
    * def name = 'Rex'
    * def x = { a: 1 }
    * match dogs[0] == { id: 1, name: '#(name)', legs: '#(2 + 2)' }
    * def y = { b: { a: 1 } }
    * match y == { b: '#(x)' }
    * match dogs[0].name == name
    * def list = [1, 2]
    * match list == '#(^[2])'

  Scenario: fails: an embedded expression that gives another value
    * def name = 'Bo'
    * match dogs[0] == { id: 1, name: '#(name)', legs: 4 }
