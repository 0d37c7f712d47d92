Feature: HTTP

  Background:
    * url karate.properties['corpus.url']

  Scenario: get
    Given path 'echo', 'a b'
    And param q = 'x y'
    And param n = 5
    When method get
    Then status 200
    And match response.method == 'GET'
    And match response.path == '/echo/a b'
    And match response.query == { q: ['x y'], n: ['5'] }
    And match responseStatus == 200
    And match responseType == 'json'
    And match responseTime == '#number'
    And match header Content-Type contains 'application/json'
    And match responseHeaders['Content-Type'][0] contains 'json'

  Scenario: several parameters
    Given path 'echo'
    And params { a: 1, b: ['x', 'y'], c: null }
    When method get
    Then match response.query == { a: ['1'], b: ['x', 'y'] }

  Scenario: headers
    Given path 'echo'
    And header X-One = 'one'
    And headers { X-Two: 'two', X-Three: '3' }
    When method get
    Then match response.headers contains { 'X-One': ['one'], 'X-Two': ['two'], 'X-Three': ['3'] }

  Scenario: configured headers
    * configure headers = { X-Conf: 'c' }
    Given path 'echo'
    When method get
    Then match response.headers['X-Conf'] == ['c']

  Scenario: headers by a function
    * configure headers = function(){ return { 'X-Fn': 'f' + 1 } }
    Given path 'echo'
    When method get
    Then match response.headers['X-Fn'] == ['f1']

  Scenario: post JSON
    Given path 'echo'
    And request { a: 1, b: [true] }
    When method post
    Then status 200
    And match response.body == '{"a":1,"b":[true]}'
    And match response.headers['Content-Type'][0] contains 'application/json'

  Scenario: post XML
    Given path 'echo'
    And request <a><b>1</b></a>
    When method post
    Then match response.body == '<a><b>1</b></a>'
    And match response.headers['Content-Type'][0] contains 'xml'

  Scenario: post text
    Given path 'echo'
    And request 'plain'
    When method post
    Then match response.body == 'plain'

  Scenario: put, patch and delete
    Given path 'echo'
    And request { x: 1 }
    When method put
    Then match response.method == 'PUT'
    Given path 'echo'
    And request { x: 2 }
    When method patch
    Then match response.method == 'PATCH'
    Given path 'echo'
    When method delete
    Then match response.method == 'DELETE'

  Scenario: a form
    Given path 'echo'
    And form field name = 'a b'
    And form fields { x: '1', y: '2' }
    When method post
    Then match response.form == { name: ['a b'], x: ['1'], y: ['2'] }

  Scenario: multipart
    Given path 'echo'
    And multipart field text = 'hello'
    And multipart file doc = { value: 'content', filename: 'a.txt', contentType: 'text/plain' }
    When method post
    Then match response.form == { text: ['hello'] }
    And match response.files == { doc: 'a.txt' }

  Scenario: cookies are carried on
    Given path 'cookie'
    When method get
    Then match responseCookies.seen.value == 'yes'
    Given path 'echo'
    When method get
    Then match response.cookies == { seen: 'yes' }

  Scenario: a cookie of one's own
    Given path 'echo'
    And cookie mine = 'x'
    When method get
    Then match response.cookies == { mine: 'x' }

  Scenario: XML in the answer
    Given path 'xml'
    When method get
    Then match response == <a><b>1</b></a>
    And match response /a/b == '1'
    And match responseType == 'xml'

  Scenario: text in the answer
    Given path 'text'
    When method get
    Then match response == 'plain text'
    And match responseType == 'string'

  Scenario: nothing in the answer
    Given path 'nothing'
    When method get
    Then status 204
    And match response == ''

  Scenario: a status that is wanted
    Given path 'status', 404
    When method get
    Then status 404

  Scenario: redirects
    Given path 'redirect'
    When method get
    Then status 200
    And match response.path == '/echo'

  Scenario: no redirects
    * configure followRedirects = false
    Given path 'redirect'
    When method get
    Then status 302
    And match header Location contains '/echo'

  Scenario: a list in the answer
    Given path 'list'
    When method get
    Then match response == '#[2]'
    And match each response == { id: '#number', n: '#string' }
    And match response[*].id == [1, 2]
    And match $[1].n == 'b'

  Scenario: until
    * configure retry = { count: 5, interval: 10 }
    Given path 'count', java.util.UUID.randomUUID() + ''
    And retry until response.n >= 3
    When method get
    Then match response.n == 3

  Scenario: fails: until never
    * configure retry = { count: 2, interval: 10 }
    Given path 'echo'
    And retry until response.method == 'POST'
    When method get

  Scenario: fails: another status
    Given path 'status', 500
    When method get
    Then status 200

  Scenario: fails: nobody there
    Given url 'http://127.0.0.1:1'
    When method get

  Scenario: fails: no url
    * url null
    * path 'x'
    When method get

  Scenario: fails: a header that is not there
    Given path 'echo'
    When method get
    Then match header X-Nope == 'x'

  Scenario: by JavaScript
    * def r = karate.http(karate.properties['corpus.url'] + '/echo').header('X-J', 'j').get()
    * match r.status == 200
    * def body = r.body
    * match body.headers['X-J'] == ['j']

  Scenario: a number is sent as bytes
    Given path 'echo'
    And request 5
    When method post
    Then match response.headers['Content-Type'] == ['application/octet-stream']
    And match response.body == '5'

  Scenario: the domain of a cookie is as it was set
    Given path 'cookie', 'domain'
    When method get
    Then match responseCookies.far.domain == '.example.test'
