Feature: match == and !=

  Scenario Outline: equal: <actual> == <expected>
    * def actual = <actual>
    * match actual == <expected>

    Examples:
      | actual                             | expected                           |
      | 1                                  | 1                                  |
      | 1                                  | 1.0                                |
      | 1.5                                | 1.50                               |
      | -3                                 | -3                                 |
      | 0                                  | 0                                  |
      | 1e3                                | 1000                               |
      | 'a'                                | 'a'                                |
      | "a"                                | 'a'                                |
      | ''                                 | ''                                 |
      | 'it is'                            | "it is"                            |
      | true                               | true                               |
      | false                              | false                              |
      | null                               | null                               |
      | []                                 | []                                 |
      | [1, 2]                             | [1, 2]                             |
      | {}                                 | {}                                 |
      | { a: 1 }                           | { a: 1 }                           |
      | { a: 1, b: 2 }                     | { b: 2, a: 1 }                     |
      | { a: { b: [1, { c: 2 }] } }        | { a: { b: [1, { c: 2 }] } }        |
      | [[1], [2, 3]]                      | [[1], [2, 3]]                      |
      | { a: null }                        | { a: null }                        |
      | (1 + 1)                            | 2                                  |
      | ('a' + 'b')                        | 'ab'                               |
      | ([1, 2].length)                    | 2                                  |
      | ({ a: 1 })                         | { a: 1 }                           |
      | "\u00e9"                           | 'é'                                |
      | 'a\nb'                             | 'a\nb'                             |
      | { 'a b': 1 }                       | { 'a b': 1 }                       |
      | { "a-b": 1 }                       | { 'a-b': 1 }                       |

  Scenario Outline: fails: <actual> == <expected>
    * def actual = <actual>
    * match actual == <expected>

    Examples:
      | actual                       | expected                     |
      | 1                            | 2                            |
      | 1                            | '1'                          |
      | '1'                          | 1                            |
      | 'a'                          | 'A'                          |
      | true                         | false                        |
      | true                         | 'true'                       |
      | null                         | 0                            |
      | null                         | ''                           |
      | 1                            | null                         |
      | []                           | {}                           |
      | {}                           | []                           |
      | [1, 2]                       | [2, 1]                       |
      | [1, 2]                       | [1, 2, 3]                    |
      | [1, 2, 3]                    | [1, 2]                       |
      | { a: 1 }                     | { a: 2 }                     |
      | { a: 1 }                     | { a: 1, b: 2 }               |
      | { a: 1, b: 2 }               | { a: 1 }                     |
      | { a: { b: 1 } }              | { a: { b: 2 } }              |
      | { a: [1, { b: 1 }] }         | { a: [1, { b: 2 }] }         |
      | { a: null }                  | {}                           |
      | {}                           | { a: null }                  |
      | { a: 1, b: 2 }               | { a: 2, b: 3 }               |
      | { 'a b': 1 }                 | { 'a b': 2 }                 |
      | [[1], [2]]                   | [[1], [3]]                   |
      | 'abc'                        | ['a']                        |

  Scenario Outline: not equal: <actual> != <expected>
    * def actual = <actual>
    * match actual != <expected>

    Examples:
      | actual         | expected       |
      | 1              | 2              |
      | 1              | '1'            |
      | 'a'            | 'b'            |
      | null           | 1              |
      | [1]            | [2]            |
      | [1]            | [1, 1]         |
      | { a: 1 }       | { a: 2 }       |
      | { a: 1 }       | {}             |
      | { a: 1 }       | [1]            |
      | true           | false          |
      | 1              | '#string'      |
      | 'a'            | '#number'      |

  Scenario Outline: fails: <actual> != <expected>
    * def actual = <actual>
    * match actual != <expected>

    Examples:
      | actual         | expected       |
      | 1              | 1              |
      | 'a'            | 'a'            |
      | null           | null           |
      | [1, 2]         | [1, 2]         |
      | { a: 1, b: 2 } | { b: 2, a: 1 } |
      | 'a'            | '#string'      |
      | 1              | '#notnull'     |
