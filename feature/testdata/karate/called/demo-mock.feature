@ignore
Feature: a server as the public demos have it: cats with state, greetings, headers, files

  Background:
    * configure responseHeaders = { 'X-All': 'all' }
    * def cats = {}
    * def seq = { n: 0 }
    * def nextId = function(){ seq.n = seq.n + 1; return seq.n + '' }

  Scenario: pathMatches('/cats') && methodIs('post') && typeContains('xml')
    * def cat = request
    * def id = nextId()
    * def name = $cat.cat.name
    * eval cats[id] = { id: id, name: name }
    * def response = cat

  Scenario: pathMatches('/cats') && methodIs('post')
    * def cat = request
    * def id = nextId()
    * set cat.id = id
    * eval cats[id] = cat
    * def response = cat

  Scenario: pathMatches('/cats')
    * def response = $cats.*

  Scenario: pathMatches('/cats/{id}') && methodIs('put')
    * cats[pathParams.id] = request
    * def response = request

  Scenario: pathMatches('/cats/{id}') && methodIs('delete')
    * karate.remove('cats', pathParams.id)
    * def responseStatus = 204

  Scenario: pathMatches('/cats/{id}') && acceptContains('xml')
    * def cat = cats[pathParams.id]
    * def response = <cat><id>#(cat.id)</id><name>#(cat.name)</name></cat>

  Scenario: pathMatches('/cats/{id}')
    * def cat = cats[pathParams.id]
    * def response = cat
    * def responseStatus = cat ? 200 : 404

  Scenario: pathMatches('/cats/{id}/kittens')
    * def response = cats[pathParams.id].kittens

  Scenario: pathMatches('/greeting') && paramValue('name') != null
    * def content = 'Hello ' + paramValue('name') + '!'
    * def response = { id: 1, content: '#(content)' }

  Scenario: pathMatches('/greeting')
    * def response = { id: 2, content: 'Hello World!' }

  Scenario: pathMatches('/body') && bodyPath('$.foo') == 'bar'
    * def response = { matched: 'bar' }

  Scenario: pathMatches('/body') && bodyPath('$.n') > 3
    * def response = { matched: 'more' }

  Scenario: pathMatches('/body')
    * def response = { matched: 'none' }

  Scenario: pathMatches('/headers') && karate.get('requestHeaders.val[0]') == 'foo'
    * def response = { val: 'foo' }

  Scenario: pathMatches('/headers') && headerContains('val', 'bar')
    * def response = { val: 'bar' }

  Scenario: pathMatches('/headers') && karate.request.header('val') == 'baz'
    * def response = { val: 'baz' }

  Scenario: pathMatches('/type') && typeContains('form')
    * def response = requestParams

  Scenario: pathMatches('/type')
    * def response = { type: '#(karate.typeOf(request))', bytes: '#(requestBytes.length)' }

  Scenario: pathMatches('/accept') && acceptContains('csv')
    * def responseHeaders = { 'Content-Type': 'text/csv' }
    * def response = 'a,b'

  Scenario: pathMatches('/params')
    * def response = { all: '#(requestParams)', none: '#(paramValue("a"))', exists: '#(paramExists("a"))' }

  Scenario: pathMatches('/status')
    * def responseStatus = '202'
    * def response = {}

  Scenario: pathMatches('/null')
    * def response = null

  Scenario: pathMatches('/nothing')
    * def responseStatus = 404

  Scenario: pathMatches('/list')
    * def response = [1, { a: 'b' }, null]

  Scenario: pathMatches('/multi')
    * def responseHeaders = { 'X-Many': ['a', 'b'], 'X-Num': 5, 'X-All': 'mine', 'Set-Cookie': 'a=1; Path=/' }
    * def response = {}

  Scenario: pathMatches('/abort')
    * def response = { before: true }
    * karate.abort()
    * def response = { after: true }

  Scenario: pathMatches('/fails')
    * match 1 == 2

  Scenario: pathMatches('/delay')
    * def responseDelay = 20
    * def response = { slow: true }

  Scenario: pathMatches('/call')
    * def result = call read('add.feature') { a: 3, b: 4 }
    * def response = { got: '#(result.sum)' }

  Scenario: pathMatches('/request')
    * def response = { m: '#(karate.request.method)', p: '#(karate.request.path)', b: '#(karate.request.body)', q: '#(karate.request.param("q"))' }

  Scenario: pathMatches('/redirect')
    * def responseStatus = 302
    * def responseHeaders = { Location: '/greeting' }

  Scenario: pathMatches('/redirects/relative')
    * def responseStatus = 302
    * def responseHeaders = { Location: '../greeting' }

  Scenario: pathMatches('/part')
    * def p = requestParts.f[0]
    * def response = { name: '#(p.name)', filename: '#(p.filename)', type: '#(p.contentType)' }

  Scenario: pathMatches('/linefeed')
    * def response = '\n{ "success": true }'

  Scenario: pathMatches('/spaces')
    * def response = '\n    \n'

  Scenario: pathMatches('/malformed')
    * def response = '{ "a": '

  Scenario: pathMatches('/zone')
    * def responseHeaders = { 'Set-Cookie': 'zone=FLE Standard Time' }
    * def response = {}

  Scenario: pathMatches('/echo')
    * def response = request

  Scenario: pathMatches('/encoding/{raw}')
    * def response = { raw: '#(pathParams.raw)' }

  Scenario: pathMatches('/digits/{id}') && /^[0-9]+$/.test(pathParams.id)
    * def response = { digits: true }

  Scenario: pathMatches('noslash')
    * def response = { noslash: true }

  Scenario: methodIs('patch')
    * def response = { patched: true }

  Scenario: pathMatches('/set')
    * karate.set('responseStatus', 207)
    * karate.set('response', { a: 1 })

  Scenario: pathMatches('/soap') && typeContains('xml')
    * def a = bodyPath('/Envelope/Body/Add/intA')
    * def response = <Envelope><Body><AddResponse><AddResult>#(~~a + 3)</AddResult></AddResponse></Body></Envelope>

  Scenario: pathMatches('/graphql')
    * def name = request.variables ? request.variables.name : 'Pikachu'
    * def response = { data: { pokemon: { name: '#(name)', attacks: { special: [{ name: 'Thunderbolt', damage: 55 }] } } } }

  Scenario:
    * def responseStatus = 404
    * def response = { catchAll: true }
