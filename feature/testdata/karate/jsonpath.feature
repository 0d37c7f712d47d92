Feature: JsonPath

  Background:
    * def doc =
      """
      {
        store: {
          books: [
            { cat: 'ref', author: 'Rees', title: 'Sayings', price: 8.95 },
            { cat: 'fic', author: 'Waugh', title: 'Sword', price: 12.99, isbn: null },
            { cat: 'fic', author: 'Melville', title: 'Moby', price: 8.99, isbn: '0-553', tags: ['a', 'b'] },
            { cat: 'fic', author: 'Tolkien', title: 'Lord', price: 22.99, isbn: '0-395', tags: [] }
          ],
          bike: { color: 'red', price: 19.95 }
        },
        limit: 10,
        nums: [1, 2, 3, 4, 5],
        'a-b': { 'c d': 1 },
        matrix: [[1, 2], [3, 4]]
      }
      """

  Scenario Outline: get doc <path>
    * def found = get doc <path>
    * match found == <value>

    Examples:
      | path                                                    | value                                  |
      | $.limit                                                 | 10                                     |
      | $.store.books[0].title                                  | 'Sayings'                              |
      | $['store']['books'][1]['author']                        | 'Waugh'                                |
      | $.store.books[*].title                                  | ['Sayings', 'Sword', 'Moby', 'Lord']   |
      | $..author                                               | ['Rees', 'Waugh', 'Melville', 'Tolkien'] |
      | $.store..price                                          | [8.95, 12.99, 8.99, 22.99, 19.95]      |
      | $..books[2].title                                       | ['Moby']                               |
      | $..books[-1:].title                                     | ['Lord']                               |
      | $.store.books[-1].title                                 | 'Lord'                                 |
      | $.store.books[0,2].title                                | ['Sayings', 'Moby']                    |
      | $.store.books[:2].title                                 | ['Sayings', 'Sword']                   |
      | $.store.books[1:3].title                                | ['Sword', 'Moby']                      |
      | $.store.books[2:].title                                 | ['Moby', 'Lord']                       |
      | $.nums[1:4]                                             | [2, 3, 4]                              |
      | $.nums[-2:]                                             | [4, 5]                                 |
      | $.nums[?(@ > 3)]                                        | [4, 5]                                 |
      | $.store.books[?(@.isbn)].title                          | ['Sword', 'Moby', 'Lord']              |
      | $.store.books[?(!@.isbn)].title                         | ['Sayings']                            |
      | $.store.books[?(@.price < 10)].title                    | ['Sayings', 'Moby']                    |
      | $.store.books[?(@.price > $.limit)].title               | ['Sword', 'Lord']                      |
      | $.store.books[?(@.cat == 'ref')].author                 | ['Rees']                               |
      | $.store.books[?(@.cat != 'fic')].author                 | ['Rees']                               |
      | $.store.books[?(@.cat == 'fic' && @.price > 10)].title  | ['Sword', 'Lord']                      |
      | $.store.books[?(@.cat == 'ref' \|\| @.price > 20)].title| ['Sayings', 'Lord']                    |
      | $.store.books[?(@.title =~ /S.*/)].title                | ['Sayings', 'Sword']                   |
      | $.store.books[?(@.title =~ /s.*/i)].title               | ['Sayings', 'Sword']                   |
      | $.store.books[?(@.cat in ['ref', 'x'])].title           | ['Sayings']                            |
      | $.store.books[?(@.cat nin ['fic'])].title               | ['Sayings']                            |
      | $.store.books[?(@.tags contains 'a')].title             | ['Moby']                               |
      | $.store.books[?(@.tags size 2)].title                   | ['Moby']                               |
      | $.store.books[?(@.tags empty true)].title               | ['Lord']                               |
      | $.store.books[?(@.isbn == null)].title                  | ['Sword']                              |
      | $.store.books[?(@.nope)].title                          | []                                     |
      | $..nope                                                 | []                                     |
      | $['a-b']['c d']                                         | 1                                      |
      | $.matrix[*][0]                                          | [1, 3]                                 |
      | $.matrix[1][0]                                          | 3                                      |
      | $.store.bike.*                                          | ['red', 19.95]                         |
      | $.nums.length()                                         | 5                                      |
      | $.nums.sum()                                            | 15                                     |
      | $.nums.max()                                            | 5                                      |
      | $.nums.avg()                                            | 3                                      |
      | $..books.length()                                       | 4                                      |
      | $.store.books.length()                                  | 4                                      |
      | $.store.bike['color', 'price']                          | { color: 'red', price: 19.95 }         |

  Scenario: short forms
    * def a = $doc.limit
    * def b = $doc.store.books[0].title
    * def c = $doc..author
    * def d = get doc.nums
    * def e = get[0] doc..title
    * def f = get[1] doc.nums
    * def g = get doc $.store.bike.color
    * match a == 10
    * match b == 'Sayings'
    * match c == '#[4]'
    * match d == [1, 2, 3, 4, 5]
    * match e == 'Sayings'
    * match f == 2
    * match g == 'red'

  Scenario: from the response
    * def response = doc
    * def a = $.limit
    * def b = $..title
    * def c = get[0] $.store.books[?(@.cat == 'fic')].title
    * match a == 10
    * match b == '#[4]'
    * match c == 'Sword'

  Scenario: a path that leads nowhere
    * def a = $doc.nope
    * match a == '#notpresent'

  Scenario: by JavaScript
    * match karate.jsonPath(doc, '$.limit') == 10
    * def refs = karate.jsonPath(doc, "$.store.books[?(@.cat == 'ref')].title")
    * match refs == ['Sayings']
    * def titles = karate.jsonPath(doc, '$..title')
    * match titles == '#[4]'

  Scenario: in match
    * match doc.store.books[*].price == '#[] #number'
    * match doc..isbn contains '0-395'
    * match doc.store.books[?(@.price > 20)] == [{ cat: 'fic', author: 'Tolkien', title: 'Lord', price: 22.99, isbn: '0-395', tags: [] }]

  Scenario: fails: an index outside
    * match doc.nums[9] == 1

  Scenario: fails: a path with a mistake in it
    * def a = get doc $.store.books[?(@.price <]

  Scenario: names with a colon
    * def x = <p:root xmlns:p="http://p" xmlns:q="http://q"><q:item a="1" b="2">text</q:item></p:root>
    * json j = x
    * match j $.p:root..q:item.@ == [{ a: '1', b: '2' }]
    * match each j $..q:item.@ contains { b: '2' }
