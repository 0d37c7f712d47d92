Feature: a mock of cats

Background:
* def cats = {}
* def next = { id: '#(start)' }
* configure cors = true
* configure responseHeaders = { 'X-Mock': 'cats' }

Scenario: pathMatches('/cats') && methodIs('post')
* def cat = request
* cat.id = next.id++
* cats[cat.id + ''] = cat
* def response = cat
* def responseStatus = 201

Scenario: pathMatches('/cats') && paramExists('name')
* def response = karate.filter(karate.valuesOf(cats), function(c){ return c.name == paramValue('name') })

Scenario: pathMatches('/cats')
* def response = karate.valuesOf(cats)

Scenario: pathMatches('/cats/{id}') && methodIs('delete')
* karate.remove('cats', pathParams.id)
* def responseStatus = 204

Scenario: pathMatches('/cats/{id}')
* def response = cats[pathParams.id]
* def responseStatus = response ? 200 : 404

Scenario: pathMatches('/slow')
* def responseDelay = 200
* def response = 'slow'

Scenario: pathMatches('/xml') && typeContains('xml')
* def response = <got>#(bodyPath('/a/b'))</got>

Scenario: pathMatches('/json') && bodyPath('$.a.b') == 'c'
* def responseHeaders = { 'Content-Type': 'application/vnd.x+json', 'X-Two': ['1', '2'] }
* def response = { found: true, base: '#(requestUrlBase)', accept: '#(acceptContains("json"))' }

Scenario: pathMatches('/form')
* def response = { params: '#(requestParams)' }

Scenario: pathMatches('/upload')
* def response = { name: '#(requestParts.doc[0].filename)', text: '#(karate.toString(requestParts.doc[0].value))' }

Scenario: pathMatches('/echo') || pathMatches('/echo/{rest}')
* karate.proceed(backend)
* set response.passed = 'on'

Scenario: pathMatches('/breaks')
* match 1 == 2

Scenario:
* def responseStatus = 404
* def response = { error: 'no such path', path: '#(requestPath)' }
