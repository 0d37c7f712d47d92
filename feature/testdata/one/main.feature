Feature: drivers of calls, with a pool of one: whoever is called uses its caller's, or one of its own that it gives back

Scenario: shared call propagates
* call read('init.feature')
* match driver.title == 'Form'
* match started == true
* call read('nav.feature')
* match driver.title == 'Grid'
* back()
* match driver.title == 'Form'

Scenario: isolated starts and ends, caller starts another
* def r = call read('isolated.feature')
* match r.title == 'Form'
* driver site + '/grid.html'
* match driver.title == 'Grid'
* def r2 = call read('isolated.feature')
* match driver.title == 'Form'

Scenario: loop of isolated calls that each start one
* def rs = call read('isolated.feature') [{}, {}, {}]
* match rs == '#[3]'

Scenario: loop of shared calls
* def rs = karate.map([1,2], x => karate.call(true, 'init.feature'))
* match driver.title == 'Form'

Scenario: quit in a called feature, then anew
* driver site + '/form.html'
* call read('quit.feature')
* match driver.isTerminated() == true
* driver site + '/grid.html'
* match driver.title == 'Grid'

Scenario: quit then other config
* driver site + '/form.html'
* driver.quit()
* configure driver = { type: 'chrome', headless: true, userAgent: 'second' }
* driver site + '/form.html'
* match script('navigator.userAgent') == 'second'

Scenario: two scenarios in a called feature
* call read('twice.feature')
* match driver.title == 'Grid'
* def r = call read('twice.feature')
* match driver.title == 'Grid'

Scenario: callonce starts it
* callonce read('init.feature')
* driver site + '/grid.html'
* match driver.title == 'Grid'

Scenario: callonce again
* callonce read('init.feature')
* driver site + '/form.html'
* match driver.title == 'Form'

Scenario: callSingle with a driver
* def r = karate.callSingle('isolated.feature')
* match r.title == 'Form'
* driver site + '/grid.html'
* match driver.title == 'Grid'

Scenario: hooks see the driver
* configure afterScenario = function(){ if (driver.title != 'Form') karate.fail('hook: ' + driver.title); karate.call('title.feature') }
* driver site + '/form.html'

Scenario: from a function in a called feature
* def helper = function(){ return karate.call('title.feature').t }
* driver site + '/form.html'
* match helper() == 'Form'

Scenario: a driver in a nested isolated call while the caller has none, deep
* def deep = call read('deep.feature') { n: 3 }
* match deep.title == 'Form'

Scenario Outline: rows <n>
* call read('init.feature')
* driver site + '/<page>.html'
* match driver.title == '<title>'
Examples:
| n | page | title |
| 1 | form | Form |
| 2 | grid | Grid |
| 3 | home | Index |

Scenario: karate.driver beside, with one slot
* driver site + '/form.html'
* def d2 = karate.driver({ type: 'chrome', headless: true })
* d2.setUrl(site + '/grid.html')
* match d2.title == 'Grid'
* match driver.title == 'Form'
* d2.quit()
* match driver.title == 'Form'

Scenario: agent on its own with one slot
* driver site + '/form.html'
* def agent = karate.agent()
* def seen = agent.look()
* match karate.toString(seen) contains 'Form'
