Feature: markers

  Scenario Outline: holds: <actual> == <marker>
    * def actual = <actual>
    * match actual == <marker>

    Examples:
      | actual                                 | marker                         |
      | 1                                      | '#ignore'                      |
      | null                                   | '#ignore'                      |
      | null                                   | '#null'                        |
      | 1                                      | '#notnull'                     |
      | 1                                      | '#present'                     |
      | null                                   | '#present'                     |
      | []                                     | '#array'                       |
      | [1]                                    | '#array'                       |
      | {}                                     | '#object'                      |
      | true                                   | '#boolean'                     |
      | 1                                      | '#number'                      |
      | 1.5                                    | '#number'                      |
      | ''                                     | '#string'                      |
      | 'x'                                    | '#string'                      |
      | '5ce14c51-5a9d-4b1a-8b0a-1a2b3c4d5e6f' | '#uuid'                        |
      | 'abc123'                               | '#regex [a-z]+[0-9]+'          |
      | 'a.b'                                  | '#regex a\\.b'                |
      | '2024-01-31'                           | '#regex \\d{4}-\\d{2}-\\d{2}' |
      | 'x'                                    | '#regex x?'                    |
      | 5                                      | '#? _ == 5'                    |
      | 5                                      | '#? _ > 1 && _ < 10'           |
      | 'abc'                                  | '#? _.length == 3'             |
      | 'abc'                                  | '#string? _.length == 3'       |
      | 5                                      | '#number? _ % 5 == 0'          |
      | [1, 2, 3]                              | '#[3]'                         |
      | [1, 2, 3]                              | '#[]'                          |
      | [1, 2, 3]                              | '#[] #number'                  |
      | [1, 2, 3]                              | '#[3] #number'                 |
      | [1, 2, 3]                              | '#[_ > 2]'                     |
      | [1, 2, 3]                              | '#[_ <= 3] #number'            |
      | [1, 2, 3]                              | '#[]? _ < 4'                   |
      | ['a', 'bc']                            | '#[] #string? _.length > 0'    |
      | []                                     | '#[0]'                         |
      | null                                   | '##string'                     |
      | 'x'                                    | '##string'                     |
      | null                                   | '##[3]'                        |
      | [1, 2, 3]                              | '##[3]'                        |
      | null                                   | '##regex a'                    |
      | null                                   | '##number'                     |
      | null                                   | '##null'                       |
      | null                                   | '##uuid'                       |
      | [[1], [2]]                             | '#[] #array'                   |
      | [{ a: 1 }]                             | '#[1] #object'                 |
      | '#hash'                                | '#hash'                        |
      | { a: 1 }                               | { a: '#number' }               |
      | { a: 1 }                               | { a: '#number', b: '##string' }|
      | { a: 1 }                               | { a: 1, b: '#notpresent' }     |
      | { a: 1 }                               | { a: 1, b: '#ignore' }         |
      | { a: null }                            | { a: '##string' }              |
      | { a: null }                            | { a: '#null' }                 |
      | { a: null }                            | { a: '#present' }              |
      | { a: [1, 2] }                          | { a: '#[2] #number' }          |
      | { a: { b: 'x' } }                      | { a: { b: '#string' } }        |
      | { a: { b: 'x' } }                      | { a: '#object' }               |

  Scenario Outline: fails: <actual> == <marker>
    * def actual = <actual>
    * match actual == <marker>

    Examples:
      | actual                                 | marker                         |
      | 1                                      | '#null'                        |
      | null                                   | '#notnull'                     |
      | {}                                     | '#array'                       |
      | []                                     | '#object'                      |
      | 'true'                                 | '#boolean'                     |
      | '1'                                    | '#number'                      |
      | 1                                      | '#string'                      |
      | null                                   | '#string'                      |
      | 'not one'                              | '#uuid'                        |
      | 1                                      | '#uuid'                        |
      | 'abc'                                  | '#regex [0-9]+'                |
      | 'abc'                                  | '#regex ab'                    |
      | 1                                      | '#regex 1'                     |
      | 5                                      | '#? _ > 5'                     |
      | 'abc'                                  | '#string? _.length == 4'       |
      | 'abc'                                  | '#number? _.length == 3'       |
      | [1, 2, 3]                              | '#[2]'                         |
      | [1, 2, 3]                              | '#[] #string'                  |
      | [1, 2, 3]                              | '#[_ > 3]'                     |
      | [1, 2, 3]                              | '#[]? _ < 3'                   |
      | 'abc'                                  | '#[3]'                         |
      | []                                     | '#[] #number'                  |
      | 1                                      | '##string'                     |
      | {}                                     | '##array'                      |
      | 1                                      | '#notpresent'                  |
      | { a: 1 }                               | { a: '#string' }               |
      | { a: 1 }                               | { a: 1, b: '#string' }         |
      | { a: 1 }                               | { a: 1, b: '#present' }        |
      | { a: 1 }                               | { a: 1, b: '#null' }           |
      | { a: 1, b: 2 }                         | { a: 1, b: '#notpresent' }     |
      | { a: 1, b: null }                      | { a: 1, b: '#notpresent' }     |
      | { a: { b: 'x' } }                      | { a: { b: '#number' } }        |
      | '#hash'                                | '#other'                       |

  Scenario: paths that lead nowhere
    * def foo = { a: { b: null } }
    * match foo.x == '#notpresent'
    * match foo.a.b == '#present'
    * match foo.a.b == '#null'
    * match foo.a.x == '##string'
    * match foo.x.y.z == '#notpresent'
    * match foo contains { x: '#notpresent' }

  Scenario: fails: a path that leads nowhere is not null
    * def foo = { a: 1 }
    * match foo.x == '#null'

  Scenario: fails: a path that leads nowhere equals nothing
    * def foo = { a: 1 }
    * match foo.x == null

  Scenario: fails: what is there is not absent
    * def foo = { a: 1 }
    * match foo.a == '#notpresent'

  Scenario: an array of its own size
    * def list = ['a', 'b']
    * match list == '#[_]'
    * match list == '##[_ == 2]'
