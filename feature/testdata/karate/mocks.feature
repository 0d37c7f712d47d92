Feature: mocks, asked over HTTP

  Background:
    * def mock = callonce read('called/start-mock.feature')
    * url 'http://localhost:' + mock.port

  Scenario: names of headers are in small letters
    Given path 'headers'
    And header X-Given = 'one'
    And request { a: 1 }
    When method post
    Then match response['x-given'] == ['one']
    And match response['content-type'] == ['application/json; charset=UTF-8']
    And match response['Content-Type'] == '#notpresent'

  Scenario: a cookie
    Given path 'headers'
    And cookie c = 'v'
    When method get
    Then match response.cookie == ['c=v']

  Scenario: a condition that fails is for none
    Given path 'fails'
    When method get
    Then status 404

  Scenario: a condition that is not true is for none
    Given path 'truthy'
    And param p = 1
    When method get
    Then status 404

  Scenario: the address
    Given path 'about', 'x'
    And param q = 1
    When method put
    Then match response == { path: '/about/x', uri: '/about/x?q=1', method: 'PUT', id: 'x', first: '1', none: true }

  Scenario: the address as it was sent
    Given path 'about', 'a b'
    And params { z: 'x/y z', b: 2, a: ['ä', ''] }
    When method get
    Then match response contains { path: '/about/a b', id: 'a b', uri: '/about/a%20b?z=x%2Fy+z&b=2&a=%C3%A4&a=' }

  Scenario: fields between files are parameters
    Given path 'parts'
    And multipart field f = 'text'
    And multipart field j = { a: 1 }
    And multipart file u = { value: 'hello', filename: 'u.txt' }
    When method post
    Then match response.params == { f: ['text'], j: ['{"a":1}'] }
    And match response.parts == { u: [{ name: 'u', value: '#notnull', contentType: 'text/plain', charset: 'UTF-8', filename: 'u.txt', transferEncoding: '7bit' }] }

  Scenario: a file of a type that is not known
    Given path 'parts'
    And multipart file u = { read: 'called/rows.csv' }
    When method post
    Then match response.parts.u[0] contains { contentType: 'application/octet-stream', transferEncoding: 'binary', filename: 'rows.csv' }

  Scenario: a file whose type is told
    Given path 'parts'
    And multipart file u = { read: 'called/rows.csv', filename: 'r.csv', contentType: 'text/csv' }
    When method post
    Then match response.parts.u[0] contains { contentType: 'text/csv', charset: 'UTF-8', filename: 'r.csv' }

  Scenario: a number is text
    Given path 'number'
    When method get
    Then match response == '5'
    And match responseType == 'string'

  Scenario Outline: <type> is read as <kind>
    Given path 'typed'
    And param type = type
    When method get
    Then match responseType == kind

    Examples:
      | type                  | kind   |
      | application/xml       | xml    |
      | text/xml              | xml    |
      | application/soap+xml  | xml    |
      | text/plain            | string |
      | text/html             | string |
      | application/xhtml+xml | string |
      | image/svg+xml         | string |
      | text/turtle           | string |

  Scenario: JSON is read whatever its type says
    Given path 'json-as-text'
    When method get
    Then match response == { a: 1 }

  Scenario: options of a mock for all origins
    Given path 'anything'
    When method options
    Then status 200
    And match header Access-Control-Allow-Origin == '*'

  Scenario: a path that ends with a slash
    Given path 'about', 'x', ''
    When method get
    Then match response.path == '/about/x/'

  Scenario: headers of a function that sees the request
    * configure headers = function(request){ return { 'x-body': request.bodyAsString } }
    Given path 'headers'
    And request 'some text'
    When method post
    Then match response['x-body'] == ['some text']

  Scenario: UTF-8 that is told to be another charset
    Given path 'echo'
    And header Content-Type = 'application/json; charset=ISO-8859-1'
    And request { name: 'àèé' }
    When method post
    Then match response == { name: 'àèé' }

  Scenario: state stays between requests
    Given path 'count'
    When method get
    Given path 'count'
    When method get
    Then match response.n == '#? _ > 1'

  Scenario: names of headers that it answers are in small letters, too
    Given path 'headers'
    When method get
    Then match responseHeaders['content-type'] == ['application/json']
    And match responseHeaders contains { 'content-type': '#[1] #string' }
    And match header Content-Type == 'application/json'

  Scenario: fails: they are not as they were written
    Given path 'headers'
    When method get
    Then match responseHeaders['Content-Type'] == ['application/json']

  Scenario: a type that is empty
    Given path 'headers'
    And header Content-Type = ''
    And request { a: 1 }
    When method post
    Then match response['content-type'] == ['']

  Scenario: a type by configure headers gets the charset
    * configure headers = function(){ return { 'Content-Type': 'application/vnd.x+json;v=1' } }
    Given path 'headers'
    And request { a: 1 }
    When method post
    Then match response['content-type'] == ['application/vnd.x+json;v=1; charset=UTF-8']

  Scenario: the request as it was
    Given path 'headers'
    And param p = 'q'
    And request { a: 1 }
    When method post
    Then match karate.request.method == 'POST'
    And match karate.request.body == { a: 1 }
    And match karate.request.path == '/headers'
    And match karate.request.param('p') == 'q'
    And match karate.request.header('content-type') contains 'json'
    * def body = karate.prevRequest.body
    * def text = new java.lang.String(body, 'utf-8')
    * match text == '{"a":1}'

  Scenario: a body that changes before it is sent
    * def body = { a: 1 }
    Given path 'headers'
    And request body
    And set body.a = 22
    When method post
    Then match response['content-length'] == ['8']
