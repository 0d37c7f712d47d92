Feature: the karate object

  Background:
    * def list = [{ id: 1, n: 'a' }, { id: 2, n: 'b' }, { id: 3, n: 'c' }]
    * def obj = { a: 1, b: 2, c: 3 }

  Scenario: map, filter and forEach
    * match karate.map(list, x => x.id) == [1, 2, 3]
    * match karate.filter(list, x => x.id > 1) == '#[2]'
    * def seen = []
    * karate.forEach(list, x => seen.push(x.n))
    * match seen == ['a', 'b', 'c']
    * def keys = []
    * karate.forEach(obj, (k, v) => keys.push(k + v))
    * match keys == ['a1', 'b2', 'c3']
    * match karate.map(list, (x, i) => i) == [0, 1, 2]

  Scenario: mapWithKey
    * match karate.mapWithKey(['x', 'y'], 'k') == [{ k: 'x' }, { k: 'y' }]

  Scenario: keys, values and sizes
    * match karate.keysOf(obj) == ['a', 'b', 'c']
    * match karate.valuesOf(obj) == [1, 2, 3]
    * match karate.valuesOf(list) == list
    * match karate.sizeOf(obj) == 3
    * match karate.sizeOf(list) == 3

  Scenario: filterKeys, merge and append
    * match karate.filterKeys(obj, 'a', 'c') == { a: 1, c: 3 }
    * match karate.filterKeys(obj, ['b']) == { b: 2 }
    * match karate.filterKeys(obj, { a: null, z: null }) == { a: 1 }
    * match karate.merge({ a: 1 }, { b: 2 }, { a: 3 }) == { a: 3, b: 2 }
    * match karate.append([1], [2, 3], 4) == [1, 2, 3, 4]

  Scenario: appendTo
    * def l = [1]
    * karate.appendTo('l', 2, 3)
    * match l == [1, 2, 3]
    * karate.appendTo(l, [4])
    * match l == [1, 2, 3, 4]

  Scenario: repeat and range
    * match karate.repeat(3, i => i * 2) == [0, 2, 4]
    * match karate.range(1, 4) == [1, 2, 3, 4]
    * match karate.range(0, 6, 3) == [0, 3, 6]

  Scenario: sort and distinct
    * match karate.sort([{ n: 2 }, { n: 1 }], x => x.n) == [{ n: 1 }, { n: 2 }]
    * match karate.distinct([1, 2, 1, 3, 2]) == [1, 2, 3]

  Scenario: match
    * def r = karate.match(obj, { a: 1, b: 2, c: 3 })
    * match r == { pass: true, message: null }
    * def s = karate.match('obj contains { a: 5 }')
    * match s.pass == false
    * match s.message == '#string'
    * match karate.match(1, 1).pass == true

  Scenario: types
    * match karate.typeOf(1) == 'number'
    * match karate.typeOf('x') == 'string'
    * match karate.typeOf(true) == 'boolean'
    * match karate.typeOf(null) == 'null'
    * match karate.typeOf([]) == 'list'
    * match karate.typeOf({}) == 'map'
    * match karate.typeOf(x => x) == 'js_function'

  Scenario: to and from text
    * match karate.toString({ a: 1 }) == '{"a":1}'
    * match karate.fromString('{ "a": [1] }') == { a: [1] }
    * match karate.fromString('text') == 'text'
    * match karate.pretty({ a: 1 }) contains '"a": 1'
    * match karate.toJson({ a: 1 }) == { a: 1 }
    * match karate.toCsv([{ a: 1, b: 'x' }]) contains 'a,b'
    * match karate.lowerCase({ A: 'X' }) == { a: 'x' }

  Scenario: extract
    * match karate.extract('foo 123 bar', '[0-9]+', 0) == '123'
    * match karate.extract('a=1;b=2', 'b=([0-9])', 1) == '2'
    * match karate.extractAll('a1b2', '[0-9]', 0) == ['1', '2']

  Scenario: urls
    * match karate.urlEncode('a b&c') == 'a+b%26c'
    * match karate.urlDecode('a+b%26c') == 'a b&c'

  Scenario: eval
    * def x = 2
    * match karate.eval('x + 1') == 3

  Scenario: environment
    * match karate.os == { name: '#string', type: '#string' }
    * match karate.properties['corpus.prop'] == 'given'

  Scenario: set and get paths
    * karate.set('made.x', 5)
    * match karate.get('obj.b') == 2
    * match karate.get('$list[*].id') == [1, 2, 3]

  Scenario: log and embed
    * karate.log('a', { b: 1 }, null)
    * karate.embed('text', 'text/plain')

  Scenario: remove
    * karate.remove('obj', '$.a')
    * match obj == { b: 2, c: 3 }

  Scenario: setXml and xmlPath
    * def xml = <a><b>1</b></a>
    * karate.setXml('xml', '/a/b', '<c>2</c>')
    * match xml == <a><b><c>2</c></b></a>
    * karate.setXml('other', '<x>1</x>')
    * match other == <x>1</x>
    * match karate.xmlPath(xml, '/a/b/c') == '2'

  Scenario: write
    * karate.write('hello', 'corpus.txt')

  Scenario: to absolute paths
    * match karate.toAbsolutePath('called/data.json') contains 'called'
