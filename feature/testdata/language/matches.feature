Feature: match in the runtime

Background:
* def cat = { name: 'Billie', kittens: [{ id: 23, name: 'Bob' }, { id: 42, name: 'Wild' }] }

Scenario: the kinds
* match cat.kittens[0].id == 23
* match cat.kittens contains { id: 42, name: 'Wild' }
* match cat.kittens contains deep { id: 42 }
* match cat.kittens[*].id contains only [42, 23]
* match cat.kittens[*].id contains any [1, 23]
* match cat.kittens !contains { id: 1 }
* match cat contains { name: 'Billie' }
* match cat != { name: 'Billie' }
* match each cat.kittens == { id: '#number', name: '#string' }
* match each cat.kittens contains { id: '#? _ > 20' }
* match cat..name == ['Billie', 'Bob', 'Wild']
* match cat.kittens == '#[2]'
* match cat.kittens == '#[_ > 1]'
* match cat.kittens == '#[2] #object'

Scenario: markers and schemas
* def kitten = { id: '#number', name: '#string' }
* match cat == { name: '#string', kittens: '#[] kitten' }
* match cat.kittens[0] == kitten
* match cat == { name: '#ignore', kittens: '#array' }
* match { a: null } == { a: '#null' }
* match { a: null } == { a: '##string' }
* match { } == { a: '##string' }
* match { a: 1 } == { a: '#present' }
* match { a: 1 } == { a: '#notnull' }
* match { } == { a: '#notpresent' }
* match { id: 'a9f7a56b-8d5c-455c-9d13-808461d17b91' } == { id: '#uuid' }
* match { id: 'abc-12' } == { id: '#regex [a-z]+-\\d+' }
* def limit = 30
* match cat.kittens[0] == { id: '#? _ < limit', name: '#ignore' }
* match { a: 1, b: 2 } == { a: '#number', b: '#? _ == $.a + 1' }
* def isValid = function(x){ return x > 20 }
* match cat.kittens[0].id == '#? isValid(_)'
* match cat.kittens[*].name == ['#string', '#(cat.kittens[1].name)']

Scenario: macros
* def part = { id: 23 }
* match cat.kittens[0] == '#(^part)'
* match cat == { name: '#string', kittens: '#(^^cat.kittens)' }
* def any = [{ id: 23, name: 'Bob' }]
* match cat.kittens == '#(^any)'
* match cat.kittens[0] != '#(^{ id: 1 })'

Scenario: on scripts and texts
* match karate.keysOf(cat) == ['name', 'kittens']
* match 'hello world' contains 'world'
* match 'hello' !contains 'x'
* match (cat.name + '!') == 'Billie!'
* def state = { tries: 3 }
* match state.tries >= 2 == true
* match cat.name.length == 6
* match cat.kittens[0].name.toLowerCase() == 'bob'
* def r = karate.match('cat.name == "Billie"')
* match r == { pass: true, message: null }
* def r = karate.match(cat.name, 'x')
* match r.pass == false
* match [1, 2, 3] contains [3, 1]
* match [] == []
* match { a: [] } == { a: [] }

Scenario: each with nothing
* configure matchEachEmptyAllowed = true
* def none = []
* match each none == { a: 1 }

Scenario: with a doc string
* match cat ==
"""
{ name: 'Billie', kittens: '#[2]' }
"""
