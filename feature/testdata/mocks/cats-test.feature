Feature: against the mock

Background:
* def server = karate.start({ mock: 'cats.feature', arg: { start: 7, backend: base } })
* url 'http://localhost:' + server.port

Scenario: state, path parameters, headers
* path 'cats'
* request { name: 'Billie' }
* method post
* status 201
* match response == { id: 7, name: 'Billie' }
* match header X-Mock == 'cats'
* path 'cats'
* request { name: 'Wild' }
* method post
* path 'cats', 8
* method get
* match response.name == 'Wild'
* path 'cats'
* param name = 'Billie'
* method get
* match response == [{ id: 7, name: 'Billie' }]
* path 'cats', 7
* method delete
* status 204
* path 'cats', 7
* method get
* status 404
* path 'cats'
* method get
* match response == '#[1]'
* match server.requests[0].path == '/cats'
* server.stop()

Scenario: matchers of bodies and types
* path 'xml'
* request <a><b>c</b></a>
* method post
* match response /got == 'c'
* path 'json'
* header Accept = 'application/json'
* request { a: { b: 'c' } }
* method post
* match response contains { found: true, accept: true }
* match header X-Two == '1'
* match header Content-Type contains 'vnd.x'
* path 'form'
* form field a = ['1', '2']
* method post
* match response.params.a == ['1', '2']
* path 'upload'
* multipart file doc = { value: 'text', filename: 'd.txt', contentType: 'text/plain' }
* method post
* match response == { name: 'd.txt', text: 'text' }

Scenario: delay, a catch-all, a fault
* path 'slow'
* method get
* match response == 'slow'
* assert responseTime >= 200
* path 'nowhere'
* method get
* status 404
* match response == { error: 'no such path', path: '/nowhere' }
* path 'breaks'
* method get
* status 500
* match response contains 'cats.feature'

Scenario: passes on
* path 'echo', 'x'
* param a = 'b'
* request { c: 1 }
* method post
* status 200
* match response.passed == 'on'
* match response.json == { c: 1 }
* match response.params == { a: ['b'] }

Scenario: other origins
* path 'cats'
* header Origin = 'http://other.example'
* header Access-Control-Request-Method = 'POST'
* method options
* status 200
* match header Access-Control-Allow-Origin == '*'

Scenario: over TLS
* def secure = karate.start({ mock: 'cats.feature', ssl: true, arg: { start: 1, backend: base } })
* configure ssl = true
* url 'https://localhost:' + secure.port
* path 'cats'
* method get
* status 200
* match response == []
