Feature: tables, texts, replace and the types

  Scenario: table
    * def name = 'Bob'
    * table people
      | name   | age    | tags       |
      | 'Ann'  | 10     | ['a', 'b'] |
      | name   | 5 + 5  |            |
      | "x y"  | null   | { k: 1 }   |
    * match people == [{ name: 'Ann', age: 10, tags: ['a', 'b'] }, { name: 'Bob', age: 10 }, { name: 'x y', tags: { k: 1 } }]

  Scenario: a table keeps null in parentheses
    * table t
      | a | b      |
      | 1 | (null) |
      | 2 | null   |
    * match t == [{ a: 1, b: null }, { a: 2 }]

  Scenario: a table cell with a bar
    * table t
      | a        |
      | 'x\|y'   |
    * match t[0].a == 'x|y'

  Scenario: text keeps what is in it
    * text query =
      """
      { hero(name: "<name>") {
          height
        }
      }
      """
    * match query contains '{ hero(name: "<name>")'
    * match (query.split('\n').length) == 4
    * match query.startsWith('{ hero') == true

  Scenario: replace
    * def a = 'one <x> two <y> <x>'
    * replace a.x = 'X'
    * match a == 'one X two <y> X'
    * replace a.y = 5
    * match a == 'one X two 5 X'

  Scenario: replace by a table
    * text t =
      """
      hello <name>, @@age@@, ${city}
      """
    * def who = 'Bob'
    * replace t
      | token    | value   |
      | name     | who     |
      | @@age@@  | '7'     |
      | ${city}  | 'Rome'  |
    * match t == 'hello Bob, 7, Rome'

  Scenario: yaml
    * yaml y =
      """
      name: John
      nested:
        - one
        - two: 2
      flag: true
      n: 1.5
      none: null
      """
    * match y == { name: 'John', nested: ['one', { two: 2 }], flag: true, n: 1.5, none: null }

  Scenario: csv
    * csv c =
      """
      name,age
      Ann,1
      "Bob, Jr",2
      """
    * match c == [{ name: 'Ann', age: '1' }, { name: 'Bob, Jr', age: '2' }]

  Scenario: json from a string
    * def s = '{ "a": [1, 2] }'
    * json j = s
    * match j == { a: [1, 2] }
    * json k = { b: 1 }
    * match k.b == 1

  Scenario: xml from a string and back
    * def s = '<a><b>1</b></a>'
    * xml x = s
    * match x == <a><b>1</b></a>
    * xmlstring t = x
    * match t == '<a><b>1</b></a>'
    * string u = x
    * match u == '<a><b>1</b></a>'

  Scenario: json and xml into each other
    * json j = <a><b>1</b><c x="y">t</c></a>
    * match j == { a: { b: '1', c: { _: 't', '@': { x: 'y' } } } }
    * xml x = { r: { i: [1, 2], e: null } }
    * match x == <r><i>1</i><i>2</i><e/></r>

  Scenario: string
    * string s = { a: 1, b: [true, null] }
    * match s == '{"a":1,"b":[true,null]}'
    * string n = 5
    * match n == '5'

  Scenario: bytes
    * bytes b = 'abc'
    * match b.length == 3
    * string s = b
    * match s == 'abc'

  Scenario: json from a bare word
    * def s = 'no json'
    * json j = s
    * match j == 'no json'

  Scenario: fails: xml from a text that is none
    * def s = '<a><b></a>'
    * xml x = s

  Scenario: print takes anything
    * def a = { b: 1 }
    * print a
    * print 'text', a, 5, null, [1, 2]
    * print a.b + 1
    * karate.log('logged', a)

  Scenario: comments between steps
    # here
    * def a = 1
      # and indented
    * def b = 2
    # last
    * match (a + b) == 3
