Feature: values and right-hand sides

Background:
* def one = 1
* def person = { name: 'Ada', tags: ['a', 'b'], address: { city: 'London' } }

Scenario: JSON with bare words, embedded expressions and null
* def x = { name: Ada, age: '#(one)', gone: '##(null)', here: '##(one)' }
* match x == { name: 'Ada', age: 1, here: 1 }
* def list = [one, two]
* match list == ['one', 'two']
* def list = [#(one), 2]
* match list == [1, 2]

Scenario: JavaScript in parentheses and without
* def a = ({ n: one + 1 })
* match a == { n: 2 }
* def b = person.tags.map(t => t + '!')
* match b == ['a!', 'b!']
* def c = one == 1 ? 'yes' : 'no'
* match c == 'yes'
* def d = `${person.name} lives in ${person.address.city}`
* match d == 'Ada lives in London'
* def f = function(x){ return x + one }
* match f(2) == 3
* def g = (x) => x * 2
* match g(4) == 8
* def h = x => { return { v: x } }
* match h(1) == { v: 1 }

Scenario: paths on variables
* def response = { items: [{ id: 1 }, { id: 2 }], total: 2 }
* match $.total == 2
* match $ == { items: '#[2]', total: 2 }
* def ids = $.items[*].id
* match ids == [1, 2]
* def first = get[0] response.items[*].id
* match first == 1
* def all = get response $..id
* match all == [1, 2]
* def again = $response.items[0].id
* match again == 1
* match response.items[1].id == 2
* match $response.items[*].id contains 2
* def nothing = $.missing
* match nothing == '#notpresent'
* match response.missing == '#notpresent'
* def city = $person.address.city
* match city == 'London'

Scenario: set and remove
* def x = { a: { b: 1 } }
* def alias = x
* set x.a.c = 2
* match x == { a: { b: 1, c: 2 } }
* match alias.a.c == 2
* set x.list = []
* set x.list[0] = 'first'
* set x.list[] = 'second'
* match x.list == ['first', 'second']
* remove x.a.b
* match x.a == { c: 2 }
* set x $.a.d = { deep: true }
* match x.a.d.deep == true
* x.a.e = 5
* match x.a.e == 5
* set x.a.doc =
"""
{ inner: 'text' }
"""
* match x.a.doc == { inner: 'text' }

Scenario: set with a table
* set search
| path       | value        |
| name.first | 'John'       |
| name.last  | 'Smith'      |
| age        | 20           |
| none       | null         |
| kept       | (null)       |
* match search == { name: { first: 'John', last: 'Smith' }, age: 20, kept: null }
* set rows
| path | 0   | 1   |
| id   | 1   | 2   |
| name | 'a' | 'b' |
* match rows == [{ id: 1, name: 'a' }, { id: 2, name: 'b' }]

Scenario: table
* table t
| name  | value      | extra  |
| 'one' | one        |        |
| 'two' | one + 1    | (null) |
| 'obj' | { a: one } | person |
* match t[0] == { name: 'one', value: 1 }
* match t[1] == { name: 'two', value: 2, extra: null }
* match t[2].extra.name == 'Ada'

Scenario: replace
* def text = 'hello <name> and ${other}'
* replace text.name = 'Ada'
* match text == 'hello Ada and ${other}'
* replace text.${other} = 'Bob'
* match text == 'hello Ada and Bob'
* def many = 'a <x> b <y>'
* replace many
| token | value   |
| x     | 'one'   |
| y     | one + 1 |
* match many == 'a one b 2'

Scenario: text, doc strings, yaml and csv
* text raw =
"""
{ not: 'parsed', x: #(one) }
"""
* match raw contains 'not'
* match karate.typeOf(raw) == 'string'
* def doc =
"""
{ parsed: true, n: '#(one)' }
"""
* match doc == { parsed: true, n: 1 }
* yaml y =
"""
name: John
list:
  - 1
  - two
"""
* match y == { name: 'John', list: [1, 'two'] }
* csv c =
"""
a,b
1,x
2,y
"""
* match c == [{ a: '1', b: 'x' }, { a: '2', b: 'y' }]

Scenario: casts
* def obj = { a: 1 }
* string s = obj
* match s == '{"a":1}'
* json j = s
* match j == { a: 1 }
* json k = '[1, 2]'
* match k == [1, 2]
* xml x = '<a><b>1</b></a>'
* match x/a/b == '1'
* xmlstring xs = x
* match xs == '<a><b>1</b></a>'
* json fromXml = x
* match fromXml == { a: { b: '1' } }
* copy other = obj
* set other.a = 2
* match obj.a == 1
* bytes b = 'abc'
* match karate.typeOf(b) == '#string'
* match b.length == 3

Scenario: XML
* def n = 5
* def x = <root><a id="1">text</a><b>#(n)</b></root>
* match x == <root><a id="1">text</a><b>5</b></root>
* match x/root/a == 'text'
* match x/root/a/@id == '1'
* match x //b == '5'
* set x/root/b = 'new'
* match x/root/b == 'new'
* remove x/root/a
* match x == <root><b>new</b></root>
* def c = get x count(/root/b)
* match c == 1
* def response = <r><i>1</i><i>2</i></r>
* match /r/i == ['1', '2']
* def opt = <r><i>##(null)</i><k>1</k></r>
* match opt == <r><k>1</k></r>

Scenario: assert, eval, if and print
* assert one == 1
* assert person.name == 'Ada' && one < 2
* eval person.age = 36
* match person.age == 36
* eval
"""
var sum = 0;
for (var i = 0; i < 3; i++) sum += i;
karate.set('sum', sum);
"""
* match sum == 3
* if (one == 1) karate.set('branch', 'taken')
* match branch == 'taken'
* if (one != 1) karate.fail('not reached')
* print 'one is', one, person
* person.name = 'Eve'
* match person.name == 'Eve'

Scenario: numbers, strings and booleans
* match 1 + 1 == 2
* match 'a' + 'b' == 'ab'
* match (one + 1) == 2
* match one + 1 == 2
* match person.tags.length == 2
* match person.name.toUpperCase() == 'ADA'
* match person.tags[0] == 'a'
* match true == true
* match null == null
* def big = 12345678901234567890
* def bigJson = { id: 9007199254740993 }
* match bigJson.id == 9007199254740993
* match bigJson == { id: 9007199254740993 }
* def f = 1.5
* match f == 1.5

Scenario: names that hold functions of JavaScript
* def Foo = function(){ this.x = 1 }
* def m = Math.max(1, 2)
* match m == 2
* def d = JSON.stringify({ a: 1 })
* match d == '{"a":1}'
* def p = JSON.parse('{"a":[1]}')
* match p == { a: [1] }
* def k = Object.keys(person)
* match k == ['name', 'tags', 'address']
