Feature: the few classes of Java

Scenario: ids, time and text
* match Java.type('java.util.UUID').randomUUID() + '' == '#uuid'
* def System = Java.type('java.lang.System')
* match System.currentTimeMillis() == '#? _ > 1000000000000'
* match 'abc'.contains('b') == true
* match 'abc'.equals('abc') == true
* def Base64 = Java.type('java.util.Base64')
* match Base64.getEncoder().encodeToString('abc'.getBytes()) == 'YWJj'
* def text = new java.lang.String(Base64.getDecoder().decode('YWJj'))
* match text + '' == 'abc'
* match Java.type('java.lang.String').format('%s is %d', 'x', 5) == 'x is 5'
* match Java.type('java.lang.Integer').parseInt('42') == 42

Scenario: dates
* def LocalDate = Java.type('java.time.LocalDate')
* match LocalDate.of(2024, 2, 28).plusDays(2).toString() == '2024-03-01'
* def Format = Java.type('java.time.format.DateTimeFormatter')
* match LocalDate.parse('2024-03-01').format(Format.ofPattern('dd/MM/yyyy')) == '01/03/2024'
* def SimpleDateFormat = Java.type('java.text.SimpleDateFormat')
* def Date = Java.type('java.util.Date')
* match new SimpleDateFormat('yyyy-MM-dd').format(new Date()) == '#regex \\d{4}-\\d{2}-\\d{2}'
* match new SimpleDateFormat('yyyyMMddHHmmssSSS').format(new Date()) == '#regex \\d{17}'
