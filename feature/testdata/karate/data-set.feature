Feature: set, remove and copy

  Background:
    * def foo = { a: 1, b: { c: 2 }, list: [{ x: 1 }, { x: 2 }] }

  Scenario: set a value
    * set foo.a = 9
    * set foo.b.c = 'new'
    * set foo.list[1].x = 7
    * match foo == { a: 9, b: { c: 'new' }, list: [{ x: 1 }, { x: 7 }] }

  Scenario: set what is not there
    * set foo.d = true
    * set foo.e.f.g = 1
    * set foo.arr[0] = 'first'
    * set foo.arr[2] = 'third'
    * match foo.d == true
    * match foo.e == { f: { g: 1 } }
    * match foo.arr == ['first', null, 'third']

  Scenario: set objects and lists
    * set foo.a = { n: [1, 2] }
    * set foo.b = []
    * match foo.a.n == [1, 2]
    * match foo.b == []

  Scenario: add to the end of a list
    * set foo.list[] = { x: 3 }
    * match foo.list == '#[3]'
    * match foo.list[2] == { x: 3 }

  Scenario: set with a path
    * set foo $.a = 5
    * set foo $.b.c = 6
    * match foo.a == 5
    * match foo.b.c == 6

  Scenario: set several by a path
    * set foo.list[*].x = 0
    * match foo.list[*].x == [0, 0]

  Scenario: set to null
    * set foo.a = null
    * match foo.a == null
    * match foo.a == '#present'

  Scenario: set by a table
    * set foo
      | path   | value  |
      | a      | 'x'    |
      | b.c    | 5 + 5  |
      | b.d[0] | true   |
      | e      |        |
    * match foo contains { a: 'x', b: { c: 10, d: [true] } }
    * match foo.e == '#notpresent'

  Scenario: set by a table with several columns
    * set bar
      | path | 0     | 1     |
      | name | 'one' | 'two' |
      | n    | 1     | 2     |
    * match bar == [{ name: 'one', n: 1 }, { name: 'two', n: 2 }]

  Scenario: set below a path by a table
    * set foo.b
      | path | value |
      | p    | 1     |
      | q.r  | 'z'   |
    * match foo.b == { c: 2, p: 1, q: { r: 'z' } }

  Scenario: a table that makes a variable
    * set made
      | path     | value     |
      | one      | 'uno'     |
      | two[0]   | 'dos'     |
      | three.x  | (null)    |
    * match made == { one: 'uno', two: ['dos'], three: { x: null } }

  Scenario: remove
    * remove foo.a
    * remove foo.list[0]
    * remove foo $.b.c
    * match foo == { b: {}, list: [{ x: 2 }] }

  Scenario: remove by JavaScript
    * eval delete foo.b
    * karate.remove('foo', '$.a')
    * match foo == { list: '#[2]' }

  Scenario: karate.set and karate.get
    * karate.set('foo', '$.b.c', 99)
    * karate.set('fresh', { a: 1 })
    * match foo.b.c == 99
    * match karate.get('fresh.a') == 1
    * match karate.get('fresh') == { a: 1 }
    * match karate.get('missing', 'default') == 'default'
    * match karate.get('$foo.list[*].x') == [1, 2]

  Scenario: assign in JavaScript
    * foo.a = 11
    * foo.b.d = 'new'
    * foo['e-f'] = 1
    * foo.list.push({ x: 3 })
    * match foo == { a: 11, b: { c: 2, d: 'new' }, list: [{ x: 1 }, { x: 2 }, { x: 3 }], 'e-f': 1 }

  Scenario: XML
    * def xml = <r><a>1</a><b x="y"/></r>
    * set xml /r/a = 2
    * set xml /r/b/@x = 'z'
    * set xml /r/c = 'new'
    * set xml /r/d = <e>deep</e>
    * match xml == <r><a>2</a><b x="z"/><c>new</c><d><e>deep</e></d></r>
    * remove xml /r/a
    * remove xml /r/b/@x
    * match xml == <r><b/><c>new</c><d><e>deep</e></d></r>

  Scenario: XML by a table
    * set xml /root
      | path     | value  |
      | name     | 'x'    |
      | deep/er  | 5      |
      | name/@id | '7'    |
    * match xml == <root><name id="7">x</name><deep><er>5</er></deep></root>

  Scenario: fails: set in a variable that is not there
    * set nope.a = 1

  Scenario: remove what is not there
    * remove foo.nope
    * match foo.a == 1

  Scenario: fails: set in a number
    * def n = 5
    * set n.a = 1
