Feature: match each

  Background:
    * def numbers = [1, 2, 3]
    * def text = 'text'
    * def people = [{ name: 'a', age: 1, tags: ['x'] }, { name: 'b', age: 2, tags: [] }]

  Scenario Outline: holds: each <actual> <op> <expected>
    * match each <actual> <op> <expected>

    Examples:
      | actual         | op            | expected                                                |
      | numbers        | ==            | '#number'                                               |
      | numbers        | ==            | '#? _ > 0'                                              |
      | numbers        | ==            | '#number? _ < 10'                                       |
      | numbers        | !=            | 4                                                       |
      | numbers        | !=            | '#string'                                               |
      | people         | ==            | { name: '#string', age: '#number', tags: '#array' }     |
      | people         | ==            | { name: '#string', age: '#number', tags: '#[]' }        |
      | people         | contains      | { age: '#number' }                                      |
      | people         | contains      | { nope: '#notpresent' }                                 |
      | people         | !contains     | { age: 9 }                                              |
      | people         | contains any  | { name: 'a', age: 2 }                                   |
      | people         | contains only | { tags: '#array', age: '#number', name: '#string' }     |
      | people         | contains deep | { name: '#string' }                                     |
      | people[*].name | ==            | '#string'                                               |
      | people[*].age  | ==            | '#? _ >= 1'                                             |
      | people         | ==            | '#object'                                               |
      | [[1], [2]]     | contains any  | [1, 2]                                                  |

  Scenario Outline: fails: each <actual> <op> <expected>
    * match each <actual> <op> <expected>

    Examples:
      | actual         | op            | expected                                                |
      | numbers        | ==            | '#string'                                               |
      | numbers        | ==            | '#? _ > 1'                                              |
      | numbers        | !=            | 2                                                       |
      | people         | ==            | { name: '#string' }                                     |
      | people         | contains      | { age: 1 }                                              |
      | people         | !contains     | { age: 1 }                                              |
      | people         | contains deep | { tags: ['x'] }                                         |
      | people         | ==            | { name: '#string', age: '#number', tags: '#[] #string' }|
      | []             | ==            | '#number'                                               |
      | text           | ==            | '#string'                                               |
      | { a: 1 }       | ==            | '#number'                                               |

  Scenario: the member is _$ and the root is $
    * def list = [{ first: 1, second: 2 }, { first: 2, second: 4 }]
    * match each list == { first: '#number', second: '#(_$.first * 2)' }
    * match each list contains { second: '#? _ == _$.first * 2' }

  Scenario: an empty list is allowed where configured
    * configure matchEachEmptyAllowed = true
    * def none = []
    * match each none == '#number'
    * match each none contains { a: 1 }
    * match none == '#[] #number'

  Scenario: fails: an empty list
    * def none = []
    * match each none == '#number'

  Scenario: a schema for each
    * def schema = { name: '#string', age: '#? _ > 0', tags: '#array' }
    * match each people == schema
    * match people == '#[2] schema'
    * match people == '#[] schema'
    * match people == '#[_ > 1] schema'
