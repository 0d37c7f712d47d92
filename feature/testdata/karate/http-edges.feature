Feature: HTTP keywords with values that are not the usual ones

  Background:
    * url karate.properties['corpus.url']
    * def list = ['l1', 'l2']
    * def none = null
    * def verb = 'put'
    * def rare = 'propfind'

  Scenario Outline: path <value>
    Given path 'echo'
    And path <value>
    When method get
    Then match response.path == <path>

    Examples:
      | value                | path                   |
      | list                 | '/echo/l1/l2'          |
      | [1]                  | '/echo/1'              |
      | 'x', list            | '/echo/x/["l1","l2"]'  |
      | none                 | '/echo'                |
      | 'a', null, 'b'       | '/echo/a/b'            |
      | 1, 2.5, true         | '/echo/1/2.5/true'     |
      | "a,b"                | '/echo/a,b'            |
      | '/a/'                | '/echo/a'              |
      | 'a//b'               | '/echo/a/b'            |
      | 'a b', 'ä'           | '/echo/a b/ä'          |
      | 'a?b=c'              | '/echo/a?b=c'          |
      | 'a#b'                | '/echo/a#b'            |

  Scenario: fails: a list that is written down is one segment
    Given path 'echo'
    And path ['a', 'b']
    When method get
    Then match response.path == '/echo/a/b'

  Scenario: fails: path of what is not defined
    Given path nope

  Scenario Outline: param <value>
    Given path 'echo'
    And param q = <value>
    When method get
    Then match response.query == <query>

    Examples:
      | value             | query               |
      | null              | {}                  |
      | list              | { q: ['l1', 'l2'] } |
      | ''                | { q: [''] }         |
      | true              | { q: ['true'] }     |
      | 5.0               | { q: ['5'] }        |
      | 'ä ö&b=c'         | { q: ['ä ö&b=c'] }  |
      | []                | {}                  |

  Scenario Outline: params <value>
    Given path 'echo'
    And params <value>
    When method get
    Then match response.query == <query>

    Examples:
      | value                     | query                       |
      | null                      | {}                          |
      | 'text'                    | {}                          |
      | [1]                       | {}                          |
      | { a: null, b: '' }        | { b: [''] }                 |
      | { a: [null, 1] }          | { a: ['1'] }                |
      | { a: [] }                 | {}                          |
      | { 'a b': 1, n: 1.5 }      | { 'a b': ['1'], n: ['1.5'] }|

  Scenario: a parameter that is set again
    Given path 'echo'
    And param q = 1
    And params { q: 2, r: 3 }
    When method get
    Then match response.query == { q: ['2'], r: ['3'] }

  Scenario Outline: headers <value>
    Given path 'echo'
    And headers <value>
    When method get
    Then match response.headers['X-A'] == <sent>

    Examples:
      | value                      | sent         |
      | null                       | '#notpresent'|
      | 'text'                     | '#notpresent'|
      | [1]                        | '#notpresent'|
      | { 'X-A': null }            | '#notpresent'|
      | { 'X-A': '' }              | ['']         |
      | { 'X-A': [1, 2] }          | ['1', '2']   |

  Scenario Outline: configure headers = <value>
    * configure headers = <value>
    Given path 'echo'
    When method get
    Then match response.headers['X-A'] == <sent>

    Examples:
      | value                                  | sent          |
      | 'text'                                 | '#notpresent' |
      | null                                   | '#notpresent' |
      | function(){ return null }              | '#notpresent' |
      | { 'X-A': ['1', '2'] }                  | ['1', '2']    |
      | { 'X-A': 1, 'X-B': null }              | ['1']         |

  Scenario: fails: headers by a function that throws
    * configure headers = function(){ throw 'oops' }
    Given path 'echo'
    When method get

  Scenario Outline: cookie <value>
    Given path 'echo'
    And cookie c = <value>
    When method get
    Then match response.cookies == <sent>

    Examples:
      | value                         | sent            |
      | 5                             | {}              |
      | true                          | {}              |
      | null                          | {}              |
      | ['a']                         | {}              |
      | { value: 'v', path: '/' }     | { c: 'v' }      |
      | ''                            | { c: '' }       |
      | 'a b'                         | { c: 'a b' }    |

  Scenario: fails: a cookie without a value
    Given path 'echo'
    And cookie c = { a: 1 }

  Scenario Outline: cookies <value>
    Given path 'echo'
    And cookies <value>
    When method get
    Then match response.cookies == <sent>

    Examples:
      | value                              | sent                 |
      | null                               | {}                   |
      | 'text'                             | {}                   |
      | []                                 | {}                   |
      | { a: 1 }                           | {}                   |
      | { a: null }                        | {}                   |
      | [{ name: 'a', value: 'b' }]        | { a: 'b' }           |
      | { a: '1', b: { value: '2' } }      | { a: '1', b: '2' }   |

  Scenario: configured cookies as a list
    * configure cookies = [{ name: 'a', value: 'b' }]
    Given path 'echo'
    When method get
    Then match response.cookies == { a: 'b' }

  Scenario Outline: <method> with the form field <value>
    Given path 'echo'
    And form field f = <value>
    When method <method>
    Then match response.query == <query>
    And match response.form == <form>

    Examples:
      | method | value      | query         | form               |
      | get    | ['a', 'b'] | { f: ['b'] }  | '#notpresent'      |
      | get    | null       | {}            | '#notpresent'      |
      | get    | 5          | { f: ['5'] }  | '#notpresent'      |
      | post   | ['a', 'b'] | {}            | { f: ['a', 'b'] }  |
      | post   | null       | {}            | {}                 |
      | post   | []         | {}            | {}                 |
      | put    | true       | {}            | { f: ['true'] }    |

  Scenario Outline: form fields <value>
    Given path 'echo'
    And form fields <value>
    When method post
    Then match response.form == <form>

    Examples:
      | value                     | form                           |
      | null                      | '#notpresent'                  |
      | 'text'                    | '#notpresent'                  |
      | ['a']                     | '#notpresent'                  |
      | { a: null }               | {}                             |
      | { a: ['x', 'y'], b: 1 }   | { a: ['x', 'y'], b: ['1'] }    |

  Scenario: a body is sent instead of a form
    Given path 'echo'
    And form field f = 1
    And multipart field g = 2
    And request 'body'
    When method post
    Then match response.body == 'body'

  Scenario Outline: multipart file <value>
    Given path 'echo'
    And multipart file f = <value>
    When method post
    Then match response.form == <form>
    And match response.files == <files>

    Examples:
      | value                                  | form            | files          |
      | null                                   | '#notpresent'   | '#notpresent'  |
      | 'text'                                 | { f: ['text'] } | {}             |
      | 5                                      | { f: ['5'] }    | {}             |
      | { filename: 'f' }                      | {}              | { f: 'f' }     |
      | { value: 'x', filename: 'ü.txt' }      | {}              | { f: 'ü.txt' } |
      | { value: { a: 1 }, filename: 'a.json' }| {}              | { f: 'a.json' }|

  Scenario Outline: multipart field <value>
    Given path 'echo'
    And multipart field f = <value>
    When method post
    Then match response.form == <form>

    Examples:
      | value                                | form                                               |
      | null                                 | { f: [''] }                                        |
      | true                                 | { f: ['true'] }                                    |
      | { value: 'x', filename: 'f.txt' }    | { f: ['{"value":"x","filename":"f.txt"}'] }        |
      | { a: 1 }                             | { f: ['{"a":1}'] }                                 |

  Scenario Outline: multipart <word> <value>
    Given path 'echo'
    And multipart <word> <value>
    When method post
    Then match response.form == <form>

    Examples:
      | word   | value                                            | form           |
      | files  | null                                             | '#notpresent'  |
      | fields | null                                             | '#notpresent'  |
      | files  | 5                                                | '#notpresent'  |
      | fields | 'text'                                           | '#notpresent'  |
      | files  | { a: null }                                      | '#notpresent'  |
      | files  | { a: 'x', b: { value: 'y', filename: 'b.txt' } } | { a: ['x'] }   |
      | fields | [{ name: 'a', value: 'x' }]                      | { a: ['x'] }   |
      | fields | { a: 5 }                                         | { a: ['5'] }   |

  Scenario: fails: multipart files without a name
    Given path 'echo'
    And multipart files [{ value: 'x' }]

  Scenario: fails: a list as a multipart field among several
    Given path 'echo'
    And multipart fields { a: ['x', 'y'] }

  Scenario: fails: multipart entity, which is a part of a form without a name
    Given path 'echo'
    And multipart entity { a: 1 }
    When method post

  Scenario: parts are not sent by get
    Given path 'echo'
    And multipart field a = 'x'
    When method get
    Then match response.body == ''

  Scenario Outline: method <word>
    Given path 'echo'
    When method <word>
    Then match response.method == <method>

    Examples:
      | word    | method     |
      | verb    | 'PUT'      |
      | rare    | 'PROPFIND' |
      | none    | 'GET'      |
      | get now | 'GET'      |
      | Get     | 'GET'      |

  Scenario: fails: a method that there is not
    Given path 'echo'
    When method FOO

  Scenario: fails: a method in quotes
    Given path 'echo'
    When method 'get'

  Scenario: a status with a remark
    Given path 'echo'
    When method get
    Then status 200 or so

  Scenario: fails: a status by a variable
    * def code = 200
    Given path 'echo'
    When method get
    Then status code

  Scenario: fails: a status in quotes
    Given path 'echo'
    When method get
    Then status '200'

  Scenario: fails: until something that is not true or false
    * configure retry = { count: 2, interval: 5 }
    Given path 'echo'
    And retry until response.path
    When method get

  Scenario: until a match holds
    * configure retry = { count: 2, interval: 5 }
    Given path 'echo'
    And retry until karate.match(response, { method: 'GET' }).pass || response.method == 'GET'
    When method get
    Then status 200

  Scenario Outline: soap action <action>
    Given path 'echo'
    And request <a/>
    When soap action <action>
    Then match response.headers['Soapaction'] == <sent>
    And match response.headers['Content-Type'][0] contains 'text/xml'

    Examples:
      | action  | sent      |
      |         | ['']      |
      | null    | ['']      |
      | 'urn:x' | ['urn:x'] |
      | verb    | ['put']   |

  Scenario: fails: karate.http: post without a body
    * def r = karate.http(karate.properties['corpus.url'] + '/echo').post()

  Scenario: fails: karate.http: get with one
    * def r = karate.http(karate.properties['corpus.url'] + '/echo').get('x')

  Scenario: karate.http: no body, a path of several, a body by method
    * def base = karate.properties['corpus.url'] + '/echo'
    * def r = karate.http(base).post(null)
    * match r.status == 200
    * def r = karate.http(base).path(['a', 'b']).get()
    * match r.body.path == '/echo/a/b'
    * def r = karate.http(base).body({ a: 1 }).method('put').invoke()
    * match r.body.body == '{"a":1}'

  Scenario: an empty body is one
    Given path 'echo'
    And request ''
    When method post
    Then match response.headers['Content-Length'] == ['0']
    And match response.headers['Transfer-Encoding'] == '#notpresent'

  Scenario Outline: <method> is sent on after <code>
    Given path 'to', '<code>'
    And request { a: 1 }
    When method <method>
    Then status <status>
    And match response contains <seen>

    Examples:
      | method | code | status | seen              |
      | post   | 301  | 200    | { method: 'GET' } |
      | post   | 302  | 200    | { method: 'GET' } |
      | post   | 303  | 200    | { method: 'GET' } |
      | put    | 303  | 200    | { method: 'GET' } |
      | post   | 307  | 200    | { method: 'POST', body: '{"a":1}' } |
      | delete | 308  | 200    | { method: 'DELETE' } |
      | put    | 301  | 301    | ''                |
      | put    | 302  | 302    | ''                |
      | put    | 307  | 307    | ''                |
      | patch  | 308  | 308    | ''                |

  Scenario: a file of nothing is text
    Given path 'empty-zip'
    When method get
    Then match responseType == 'string'
    And match response == ''

  Scenario: the url of a step counts before that of configure
    * configure url = 'http://127.0.0.1:1'
    Given path 'echo'
    When method get
    Then status 200

  Scenario: fails: a charset that there is not
    * configure charset = 'no-such-charset'
    Given path 'echo'

  Scenario: settings that change nothing here
    * configure robot = {}
    * configure retry = 5
    * configure imageComparison = {}
    Given path 'echo'
    When method get
    Then status 200
