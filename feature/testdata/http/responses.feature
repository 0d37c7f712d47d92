Feature: responses as features read them

Background:
* url base

Scenario Outline: <path> is <kind>
* path '<path>'
* method get
* status 200
* match responseType == '<kind>'
* match karate.typeOf(response) == '<type>'

Examples:
| path     | kind   | type   |
| xml      | xml    | xml    |
| text     | string | string |
| html     | string | string |
| bytes    | binary | bytes  |
| untyped  | json   | map    |
| texted   | json   | map    |
| array    | json   | list   |
| badjson  | string | string |
| badxml   | string | string |
| empty    | string | string |
| null     | string | string |
| number   | string | string |
| problem  | json   | map    |
| csv      | string | string |
| unicode  | json   | map    |

Scenario: what a response sets
* path 'dates'
* method get
* status 200
* match responseStatus == 200
* match response == { created: '#regex \\d{4}-\\d{2}-\\d{2}', time: '#string', uuid: '#uuid' }
* match responseTime == '#number'
* match requestTimeStamp == '#number'
* match responseBytes == '#notnull'
* match responseHeaders['Content-Type'][0] == 'application/json'
* match header Content-Type == 'application/json'
* match header content-type contains 'json'
* assert responseTime < 30000

Scenario: JsonPath and XPath on the response
* path 'nested'
* method get
* match $.a.b[*].c == [1, 2]
* match $..d == ['x', 'y']
* match response.a.b[1].d == 'y'
* match response == { a: '#object', e: null, f: '#[0]', g: {} }
* match each response.a.b == { c: '#number', d: '#string' }
* path 'xml'
* method get
* match /cat/name == 'Billie'
* match /cat/@id == '7'
* match //kitten == ['Bob', 'Wild']
* match response /cat/kittens/kitten[2] == 'Wild'

Scenario: big numbers stay what they are
* path 'bigint'
* method get
* match response.price == 1.1
* string text = response
* match text contains '12345678901234567890'

Scenario: names of headers in small letters
* configure lowerCaseResponseHeaders = true
* path 'dates'
* method get
* match responseHeaders['content-type'][0] == 'application/json'

Scenario Outline: <how> is decoded
* path 'compressed', '<how>'
* method get
* status 200
* match response == { compressed: '<how>' }
Examples:
| how     |
| gzip    |
| deflate |

Scenario: cookies are carried on
* path 'cookies/set'
* param a = 'one'
* method get
* match responseCookies.a.value == 'one'
* path 'echo'
* method get
* match response.cookies == { a: 'one' }
* path 'cookies/set'
* param b = 'two'
* method get
* path 'echo'
* method get
* match response.cookies == { a: 'one', b: 'two' }

Scenario: and are not where they are switched off
* path 'cookies/set'
* param a = 'one'
* method get
* configure cookies = null
* path 'echo'
* method get
* match response.cookies == {}

Scenario: configured cookies
* configure cookies = { k: 'v' }
* path 'echo'
* method get
* match response.cookies == { k: 'v' }

Scenario: redirects are followed, with their cookies
* path 'redirect/2'
* method get
* status 200
* match response.path == '/echo'
* match response.cookies == { hop1: 'yes', hop2: 'yes' }

Scenario: a post becomes a get
* path 'redirect/1'
* request { a: 1 }
* method post
* status 200
* match response.method == 'GET'

Scenario: redirects are not followed where they are not wanted
* configure followRedirects = false
* path 'redirect/1'
* method get
* status 302
* match header Location == '/echo'

Scenario: retry until
* configure retry = { count: 5, interval: 10 }
* path 'counter', 'responses'
* retry until response.count > 2
* method get
* match response == { count: 3 }

Scenario: the request before
* path 'echo'
* request { a: 1 }
* method post
* match karate.prevRequest.method == 'POST'
* match karate.prevRequest.url == base + '/echo'
* match karate.prevRequest.headers['Content-Type'][0] contains 'json'

Scenario: a user's life
* path 'users'
* request { name: 'Ann' }
* method post
* status 201
* def id = response.id
* path 'users', id
* method get
* status 200
* match response == { id: '#(id)', name: 'Ann' }
* path 'users', id
* request { name: 'Bob' }
* method put
* match response.name == 'Bob'
* path 'users', id
* method delete
* status 204
* path 'users', id
* method get
* status 404

Scenario: a called feature has its own request, and shares cookies where the call is shared
* call read('login.feature')
* path 'echo'
* method get
* match response.cookies == { session: 'ann' }
* match token == 'ann'

Scenario: and does not where it is not
* def result = call read('login.feature')
* path 'echo'
* method get
* match response.cookies == {}
* match result.token == 'ann'

Scenario: karate.http
* def r = karate.http(base).path('echo').param('a', 'b').header('X-One', 'v1').post({ c: 1 })
* match r.status == 200
* match r.body.params == { a: ['b'] }
* match r.body.json == { c: 1 }
* match r.header('content-type') == 'application/json'

Scenario: basic auth by hand
* path 'basic'
* header Authorization = 'Basic YW5uOnNlY3JldA=='
* method get
* status 200
* match response == { user: 'ann' }
