Feature: outlines

@setup
Scenario:
* def data = [{ name: 'a', n: 1 }, { name: 'b', n: 2 }]

@setup=named
Scenario:
* def data = [{ x: 'y' }]

Scenario Outline: plain <name>
* match name == '<name>'
* match __row == { name: '<name>', count: '<count>' }
* match count == '<count>'
* match <count> == __num + 1
* def text = 'has <name>'
* match text == 'has ' + name
Examples:
| name | count |
| one  | 1     |
| two  | 2     |

Scenario Outline: evaluated
* match value == expected
Examples:
| value! | expected!      |
| 1      | 1              |
| 'a'    | 'a'            |
| [1, 2] | [1, 2]         |
| {a: 1} | { "a": 1 }     |
| true   | true           |
| null   | null           |

@one
Scenario Outline: dynamic <name>
* match name == '#string'
* match n == __num + 1
Examples:
| karate.setup().data |

Scenario Outline: dynamic by name
* match x == 'y'
Examples:
| karate.setup('named').data |

Scenario Outline: generated ${n}
* match n == __num
Examples:
| karate.repeat(2, i => ({ n: i })) |

Scenario Outline: from a file
* match name == '#regex [xy]'
Examples:
| read('rows.csv') |

Scenario Outline: several tables
* match v == '#string'
@first
Examples:
| v |
| a |
@second
Examples:
| v |
| b |

Scenario Outline: doc strings and tables
* def json =
"""
{ name: '<name>' }
"""
* match json.name == name
* table t
| k        |
| '<name>' |
* match t[0].k == name
Examples:
| name |
| x    |
