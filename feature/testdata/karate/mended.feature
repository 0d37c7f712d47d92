Feature: what the original does wrong, and rove does right

  Each of these is listed in docs/KARATE.md with its reason.

  Background:
    * def foo = { a: 1, b: 2, list: [{ id: 1, n: 'a' }, { id: 2, n: 'b' }], text: 'abc' }

  Scenario: a string on the left side
    * match 'abc' == 'abc'

  Scenario: an operator in a filter on the left side
    * match foo.list[?(@.id == 2)].n == ['b']

  Scenario: an expression on the left side
    * match foo.a + foo.b == 3

  Scenario: a comparison on the left side
    * match foo.a >= 1 == true

  Scenario: a property of JavaScript on the left side
    * match foo.list.length == 2

  Scenario: a property of a string on the left side
    * match foo.text.length == 3

  Scenario: a string in brackets on the left side
    * match karate.jsonPath(foo, "$.list[?(@.n == 'b')].id") == [2]

  Scenario: a variable whose name begins with each
    * def eachOne = 1
    * match eachOne == 1

  Scenario: the order of markers
    * def list = [1, 2]
    * match list contains only ['#number', 1]

  Scenario: fails: a marker of one letter
    * def a = 'x'
    * match a == '#y'

  Scenario: a marker that is none beside a number
    * def a = 1
    * match a != '#nope'

  Scenario: set a key in quotes
    * set foo['a'] = 5
    * match foo.a == 5

  Scenario: set by a deep path
    * set foo $..id = 0
    * match foo.list[*].id == [0, 0]

  Scenario: blank lines in a doc string
    * text t =
      """
      one

      two
      """
    * match (t.split('\n').length) == 3

  Scenario: the type of a doc string
    * def json =
      """json
      { "a": 1 }
      """
    * match json == { a: 1 }

  Scenario: rows of CSV that are too short
    * csv c =
      """
      a,b
      1
      2,3
      """
    * match c == [{ a: '1', b: '' }, { a: '2', b: '3' }]

  Scenario: a prefix in an XPath
    * def x = <s:a xmlns:s="u"><s:b>1</s:b></s:a>
    * match x /s:a/s:b == '1'

  Scenario: an optional array where nothing is
    * match foo.nope == '##[] #number'

  Scenario: within
    * def some = ['a']
    * match some within ['a', 'b']
    * def part = { a: 1 }
    * match part within foo

  Scenario: not within
    * def some = ['c']
    * match some !within ['a', 'b']

  Scenario: not contains deep
    * match foo !contains deep { list: [{ id: 3 }] }

  Scenario: a loop as a step
    * def list = []
    * for (var i = 0; i < 3; i++) list.push(i)
    * match list == [0, 1, 2]

  Scenario: an assignment as a step
    * def a = 1
    * a = a + 1
    * match a == 2

  Scenario: a list and what follows it
    * def list = [1, 2, 3].map(x => x * 2)
    * match list == [2, 4, 6]

Scenario: a variable named url
* def url = 'http://localhost/x'
* match url == 'http://localhost/x'
