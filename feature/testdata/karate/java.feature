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

  Scenario: days that a month does not have
    * match java.time.LocalDate.of(2020, 1, 31).plusMonths(1).toString() == '2020-02-29'
    * match java.time.LocalDate.of(2020, 2, 29).minusYears(1).toString() == '2019-02-28'

  Scenario: zones
    * match java.time.OffsetDateTime.parse('2020-01-01T00:00:00+02:00').toInstant().toString() == '2019-12-31T22:00:00Z'
    * match java.time.LocalDateTime.of(2020, 1, 2, 3, 4, 5).atZone(java.time.ZoneId.of('Europe/Berlin')).toInstant().toString() == '2020-01-02T02:04:05Z'
    * match java.time.LocalDateTime.of(2020, 1, 2, 3, 4).toString() == '2020-01-02T03:04'
    * match java.time.LocalDate.of(2020, 1, 2).atStartOfDay().toString() == '2020-01-02T00:00'
