Feature: XML and XPath

  Background:
    * def cat =
      """
      <cat>
        <name lang="en">Billie</name>
        <scores>
          <score>2</score>
          <score>5</score>
        </scores>
        <empty/>
      </cat>
      """

  Scenario Outline: XPath <path>
    * def found = get cat <path>
    * match found == <value>

    Examples:
      | path                                | value                                                    |
      | /cat/name                           | 'Billie'                                                 |
      | /cat/name/@lang                     | 'en'                                                     |
      | /cat/scores/score                   | ['2', '5']                                               |
      | /cat/scores/score[2]                | '5'                                                      |
      | /cat/scores/score[last()]           | '5'                                                      |
      | //score                             | ['2', '5']                                               |
      | /cat/empty                          | ''                                                       |
      | /cat/scores                         | <scores><score>2</score><score>5</score></scores>        |
      | count(/cat/scores/score)            | 2                                                        |
      | //score[. > 3]                      | '5'                                                      |
      | //*[@lang='en']                     | 'Billie'                                                 |
      | /cat/nope                           | '#notpresent'                                            |
      | /cat/scores/score[1]/text()         | '2'                                                      |
      | /cat/name \| /cat/empty             | ['Billie', '']                                           |

  Scenario: short forms
    * def a = $cat/cat/name
    * def b = get cat count(//score)
    * match a == 'Billie'
    * match b == 2
    * match cat.cat.name._ == 'Billie'
    * match cat.cat.scores.score == ['2', '5']

  Scenario: match whole documents
    * match cat == <cat><name lang="en">Billie</name><scores><score>2</score><score>5</score></scores><empty/></cat>
    * match cat == <cat><name lang="#string">#string</name><scores><score>#regex [0-9]</score><score>#ignore</score></scores><empty/></cat>
    * match cat /cat/scores == <scores><score>2</score><score>5</score></scores>
    * match cat != <dog/>

  Scenario: contains
    * match cat //score contains '5'
    * match cat //score contains only ['5', '2']
    * match cat /cat/name contains 'Bill'

  Scenario: embedded expressions
    * def n = 'Wild'
    * def kid = <kid>Bob</kid>
    * def none = null
    * def xml = <a x="#(n)"><b>#(n)</b><c>#(kid)</c><d>##(none)</d></a>
    * match xml == <a x="Wild"><b>Wild</b><c><kid>Bob</kid></c></a>

  Scenario: namespaces are not looked at
    * def soap = <s:Env xmlns:s="http://x"><s:Body><m:Price xmlns:m="http://y">34.5</m:Price></s:Body></s:Env>
    * match soap /Env/Body/Price == '34.5'
    * match soap == <s:Env xmlns:s="http://x"><s:Body><m:Price xmlns:m="http://y">34.5</m:Price></s:Body></s:Env>
    * match soap == <Env><Body><Price>34.5</Price></Body></Env>

  Scenario: CDATA, entities and white space
    * def x = <a><b><![CDATA[1 < 2]]></b><c>x &amp; y</c></a>
    * match x /a/b == '1 < 2'
    * match x /a/c == 'x & y'

  Scenario: by JavaScript
    * match karate.xmlPath(cat, '/cat/name') == 'Billie'
    * match karate.xmlPath(cat, '//score') == ['2', '5']
    * match karate.typeOf(cat) == 'xml'
    * match karate.prettyXml(cat) contains '<score>2</score>'

  Scenario: repeated elements and attributes as JSON
    * json j = cat
    * match j == { cat: { name: { _: 'Billie', '@': { lang: 'en' } }, scores: { score: ['2', '5'] }, empty: null } }

  Scenario: fails: another text
    * match cat /cat/name == 'Wild'

  Scenario: fails: another document
    * match cat == <cat><name lang="en">Billie</name><scores><score>2</score><score>6</score></scores><empty/></cat>

  Scenario: fails: another attribute
    * def x = <a b="1"/>
    * match x == <a b="2"/>

  Scenario: fails: an element too many
    * def x = <a><b/><c/></a>
    * match x == <a><b/></a>

  Scenario: fails: a list of elements
    * match cat //score == ['2', '6']
