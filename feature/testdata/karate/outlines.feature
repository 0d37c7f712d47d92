Feature: outlines

  Background:
    * def bg = 'bg'

  @setup
  Scenario: data for below
    * def rows = [{ name: 'r1', n: 1, list: [1] }, { name: 'r2', n: 2, list: [] }]
    * def gen = function(i){ return i < 3 ? { i: i } : null }

  Scenario Outline: plain <name> and <n>
    * def text = '<name>x'
    * match text == name + 'x'
    * def n = <n>
    * match n == '#number'
    * match bg == 'bg'
    * match __row == { name: '<name>', n: '<n>' }
    * match __num == <n> - 1

    Examples:
      | name | n |
      | one  | 1 |
      | two  | 2 |

  Scenario Outline: evaluated <a>
    * match a == '#number'
    * match b == { x: 1 }
    * match c == [1, 2]
    * match d == null
    * match e == 'text'

    Examples:
      | a! | b!       | c!     | d!   | e    |
      | 1  | { x: 1 } | [1, 2] | null | text |
      | 2  | {x:1}    | [1,2]  |      | text |

  Scenario Outline: in doc strings and tables <v>
    * def json =
      """
      { "a": "<v>", "b": <n> }
      """
    * match json == { a: '<v>', b: <n> }
    * table t
      | k     |
      | '<v>' |
    * match t == [{ k: '<v>' }]

    Examples:
      | v | n |
      | x | 1 |
      | y | 2 |

  Scenario Outline: several tables <v>
    * match v == '<v>'
    * match __num == <n>

    @first
    Examples: the first
      | v | n |
      | a | 0 |

    @second
    Examples: the second
      | v | n |
      | b | 0 |
      | c | 1 |

  Scenario Outline: from a setup ${name}
    * match name == '#string'
    * match n == __num + 1
    * match list == '#array'
    * match __row.name == name

    Examples:
      | karate.setup().rows |

  Scenario Outline: from a generator
    * match i == __num

    Examples:
      | karate.setup().gen |

  Scenario Outline: from a file <a>
    * match a == '<a>'
    * match b == '#string'

    Examples:
      | read('called/data.csv') |

  Scenario Outline: from a JSON file
    * match k == '#number'

    Examples:
      | read('called/rows.json') |

  Scenario Outline: from an expression
    * match x == '#? _ > 0'

    Examples:
      | [{ x: 1 }, { x: 2 }] |

  Scenario Outline: empty cells
    * match b == null
    * def text = '<b>'
    * match text == ''

    Examples:
      | a | b |
      | 1 |   |

  Scenario Outline: fails: <a> is 1
    * def v = <a>
    * match v == 1

    Examples:
      | a |
      | 2 |
      | 3 |

  Scenario Outline: strings that look like more: <s>
    * match s == '#string'

    Examples:
      | s         |
      | true      |
      | 1.5       |
      | null      |
      | { a: 1 }  |
