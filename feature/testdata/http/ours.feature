Feature: what rove has beyond Karate 1.5

Background:
* url base

Scenario: brotli
* path 'compressed/br'
* method get
* match response == { compressed: 'br' }

Scenario: the charset of an answer counts
* path 'latin1'
* method get
* match response == 'grüße'

Scenario Outline: auth: <type>
* configure auth = <auth>
* path '<path>'
* method get
* status 200
* match response.user == 'ann'
Examples:
| type   | path   | auth                                                                                                    |
| basic  | basic  | { type: 'basic', username: 'ann', password: 'secret' }                                                  |
| bearer | bearer | { type: 'bearer', token: 'token-1' }                                                                    |
| oauth2 | bearer | ({ type: 'oauth2', accessTokenUrl: base + '/token', clientId: 'client', clientSecret: 'hush' })         |

Scenario: a web socket
* def socket = karate.webSocket(base.replace('http', 'ws') + '/socket')
* socket.send('hello')
* def answer = socket.listen(5000)
* match answer == 'echo: hello'
* socket.close()

Scenario: a web socket with a handler
* def seen = []
* def handler = function(m){ seen.push(m); return seen.length == 3 }
* def socket = karate.webSocket(base.replace('http', 'ws') + '/socket', handler)
* socket.send('many')
* def last = socket.listen(5000)
* match seen == '#[3]'
* match last == 'echo: many'

Scenario: listen takes what a handler of a web socket takes
* def handler = function(m){ return m.startsWith('echo') }
* def socket = karate.webSocket(base.replace('http', 'ws') + '/socket', handler)
* socket.send('Billie')
* listen 5000
* match listenResult == 'echo: Billie'
* def handler = function(m){ return m.contains('Bob') }
* socket.setTextHandler(handler)
* socket.send('Bob')
* listen 5000
* match listenResult == 'echo: Bob'

Scenario: a handler of a web socket that signals
* def socket = karate.webSocket(base.replace('http', 'ws') + '/socket', function(m){ karate.signal({ got: m }) })
* socket.send('x')
* listen 5000
* match listenResult == { got: 'echo: x' }

Scenario: server-sent events
* def events = karate.eventSource(base + '/events')
* match events.listen(5000) == { event: 'tick', data: '{"n":0}', id: '0' }
* def two = events.listen(5000, function(e){ return JSON.parse(e.data).n == 2 })
* match two.id == '2'
* match events.listen(5000) == null
* events.close()

Scenario: server-sent events by listen
* karate.eventSource(base + '/events', function(e){ return e.id == '1' }, { headers: { 'X-Who': 'ann' } })
* listen 5000
* match listenResult.data == '{"n":1}'

Scenario: parts without names, where the type says that they need none
* path 'echo'
* header Content-Type = 'multipart/related'
* multipart entity { a: 1 }
* multipart entity 'text'
* method post
* match response.headers['content-type'][0] contains 'multipart/related'
* match response.parts[*].text == ['{"a":1}', 'text']

Scenario: an address that is configured
* url ''
* configure url = base
* path 'echo'
* method get
* match response.path == '/echo'
