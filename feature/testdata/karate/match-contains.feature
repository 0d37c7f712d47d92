Feature: match contains in all its forms

  Scenario Outline: holds: <actual> <op> <expected>
    * def actual = <actual>
    * match actual <op> <expected>

    Examples:
      | actual                                       | op                 | expected                       |
      | 'hello world'                                | contains           | 'world'                        |
      | 'hello'                                      | contains           | ''                             |
      | 'hello'                                      | !contains          | 'bye'                          |
      | [1, 2, 3]                                    | contains           | 2                              |
      | [1, 2, 3]                                    | contains           | [3, 1]                         |
      | [1, 2, 3]                                    | contains           | []                             |
      | [1, 1, 2]                                    | contains           | [1, 1]                         |
      | [1, 2, 3]                                    | contains           | '#number'                      |
      | [1, 2, 3]                                    | !contains          | 4                              |
      | [1, 2, 3]                                    | !contains          | [4, 5]                         |
      | [1, 2, 3]                                    | contains only      | [3, 2, 1]                      |
      | [1, 1, 2]                                    | contains only      | [2, 1, 1]                      |
      | [1, 2, 3]                                    | contains any       | [9, 3]                         |
      | [1, 2, 3]                                    | contains any       | 3                              |
      | ['a', 'b']                                   | contains           | 'a'                            |
      | ['a', 'b']                                   | contains only      | ['b', 'a']                     |
      | [{ a: 1, b: 2 }, { a: 3 }]                   | contains           | { a: 3 }                       |
      | [{ a: 1, b: 2 }, { a: 3 }]                   | contains           | { a: 1, b: '#number' }         |
      | [{ a: 1, b: 2 }, { a: 3 }]                   | contains deep      | { a: 1 }                       |
      | [{ a: 1, b: 2 }, { a: 3 }]                   | contains deep      | [{ b: 2 }]                     |
      | [{ a: 1, b: 2 }]                             | !contains          | { a: 1 }                       |
      | { a: 1, b: 2 }                               | contains           | { a: 1 }                       |
      | { a: 1, b: 2 }                               | contains           | { a: 1, b: '#number' }         |
      | { a: 1, b: 2 }                               | contains           | {}                             |
      | { a: 1, b: 2 }                               | !contains          | { a: 2 }                       |
      | { a: 1, b: 2 }                               | !contains          | { c: 1 }                       |
      | { a: 1, b: 2 }                               | !contains          | {}                             |
      | { a: 1, b: 2 }                               | contains           | { c: '#notpresent' }           |
      | { a: 1, b: 2 }                               | contains           | { c: '##string' }              |
      | { a: 1, b: 2 }                               | contains any       | { a: 1, c: 3 }                 |
      | { a: 1, b: 2 }                               | contains only      | { b: 2, a: 1 }                 |
      | { a: { b: 1, c: 2 }, d: 3 }                  | contains deep      | { a: { b: 1 } }                |
      | { a: [{ b: 1, c: 2 }, { b: 3 }] }            | contains deep      | { a: [{ b: 3 }] }              |
      | { a: { b: { c: 1, d: 2 } } }                 | contains deep      | { a: { b: { d: 2 } } }         |
      | { a: [3, 1, 2] }                             | contains deep      | { a: [1, 2] }                  |
      | { a: [3, 1, 2], b: 1 }                       | contains only deep | { b: 1, a: [1, 2, 3] }         |
      | [[2, 1], [3]]                                | contains only deep | [[3], [1, 2]]                  |

  Scenario Outline: fails: <actual> <op> <expected>
    * def actual = <actual>
    * match actual <op> <expected>

    Examples:
      | actual                                       | op                 | expected                       |
      | 'hello world'                                | contains           | 'moon'                         |
      | 'hello world'                                | !contains          | 'world'                        |
      | [1, 2, 3]                                    | contains           | 4                              |
      | [1, 2, 3]                                    | contains           | [1, 4]                         |
      | [1, 2]                                       | contains           | [1, 2, 3]                      |
      | [1, 2, 3]                                    | !contains          | 2                              |
      | [1, 2, 3]                                    | !contains          | [1, 2]                         |
      | [1, 2, 3]                                    | contains only      | [1, 2]                         |
      | [1, 2, 2]                                    | contains only      | [1, 1, 2]                      |
      | [1, 2, 3]                                    | contains any       | [4, 5]                         |
      | [{ a: 1, b: 2 }]                             | contains           | { a: 1 }                       |
      | [{ a: 1, b: 2 }]                             | contains deep      | { a: 2 }                       |
      | { a: 1, b: 2 }                               | contains           | { a: 2 }                       |
      | { a: 1, b: 2 }                               | contains           | { c: 1 }                       |
      | { a: 1, b: 2 }                               | !contains          | { a: 1 }                       |
      | { a: 1, b: 2 }                               | contains only      | { a: 1 }                       |
      | { a: 1, b: 2 }                               | contains any       | { a: 2, b: 3 }                 |
      | { a: { b: 1, c: 2 } }                        | contains           | { a: { b: 1 } }                |
      | { a: { b: 1, c: 2 } }                        | contains deep      | { a: { b: 2 } }                |
      | { a: [1, 2, 3] }                             | contains only deep | { a: [1, 2] }                  |
      | 1                                            | contains           | 1                              |
      | null                                         | contains           | null                           |
      | 1                                            | contains           | '1'                            |
      | { a: 1 }                                     | contains           | 'a'                            |
      | 'abc'                                        | contains           | ['a']                          |
