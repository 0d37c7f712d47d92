Feature: many at a time, each in a browser context of its own

Background:
* callonce read('once.feature')

@setup
Scenario:
* def rows = karate.repeat(8, i => ({ i: i }))

Scenario Outline: row <i>
* driver site + '/form.html'
* match driver.cookies == []
* cookie({ name: 'row', value: i + '' })
* input('#user', 'row ' + i)
* select('#land', i % 3 + 1)
* submit().click('#send')
* match text('#what') contains 'user=row ' + i
* match cookie('row').value == i + ''
* match counted == 1

Examples:
| karate.setup().rows |
