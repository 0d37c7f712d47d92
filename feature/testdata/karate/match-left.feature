Feature: what can stand on the left side of match

  Background:
    * def foo = { bar: { baz: 1 }, list: [{ id: 1, n: 'a' }, { id: 2, n: 'b' }], 'a-b': 5, text: 'x == y', fn: null }
    * def xml = <root><a id="1">x</a><a id="2">y</a><b><c>z</c></b></root>
    * def tries = 3
    * def twice = function(x){ return x * 2 }

  Scenario: a variable and its parts
    * match foo.bar == { baz: 1 }
    * match foo.bar.baz == 1
    * match foo['bar'] == { baz: 1 }
    * match foo['bar'].baz == 1
    * match foo['a-b'] == 5
    * match foo.list[0].id == 1
    * match foo.list[1] == { id: 2, n: 'b' }
    * match foo.text == 'x == y'

  Scenario: paths that give lists
    * match foo.list[*].id == [1, 2]
    * match foo..id == [1, 2]
    * match foo.list[?(@.id==2)].n == ['b']
    * match foo.list[?(@.n=='a')] == [{ id: 1, n: 'a' }]
    * match foo..n contains 'b'
    * match each foo..id == '#number'

  Scenario: a variable, a blank and a path
    * match foo $.bar.baz == 1
    * match foo $..id == [1, 2]
    * match foo $.list[?(@.id > 1)].n == ['b']
    * match xml /root/b/c == 'z'
    * match xml /root/a == ['x', 'y']
    * match xml /root/a[1] == 'x'
    * match xml /root/a[@id='2'] == 'y'
    * match xml //c == 'z'
    * match xml count(/root/a) == 2
    * match xml /root/nope == '#notpresent'

  Scenario: expressions in parentheses and calls
    * match (tries + 1) == 4
    * match (tries > 2) == true
    * match twice(4) == 8
    * match twice(tries) == 6
    * match (foo.list.length) == 2
    * match foo.text.toLowerCase() == foo.text
    * match foo.list.map(x => x.id) == [1, 2]
    * match (foo.list.filter(x => x.id > 1)) == [{ id: 2, n: 'b' }]
    * match karate.keysOf(foo.bar) == ['baz']
    * match (typeof foo) == 'object'

  Scenario: the response and its paths
    * def response = { a: 1, list: [{ b: 2 }, { b: 3 }] }
    * match response.a == 1
    * match $ == response
    * match $.a == 1
    * match $.list[0].b == 2
    * match $..b == [2, 3]
    * match $.list[*].b contains 3
    * match $ contains { a: '#number' }
    * match each $.list == { b: '#number' }

  Scenario: a response that is XML
    * def response = <r><i>1</i><i>2</i></r>
    * match /r/i == ['1', '2']
    * match /r/i[2] == '2'
    * match response /r/i[1] == '1'
    * match / == <r><i>1</i><i>2</i></r>
    * match response == <r><i>1</i><i>2</i></r>

  Scenario: a doc string on the right side
    * match foo.bar ==
      """
      {
        baz: 1
      }
      """
    * match foo contains
      """
      { bar: '#object', list: '#[2]' }
      """

  Scenario: fails: a doc string on the right side
    * match foo.bar ==
      """
      {
        baz: 2
      }
      """

  Scenario: literals
    * match [1, 2] == [1, 2]
    * match { a: 1 } == { a: 1 }
    * match 1 == 1
    * match true == true

  Scenario: fails: a path into a list
    * match foo.list[*].id == [1, 3]

  Scenario: fails: a filter
    * match foo.list[?(@.id==2)].n == ['c']

  Scenario: fails: a call
    * match twice(4) == 9

  Scenario: fails: XPath
    * match xml /root/b/c == 'y'

  Scenario: fails: a variable that is not there
    * match nope == 1

  Scenario: fails: a property of what is not there
    * match nope.x == 1
