Feature: examples of the manual, as testers write them

Background:
* def cat = { name: 'Billie', kittens: [{ id: 23, name: 'Bob' }, { id: 42, name: 'Wild' }] }

Scenario: table with nulls
* table t
  | a   | b     | c    |
  | 1   | 'x'   |      |
  | 2   | null  | (null) |
  | cat.kittens[0].id | { x: 1 } | [1] |
* match t == [{ a: 1, b: 'x' }, { a: 2, c: null }, { a: 23, b: { x: 1 }, c: [1] }]

Scenario: set table many columns
* set foo
  | path   | 0        | 1      | 2 |
  | name.a | 'A'      | 'B'    |   |
  | age    | 5        |        | 7 |
* match foo == [{ name: { a: 'A' }, age: 5 }, { name: { a: 'B' } }, { age: 7 }]

Scenario: set with path column prefix
* def x = { a: 1 }
* set x.sub
  | path | value |
  | b    | 2     |
* match x == { a: 1, sub: { b: 2 } }

Scenario: set xml table
* set search /acc:getAccountByPhoneNumber
  | path                        | value |
  | acc:phone/@foo              | 'bar' |
  | acc:phone/acc:number[1]     | 1234  |
  | acc:phone/acc:number[2]     | 5678  |
  | acc:phoneNumberSearchOption | 'all' |
* match search ==
"""
<acc:getAccountByPhoneNumber>
    <acc:phone foo="bar">
        <acc:number>1234</acc:number>
        <acc:number>5678</acc:number>
    </acc:phone>
    <acc:phoneNumberSearchOption>all</acc:phoneNumberSearchOption>
</acc:getAccountByPhoneNumber>
"""

Scenario: replace
* def text = 'hello <one> world <two> bye'
* replace text
  | token | value   |
  | one   | 'cruel' |
  | <two> | 'good'  |
* match text == 'hello cruel world good bye'
* replace text.cruel = 'nice'
* match text == 'hello cruel world good bye'

Scenario: replace single and placeholder
* def text = 'hello <foo> world ${bar} @@baz@@'
* replace text.foo = 'x'
* replace text
  | token   | value |
  | ${bar}  | 'y'   |
  | @@baz@@ | 'z'   |
* match text == 'hello x world y z'

Scenario: remove
* def json = { foo: 'world', hey: 'ho', zee: [1, 2, 3] }
* remove json.hey
* remove json $.zee[1]
* match json == { foo: 'world', zee: [1, 3] }

Scenario: embedded optional
* def data = { a: 'hello', b: '##(null)', c: '#(null)', d: '##(cat.nope)' }
* match data == { a: 'hello', c: null }

Scenario: enclosed js
* def x = ({ a: cat.name, [cat.name]: 1 })
* match x == { a: 'Billie', Billie: 1 }

Scenario: xml chunk
* def chunk = <x>1</x>
* def y = <a><b>#(chunk)</b></a>
* match y == <a><b><x>1</x></b></a>

Scenario: xml optional
* def y = <a><b>##(null)</b><c>1</c></a>
* match y == <a><c>1</c></a>

Scenario: array of with predicate
* def foo = ['bar', 'baz']
* match foo == '#[2] #string'
* match foo == '#[]? _.length == 3'
* match foo == '#[2]? _.length == 3'
* match foo == '#[] #regex ba.'
* match foo == '##[2] #string'

Scenario: contains shortcuts
* def foo = [{ a: 1, b: 'x' }, { a: 2, b: 'y' }]
* def exact = { a: '#number', b: '#string' }
* def partial = { a: '#number' }
* def nope = { c: '#number' }
* def reversed = [{ a: 2, b: 'y' }, { a: 1, b: 'x' }]
* def first = [{ a: 1, b: 'x' }]
* def others = [{ a: 3, b: 'u' }, { a: 4, b: 'v' }]
* match foo[0] == '#(exact)'
* match foo[0] == '#(^partial)'
* match foo[0] == '#(!^nope)'
* match foo == '#[] exact'
* match foo == '#[] ^partial'
* match foo == '#[] !^nope'
* match foo contains '#(^*reversed)'
* match foo == '#(^*reversed)'
* match foo == '#(^first)'
* match foo == '#(!^others)'
* assert foo.length == 2
* match foo == '#[2]'

Scenario: match each contains
* def data = { foo: [{ bar: 1, baz: 'a' }, { bar: 2, baz: 'b' }, { bar: 3, baz: 'c' }] }
* match each data.foo == { bar: '#number', baz: '#string' }
* match each data.foo contains { bar: '#number' }
* match each data.foo contains { bar: '#? _ != 4' }
* match each data.foo contains { baz: "#? _ != 'z'" }
* def isAbc = function(x) { return x == 'a' || x == 'b' || x == 'c' }
* match each data.foo contains { baz: '#? isAbc(_)' }
* match each data.foo == '#? _.bar > 0'

Scenario: self and root in predicates
* def temp = { celsius: 100, fahrenheit: 212 }
* match temp == { celsius: '#number', fahrenheit: '#? _ == $.celsius * 1.8 + 32' }
* match temp contains { fahrenheit: '#($.celsius * 1.8 + 32)' }

Scenario: each with root
* def json = { hotels: [{ roomInformation: [{ roomPrice: 618.4 }], totalPrice: 618.4 }, { roomInformation: [{ roomPrice: 679.79 }], totalPrice: 679.79 }] }
* match each json.hotels contains { totalPrice: '#? _ == _$.roomInformation[0].roomPrice' }
* match each json.hotels == { roomInformation: '#array', totalPrice: '#(_$.roomInformation[0].roomPrice)' }

Scenario: jsonpath
* match cat.kittens[*].id == [23, 42]
* match cat.kittens[*].id contains 23
* match cat..name == ['Billie', 'Bob', 'Wild']
* match cat.kittens[?(@.id > 30)].name == ['Wild']
* def bob = get[0] cat.kittens[?(@.name=='Bob')]
* match bob.id == 23
* def ids = $cat.kittens[*].id
* match ids == [23, 42]
* def names = get cat $.kittens[*].name
* match names == ['Bob', 'Wild']
* match cat.kittens contains { id: 42, name: '#string' }
* def n = karate.jsonPath(cat, "$.kittens[?(@.id==42)].name")[0]
* match n == 'Wild'
* match karate.jsonPath(cat, '$.kittens.length()') == 2
* match cat.kittens[-1].name == 'Wild'

Scenario: response shortcuts
* def response = { a: [1, 2], b: { c: 'x' } }
* match $ == { a: '#array', b: '#object' }
* match $.a == [1, 2]
* match response.b.c == 'x'
* match $..c == ['x']
* def c = $.b.c
* match c == 'x'
* match response.a[0] == 1

Scenario: karate foreach
* def out = []
* def fun = function(x, i) { out.push(x + ':' + i) }
* karate.forEach(['a', 'b'], fun)
* match out == ['a:0', 'b:1']
* def seen = []
* karate.forEach({ a: 1, b: 2 }, function(k, v, i) { seen.push(k + v + i) })
* match seen == ['a10', 'b21']

Scenario: prettyXml
* def x = <a><b>1</b></a>
* match karate.prettyXml(x) contains '<b>1</b>'
* match karate.prettyXml(x) == '<a>\n  <b>1</b>\n</a>\n'

Scenario: karate get set
* karate.set('x', 5)
* match x == 5
* karate.set({ y: 1, z: 2 })
* match z == 2
* match karate.get('nope') == null
* match karate.get('nope', 7) == 7
* match karate.get('cat.name') == 'Billie'
* match karate.get('$cat.kittens[0].id') == 23
* karate.set('cat', '$.name', 'New')
* match cat.name == 'New'
* karate.remove('cat', '$.kittens')
* match cat == { name: 'New' }
* def xm = <a><b/></a>
* karate.set('xm', '/a/b', 'text')
* match xm == <a><b>text</b></a>
* karate.setXml('xn', '<r>1</r>')
* match xn == <r>1</r>
* karate.set('xn', '/r', 'two')
* match xn == <r>two</r>

Scenario: eval multi line
* eval
"""
var a = 1;
for (var i = 0; i < 3; i++) { a += i }
karate.set('a', a);
"""
* match a == 4

Scenario: js functions forms
* def add = function(a, b) { return a + b }
* match add(1, 2) == 3
* def f =
"""
function(s) {
  var r = { len: s.length };
  return r;
}
"""
* match f('abc') == { len: 3 }
* def g = (x) => { return { x } }
* match g(1) == { x: 1 }
* def r = call f 'abcd'
* match r.len == 4
* def dateParts = function() { return new Date(2020, 0, 2).getFullYear() }
* match dateParts() == 2020
* def rand = function(n) { return Math.floor(Math.random() * n) }
* assert rand(5) < 5

Scenario: karate exec
* def r = karate.exec('echo hello')
* match r == 'hello'

Scenario: karate fork
* def p = karate.fork({ args: ['sh', '-c', 'echo one; echo two'] })
* p.waitSync()
* match p.exitCode == 0
* match p.sysOut contains 'two'

Scenario: xml manip
* def x = <a><b>1</b></a>
* set x /a/b = 2
* set x /a/@id = 'i'
* match x == <a id="i"><b>2</b></a>
* remove x /a/b
* match x == <a id="i"/>

Scenario: set json path deep new
* def j = {}
* set j.a.b.c = 1
* set j.list[] = 'x'
* set j.list[] = 'y'
* match j == { a: { b: { c: 1 } }, list: ['x', 'y'] }

Scenario: set with jsonpath filter
* def j = { l: [{ id: 1 }, { id: 2 }] }
* set j.l[1].id = 5
* set j $.l[0].x = true
* match j == { l: [{ id: 1, x: true }, { id: 5 }] }
