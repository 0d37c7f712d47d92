Feature: JSON as features write it

  Scenario Outline: relaxed: <text> is <strict>
    * def value = <text>
    * match value == <strict>
    * string text = value
    * match text == '<json>'

    Examples:
      | text                             | strict                              | json                                |
      | { a: b }                         | { a: 'b' }                          | {"a":"b"}                           |
      | { a: hello world }               | { a: 'hello world' }                | {"a":"hello world"}                 |
      | { 'a': 1 }                       | { a: 1 }                            | {"a":1}                             |
      | { "a": "b" }                     | { a: 'b' }                          | {"a":"b"}                           |
      | { a: 1, }                        | { a: 1 }                            | {"a":1}                             |
      | [1, 2, ]                         | [1, 2]                              | [1,2]                               |
      | [a, b c]                         | ['a', 'b c']                        | ["a","b c"]                         |
      | { a: true, b: null }             | { a: true, b: null }                | {"a":true,"b":null}                 |
      | { a: -1.5 }                      | { a: -1.5 }                         | {"a":-1.5}                          |
      | { a-b: 1 }                       | { 'a-b': 1 }                        | {"a-b":1}                           |
      | { a: {}, b: [] }                 | { a: {}, b: [] }                    | {"a":{},"b":[]}                     |
      | [[], {}]                         | [[], {}]                            | [[],{}]                             |
      | { a: 'x', a: 'y' }               | { a: 'y' }                          | {"a":"y"}                           |
      | { z: 1, a: 2 }                   | { a: 2, z: 1 }                      | {"z":1,"a":2}                       |
      | { a: http://x.y/z?q=1 }          | { a: 'http://x.y/z?q=1' }           | {"a":"http://x.y/z?q=1"}            |

  Scenario: embedded expressions
    * def a = 1
    * def b = { c: 'x' }
    * def json = { one: '#(a)', two: '#(a + 1)', obj: '#(b)', deep: '#(b.c)', text: 'no #(a) here', list: ['#(a)', '#(b.c)'] }
    * match json == { one: 1, two: 2, obj: { c: 'x' }, deep: 'x', text: 'no #(a) here', list: [1, 'x'] }

  Scenario: optional embedded expressions
    * def there = 'x'
    * def nothing = null
    * def json = { a: '##(there)', b: '##(nothing)', c: '#(nothing)', d: 1 }
    * match json == { a: 'x', c: null, d: 1 }
    * def list = ['##(nothing)', 1]
    * match list == '#[1]'

  Scenario: expressions that do not evaluate stay as they are
    * def json = { a: '#(nope.x)', b: '#string', c: '#? _ > 1', d: '#[2]' }
    * match json.b == '#string'
    * match json.a == '#string'

  Scenario: a doc string
    * def json =
      """
      {
        "a": 1,
        b: 'two',
        c: [
          { d: '#(1 + 1)' }
        ]
      }
      """
    * match json == { a: 1, b: 'two', c: [{ d: 2 }] }

  Scenario: values of all kinds
    * def n = 5
    * def f = 1.25
    * def s = 'text'
    * def t = true
    * def z = null
    * def l = [1, 'a', null, true, {}]
    * match n == 5
    * match f == 1.25
    * match s == 'text'
    * match t == true
    * match z == null
    * match l == [1, 'a', null, true, {}]

  Scenario: JavaScript where it is not JSON
    * def a = 2
    * def sum = a + 3
    * def list = [1, 2, 3].map(x => x * a)
    * def obj = ({ a: a, b: a * 2 })
    * def fn = x => x + a
    * match sum == 5
    * match obj == { a: 2, b: 4 }
    * match fn(1) == 3

  Scenario: copies and references
    * def a = { b: { c: 1 } }
    * def ref = a
    * copy clone = a
    * set a.b.c = 2
    * match ref == { b: { c: 2 } }
    * match clone == { b: { c: 1 } }

  Scenario: big numbers keep their digits
    * def big = { id: 12345678901234567890 }
    * string text = big
    * match text == '{"id":12345678901234567890}'

  Scenario: strings with escapes
    * def a = 'it\'s'
    * def b = "say \"hi\""
    * def c = 'tab\there'
    * def d = { x: 'line\nbreak', y: 'back\\slash' }
    * match a == "it's"
    * match b == 'say "hi"'
    * match c.length == 8
    * match (d.x.length) == 10
    * match (d.y.length) == 10

  Scenario: fails: JSON that is not closed
    * def json = { a: 1

  Scenario: fails: JSON with a stray quote
    * def json = { a: 'x }
