Feature: requests as keywords say them

Background:
* url base

Scenario: path segments are encoded one by one
* path 'echo', 'a b', 'c/d', 'ü', 'x%20y', 'q?z', '/lead', 'trail/'
* method get
* status 200
* match response.path == '/echo/a%20b/c/d/%C3%BC/x%2520y/q%3Fz/lead/trail'

Scenario: numbers and variables in a path
* def id = 7
* path 'echo', 'users', id
* method get
* match response.path == '/echo/users/7'

Scenario: the path is forgotten after a request, the url is not
* path 'echo', 'one'
* method get
* path 'echo'
* method get
* match response.path == '/echo'

Scenario: parameters
* path 'echo'
* param a = 'x y+z'
* param list = ['p', 'q']
* param none = null
* param n = 1.5
* param yes = true
* params { z: 1, nothing: null }
* method get
* match response.params == { a: ['x y+z'], list: ['p', 'q'], n: ['1.5'], yes: ['true'], z: ['1'] }

Scenario: parameters join those of the url
* url base + '/echo?y=1'
* param z = 2
* method get
* match response.params == { y: ['1'], z: ['2'] }

Scenario: headers
* path 'echo'
* header X-One = 'v1'
* header X-List = ['a', 'b']
* header X-Number = 5
* headers { X-Three: 'v3', X-None: null }
* method get
* match response.headers['x-one'] == ['v1']
* match response.headers['x-list'] == ['a', 'b']
* match response.headers['x-number'] == ['5']
* match response.headers['x-three'] == ['v3']
* match response.headers['x-none'] == '#notpresent'

Scenario: headers are forgotten after a request
* path 'echo'
* header X-One = 'v1'
* method get
* path 'echo'
* method get
* match response.headers['x-one'] == '#notpresent'

Scenario: configured headers come with every request, and go before those of a step
* configure headers = { X-All: 'always', X-Other: 'configured' }
* path 'echo'
* header X-Other = 'step'
* method get
* match response.headers['x-all'] == ['always']
* match response.headers['x-other'] == ['configured']
* path 'echo'
* method get
* match response.headers['x-all'] == ['always']

Scenario: a function gives headers anew each time
* def count = { n: 0 }
* configure headers = function(){ count.n++; return { 'X-Count': count.n + '' } }
* path 'echo'
* method get
* match response.headers['x-count'] == ['1']
* path 'echo'
* method get
* match response.headers['x-count'] == ['2']

Scenario: cookies of steps
* path 'echo'
* cookie a = 'one'
* cookie b = { value: 'two', path: '/' }
* cookies { c: 'three', d: { value: 'four' } }
* method get
* match response.cookies == { a: 'one', b: 'two', c: 'three', d: 'four' }

Scenario: forms
* path 'echo'
* form field a = 'x y'
* form field b = ['1', '2']
* form fields { c: 5, d: null }
* method post
* match response.body == 'a=x+y&b=1&b=2&c=5'
* match response.headers['content-type'] == ['application/x-www-form-urlencoded']

Scenario: form fields of a get are parameters
* path 'echo'
* form field a = 'x'
* method get
* match response.params == { a: ['x'] }

Scenario Outline: bodies and their types: <type>
* path 'echo'
* request <body>
* method post
* match response.body == <sent>
* match response.headers['content-type'] == ['<type>']

Examples:
| body                   | sent                  | type                            |
| { a: 1, b: 'ü' }       | '{"a":1,"b":"ü"}'     | application/json; charset=UTF-8 |
| [1, 'two', null]       | '[1,"two",null]'      | application/json; charset=UTF-8 |
| <a>b</a>               | '<a>b</a>'            | application/xml; charset=UTF-8  |
| 'plain'                | 'plain'               | text/plain; charset=UTF-8       |
| '<a>text</a>'          | '<a>text</a>'         | text/plain; charset=UTF-8       |

Scenario: expressions within a body
* def name = 'Ann'
* def age = 40
* path 'echo'
* request { name: '#(name)', age: '#(age)', next: '#(age + 1)', gone: '##(null)' }
* method post
* match response.json == { name: 'Ann', age: 40, next: 41 }

Scenario: a body from a doc string
* path 'echo'
* request
"""
{
  name: 'Ann',
  tags: ['a', 'b']
}
"""
* method put
* match response.json == { name: 'Ann', tags: ['a', 'b'] }

Scenario: a type of one's own gets the charset
* path 'echo'
* header Content-Type = 'application/vnd.api+json'
* request { a: 1 }
* method patch
* match response.headers['content-type'] == ['application/vnd.api+json; charset=UTF-8']

Scenario: no charset where none is wanted
* configure charset = null
* path 'echo'
* request { a: 1 }
* method post
* match response.headers['content-type'] == ['application/json']

Scenario: nothing is no body, an empty text is one
* path 'echo'
* request null
* method post
* match response.headers['content-type'] == '#notpresent'
* path 'echo'
* request ''
* method post
* match response.size == 0

Scenario: a method in a variable, and one of the server's own
* def verb = 'delete'
* path 'echo'
* method verb
* match response.method == 'DELETE'
* path 'echo'
* request {}
* method options
* match response.method == 'OPTIONS'

Scenario: multipart
* path 'echo'
* multipart file doc = { value: 'hello', filename: 'tëst.txt', contentType: 'text/plain' }
* multipart field note = 'mm'
* multipart field json = { a: 1 }
* method post
* match response.parts contains { name: 'doc', filename: 'tëst.txt', type: 'text/plain; charset=UTF-8', text: 'hello', size: 5 }
* match response.parts contains { name: 'note', filename: '', type: '#string', text: 'mm', size: 2 }
* match response.parts contains { name: 'json', filename: '', type: 'application/json; charset=UTF-8', text: '{"a":1}', size: 7 }

Scenario: a file, and several
* path 'echo'
* multipart file one = { read: 'cat.json', filename: 'cat.json', contentType: 'application/json' }
* multipart files { two: { read: 'cat.json', filename: 'two.json' } }
* multipart fields { a: 'x', b: 'y' }
* method post
* match response.parts[*].name contains only ['one', 'two', 'a', 'b']
* match response.parts[0].text contains 'Billie'

Scenario: GraphQL
* text query =
"""
query Pets($id: ID!) {
  pet(id: $id) { name }
}
"""
* path 'graphql'
* request { query: '#(query)', variables: { id: 7 } }
* method post
* status 200
* match response.data.variables == { id: 7 }

Scenario: SOAP
* path 'soap'
* request <x>1</x>
* soap action 'Do.It'
* status 200
* match response /Envelope/Body/Did/@action == 'Do.It'
