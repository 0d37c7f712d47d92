Feature: calls and drivers

Background:
* def helper = read('fill.feature')

Scenario: a shared call has the driver
* driver site + '/form.html'
* def who = 'shared'
* call read('fill.feature')
* match value('#user') == 'shared'
* match seen == 'shared'

Scenario: an isolated call has it, too
* driver site + '/form.html'
* def r = call read('fill.feature') { who: 'isolated' }
* match r.seen == 'isolated'
* match value('#user') == 'isolated'
* match karate.get('seen') == null

Scenario: a function of a variable
* driver site + '/form.html'
* def r = call helper { who: 'by variable' }
* match value('#user') == 'by variable'

Scenario: a driver that a shared call starts
* call read('open.feature') { page: 'grid' }
* match driver.title == 'Grid'
* call read('open.feature') { page: 'form' }
* match driver.title == 'Form'

Scenario: a driver that an isolated call starts ends with it
* def r = call read('open.feature') { page: 'grid' }
* match r.title == 'Grid'
* driver site + '/form.html'
* match driver.title == 'Form'

Scenario: a loop of calls
* driver site + '/form.html'
* def all = call read('fill.feature') [{ who: 'a' }, { who: 'b' }, { who: 'c' }]
* match all[*].seen == ['a', 'b', 'c']
* match value('#user') == 'c'

Scenario: by a tag
* driver site + '/form.html'
* call read('tagged.feature@second')
* match value('#user') == 'second'

Scenario: calls in calls
* driver site + '/form.html'
* def r = call read('nested.feature') { who: 'deep' }
* match r.inner.seen == 'deep'
* match value('#user') == 'deep'

Scenario: karate.call
* driver site + '/form.html'
* def r = karate.call('fill.feature', { who: 'by script' })
* match r.seen == 'by script'
* karate.call(true, 'fill.feature', { who: 'shared by script' })
* match seen == 'shared by script'

Scenario: functions with the driver
* def open = function(p){ driver.setUrl(site + '/' + p + '.html'); return driver.title }
* driver site + '/home.html'
* match open('form') == 'Form'
* def fill = (l, v) => { input(l, v); return value(l) }
* match fill('#user', 'fn') == 'fn'

Scenario: a function of a file
* driver site + '/form.html'
* def fill = read('fill.js')
* match fill('#user', 'of a file') == 'of a file'

Scenario: conditions
* driver site + '/form.html'
* if (exists('#user')) input('#user', 'was there')
* eval if (!exists('#none')) click('#on')
* match text('#log') == 'on'
* match value('#user') == 'was there'
* def kind = exists('#none') ? 'a' : 'b'
* match kind == 'b'
