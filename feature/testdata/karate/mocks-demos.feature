Feature: what the public demos ask, of a mock

  Background:
    * def started = callonce read('called/start-demo-mock.feature')
    * def base = 'http://localhost:' + started.port
    * url base

  Scenario: create, get, put and delete a cat
    Given path 'cats'
    And request { name: 'Billie' }
    When method post
    Then status 200
    And match response == { id: '#string', name: 'Billie' }
    * def id = response.id
    Given path 'cats', id
    And request { id: '#(id)', name: 'Bob' }
    When method put
    Then status 200
    Given path 'cats', id
    When method get
    Then match response == { id: '#(id)', name: 'Bob' }
    Given path 'cats'
    When method get
    Then match response contains { id: '#(id)', name: 'Bob' }
    Given path 'cats', id
    When method delete
    Then status 204
    And match response == ''
    Given path 'cats', id
    When method get
    Then status 404
    And match response == ''

  Scenario: cats with kittens
    * def kitten =
    """
    function(name) { return { name: name, age: 1 } }
    """
    Given path 'cats'
    And request { name: 'Mother', kittens: ['#(kitten("one"))', '#(kitten("two"))'] }
    When method post
    * def id = response.id
    Given path 'cats', id, 'kittens'
    When method get
    Then match response[*].name == ['one', 'two']
    And match each response contains { age: '#? _ > 0' }

  Scenario: a cat in XML
    Given path 'cats'
    And request <cat><name>Jean</name></cat>
    When method post
    Then status 200
    And match response /cat/name == 'Jean'

  Scenario: XML where it is accepted
    Given path 'cats'
    And request { name: 'Zoe' }
    When method post
    * def id = response.id
    Given path 'cats', id
    And header Accept = 'text/xml'
    When method get
    Then match response == <cat><id>#(id)</id><name>Zoe</name></cat>

  Scenario: several cats by a table
    * def create = function(name){ return karate.http(base).path('cats').post({ name: name }).body }
    * table names
      | name   |
      | 'Ann'  |
      | 'Bill' |
    * def made = karate.map(names, function(x){ return create(x.name) })
    * match made[*].name == ['Ann', 'Bill']
    * match each made == { id: '#string', name: '#string' }

  Scenario Outline: greeting for <name>
    Given path 'greeting'
    And param name = <name>
    When method get
    Then match response == { id: '#number', content: <content> }

    Examples:
      | name  | content        |
      | null  | 'Hello World!' |
      | 'B C' | 'Hello B C!'   |
      | ''    | 'Hello !'      |

  Scenario Outline: the body <body> is matched by <matched>
    Given path 'body'
    And request <body>
    When method post
    Then match response.matched == <matched>

    Examples:
      | body             | matched |
      | { foo: 'bar' }   | 'bar'   |
      | { n: 5 }         | 'more'  |
      | { n: 3 }         | 'none'  |
      | {}               | 'none'  |

  Scenario Outline: the header val <val>
    Given path 'headers'
    And header val = '<val>'
    When method get
    Then status <status>

    Examples:
      | val    | status |
      | foo    | 200    |
      | xxbar  | 200    |
      | baz    | 200    |
      | nope   | 404    |

  Scenario Outline: a request of <type>
    Given path 'type'
    And request <body>
    When method post
    Then match response == { type: '<type>', bytes: '#number' }

    Examples:
      | body                          | type   |
      | { a: 1 }                      | map    |
      | [1]                           | list   |
      | 'abc'                         | string |
      | <a/>                          | xml    |
      | karate.readAsBytes('called/rows.csv') | bytes  |

  Scenario: no request at all
    Given path 'type'
    When method post
    Then match response == { type: 'null', bytes: '#ignore' }

  Scenario: a form
    Given path 'type'
    And form field a = 'x y'
    And form field b = ['1', '2']
    When method post
    Then match response == { a: ['x y'], b: ['1', '2'] }

  Scenario: another type where it is accepted
    Given path 'accept'
    And header Accept = 'text/csv'
    When method get
    Then match response == 'a,b'
    And match header Content-Type contains 'text/csv'

  Scenario: nobody takes it
    Given path 'accept'
    When method get
    Then status 404
    And match response == { catchAll: true }

  Scenario Outline: parameters <query>
    Given url base + '/params?<query>'
    When method get
    Then match response.all == <all>
    And match response.exists == <exists>

    Examples:
      | query      | all                     | exists |
      | b=1        | { b: ['1'] }            | false  |
      | a=x+y%2Bz  | { a: ['x y+z'] }        | true   |
      | a=1&a=2    | { a: ['1', '2'] }       | true   |

  Scenario: a status as text
    Given path 'status'
    When method get
    Then status 202

  Scenario: null is no body
    Given path 'null'
    When method get
    Then status 200
    And match response == ''
    And match responseHeaders['content-type'] == '#notpresent'

  Scenario: neither body nor headers
    Given path 'nothing'
    When method get
    Then status 404
    And match response == ''

  Scenario: a list
    Given path 'list'
    When method get
    Then match response == [1, { a: 'b' }, null]

  Scenario: headers of an answer
    Given path 'multi'
    When method get
    Then match responseHeaders contains { 'x-many': ['a', 'b'], 'x-num': ['5'], 'x-all': ['mine'] }
    And match responseCookies.a.value == '1'

  Scenario: headers of every answer
    Given path 'list'
    When method get
    Then match header X-All == 'all'

  Scenario: abort ends with what there is
    Given path 'abort'
    When method get
    Then match response == { before: true }

  Scenario: a failure is 500
    Given path 'fails'
    When method get
    Then status 500
    And match responseType == 'string'
    And match response contains 'match failed'

  Scenario: a delay
    Given path 'delay'
    When method get
    Then match response == { slow: true }
    And assert responseTime >= 15

  Scenario: a mock that calls
    Given path 'call'
    When method get
    Then match response == { got: 7 }

  Scenario: the request as an object
    Given path 'request'
    And param q = 'x'
    And request { a: 1 }
    When method post
    Then match response == { m: 'POST', p: '/request', b: { a: 1 }, q: 'x' }

  Scenario: the request as an object, without a body
    Given path 'request'
    When method get
    Then match response == { m: 'GET', p: '/request', b: null, q: null }

  Scenario Outline: redirected from <path>
    Given path '<path>'
    When method <method>
    Then status 200
    And match response.content == 'Hello World!'

    Examples:
      | path               | method |
      | redirect           | get    |
      | redirects/relative | get    |
      | redirect           | post   |

  Scenario: the location of a redirect
    * configure followRedirects = false
    Given path 'redirect'
    When method get
    Then status 302
    And match header Location == '/greeting'

  Scenario Outline: a file named <filename>
    Given path 'part'
    And multipart file f = <file>
    When method post
    Then match response == { name: 'f', filename: '<filename>', type: '<type>' }

    Examples:
      | file                                                                   | filename | type                     |
      | { read: 'called/rows.csv' }                                            | rows.csv | application/octet-stream |
      | { read: 'called/rows.csv', filename: 'ä ö.csv', contentType: 'text/csv' } | ä ö.csv | text/csv             |
      | { value: { a: 1 }, filename: 'a.json' }                                | a.json   | application/json         |

  Scenario: JSON behind a line feed
    Given path 'linefeed'
    When method get
    Then match response == { success: true }

  Scenario: nothing but white space
    Given path 'spaces'
    When method get
    Then match response == '\n    \n'

  Scenario: JSON that is broken is text
    Given path 'malformed'
    When method get
    Then match responseType == 'string'

  Scenario: a cookie with blanks is sent back
    Given path 'zone'
    When method get
    Given path 'greeting'
    When method get
    * def cookie = karate.prevRequest.headers['Cookie']
    * match cookie contains ['zone=FLE Standard Time']

  Scenario Outline: <body> comes back
    Given path 'echo'
    And request <body>
    When method post
    Then match response == <body>

    Examples:
      | body                      |
      | { a: [1, 'ä', null] }     |
      | <a><b>ä</b></a>           |
      | 'text ä'                  |
      | []                        |

  Scenario: a number comes back as bytes
    Given path 'echo'
    And request 5
    When method post
    Then match responseType == 'binary'

  Scenario Outline: the path <raw>
    Given path 'encoding', '<raw>'
    When method get
    Then match response == { raw: '<raw>' }

    Examples:
      | raw            |
      | a b            |
      | ä              |
      | a%2Fb          |
      | %41            |
      | ~Ill@Formed!   |
      | "<>#{}\|^[]`   |
      | a+b            |
      | a,b            |

  Scenario Outline: a condition by a pattern: <id>
    Given path 'digits', '<id>'
    When method get
    Then status <status>

    Examples:
      | id | status |
      | 12 | 200    |
      | ab | 404    |

  Scenario: a path without a slash
    Given path 'noslash'
    When method get
    Then match response == { noslash: true }

  Scenario: any path by one method
    Given path 'where', 'ever'
    When method patch
    Then match response == { patched: true }

  Scenario: variables by karate.set
    Given path 'set'
    When method get
    Then status 207
    And match response == { a: 1 }

  Scenario: SOAP
    Given path 'soap'
    And request <Envelope><Body><Add><intA>2</intA></Add></Body></Envelope>
    When soap action 'http://tempuri.org/Add'
    Then status 200
    And match /Envelope/Body/AddResponse/AddResult == '5'

  Scenario: GraphQL
    Given text query =
    """
    {
      pokemon(name: "Pikachu") { id attacks { special { name } } }
    }
    """
    And path 'graphql'
    And request { query: '#(query)' }
    When method post
    Then match $.data.pokemon.name == 'Pikachu'
    * def attacks = get[0] response..special
    * match attacks contains { name: 'Thunderbolt', damage: 55 }
    Given path 'graphql'
    And def variables = { name: 'Charmander' }
    And request { query: '#(query)', variables: '#(variables)' }
    When method post
    Then match $.data.pokemon contains { name: 'Charmander' }

  Scenario: a prefix of all paths
    * def other = karate.start({ mock: 'called/mock.feature', pathPrefix: '/pre' })
    Given url 'http://localhost:' + other.port
    And path 'pre', 'number'
    When method get
    Then match response == '5'

  Scenario: a server with TLS
    * configure ssl = true
    * def other = karate.start({ mock: 'called/mock.feature', ssl: true })
    Given url 'https://localhost:' + other.port
    And path 'number'
    When method get
    Then match response == '5'
    * other.stop()

  Scenario: fails: a mock that there is not
    * karate.start('called/nowhere.feature')
