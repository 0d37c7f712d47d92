Feature: the few classes of Java

  Scenario: a getter is a property
    * def Base64 = Java.type('java.util.Base64')
    * match Base64.encoder.encodeToString('hello'.getBytes()) == 'aGVsbG8='
    * match Base64.getEncoder().encodeToString('hello'.getBytes()) == 'aGVsbG8='

  Scenario: text of bytes
    * def text = new java.lang.String(java.util.Base64.decoder.decode('aGVsbG8='))
    * match text == 'hello'

  Scenario: the time of a date
    * def SimpleDateFormat = Java.type('java.text.SimpleDateFormat')
    * def form = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZ")
    * match form.parse('2016-12-24T03:39:21.081+0000').time == 1482550761081

  Scenario: what is written is a file
    * def file = karate.write('hello', 'corpus-written.txt')
    * match file.name == 'corpus-written.txt'
    * match file.exists() == true

  Scenario: the address's own escapes
    * match java.net.URLDecoder.decode('%2Ffoo%2Bbar', 'UTF-8') == '/foo+bar'
    * match java.net.URLEncoder.encode('a b/c', 'UTF-8') == 'a+b%2Fc'

  Scenario: arguments are a list
    * def seen = []
    * def f = function(){ karate.forEach(arguments, function(x){ seen.push(x) }) }
    * f('a', 'b')
    * match seen == ['a', 'b']
