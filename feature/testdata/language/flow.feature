Feature: flow

Scenario: abort ends a scenario that passes
* def x = 1
* karate.abort()
* match x == 2

Scenario: abort in a condition
* def x = 1
* if (x == 1) karate.abort()
* match x == 2

Scenario: environment
* match karate.env == '#ignore'
* match karate.properties['no.such'] == null
* match karate.info.scenarioName == 'environment'
* match karate.info.featureFileName == 'flow.feature'
* match karate.scenario.name == 'environment'
* match karate.feature.name == 'flow'

@smoke @num=1,2
Scenario: tags
* match karate.tags contains 'smoke'
* match karate.tagValues.num == ['1', '2']

Scenario: name has ${1 + 1}
* match karate.info.scenarioName == 'name has 2'

Scenario: hooks
* configure afterScenario = function(){ karate.log('after', karate.info.scenarioName) }
* def x = 1

Scenario: get
* def a = { b: 1 }
* match karate.get('a.b') == 1
* match karate.get('nothing') == null
* match karate.get('nothing', 5) == 5
* karate.set('z', { y: 1 })
* match z == { y: 1 }
* karate.set('z', '$.y', 2)
* match z.y == 2
* karate.remove('z', '$.y')
* match z == {}

Scenario: reading
* def json = read('data.json')
* match json == { a: 1, who: 'config' }
* def text = karate.readAsString('data.json')
* match text contains '"#('
* match read('rows.csv') == [{ name: 'x', n: '1' }, { name: 'y', n: '2' }]
* def y = read('data.yaml')
* match y == { list: [1, 2] }
* def x = read('data.xml')
* match x/a/b == 'c'
* def t = read('data.txt')
* match t contains 'plain'

Scenario: lists and objects
* match karate.map([1, 2], x => x * 2) == [2, 4]
* match karate.filter([1, 2, 3], x => x > 1) == [2, 3]
* def seen = []
* karate.forEach([1, 2], function(x, i){ karate.appendTo(seen, x + i) })
* match seen == [1, 3]
* match karate.keysOf({ a: 1, b: 2 }) == ['a', 'b']
* match karate.valuesOf({ a: 1, b: 2 }) == [1, 2]
* match karate.sizeOf([1, 2, 3]) == 3
* match karate.merge({ a: 1 }, { b: 2 }) == { a: 1, b: 2 }
* match karate.append([1], 2, [3]) == [1, 2, 3]
* match karate.mapWithKey([1, 2], 'n') == [{ n: 1 }, { n: 2 }]
* match karate.filterKeys({ a: 1, b: 2, c: 3 }, ['a', 'c']) == { a: 1, c: 3 }
* match karate.range(1, 4) == [1, 2, 3, 4]
* match karate.range(5, 1, 2) == [5, 3, 1]
* match karate.repeat(3, i => i) == [0, 1, 2]
* match karate.sort([3, 1, 2]) == [1, 2, 3]
* match karate.sort([{ n: 2 }, { n: 1 }], x => x.n) == [{ n: 1 }, { n: 2 }]
* match karate.distinct([1, 1, 2, 'a', 'a']) == [1, 2, 'a']
* match karate.lowerCase({ Foo: 'BAR' }) == { foo: 'bar' }
* match karate.jsonPath({ a: [{ b: 1 }, { b: 2 }] }, '$.a[*].b') == [1, 2]
* match karate.xmlPath('<a><b>1</b></a>', '/a/b') == '1'
* match karate.extract('abc 123', '([a-z]+) (\\d+)', 2) == '123'
* match karate.extractAll('a1 b2', '[a-z](\\d)', 1) == ['1', '2']
* match karate.typeOf([]) == 'list'
* match karate.typeOf({}) == 'map'
* match karate.typeOf('') == 'string'
* match karate.typeOf(1) == 'number'
* match karate.typeOf(true) == 'boolean'
* match karate.typeOf(null) == 'null'
* match karate.typeOf(function(){}) == 'js_function'
* match karate.toString({ a: 1 }) == '{"a":1}'
* match karate.toJson({ a: null, b: 1 }, true) == { b: 1 }
* match karate.fromString('{ a: 1 }') == { a: 1 }
* match karate.urlEncode('a b&c') == 'a+b%26c'
* match karate.urlDecode('a+b%26c') == 'a b&c'
* match karate.toCsv([{ a: 1, b: 2 }]) contains 'a,b'
* match karate.pretty({ a: 1 }) contains '"a": 1'

Scenario: the wrong way round is caught
* def caught = null
* eval try { karate.call('no-such.feature') } catch (e) { karate.set('caught', e.message) }
* match caught contains 'no-such.feature'
