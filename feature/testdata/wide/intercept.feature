Feature: requests of pages

Scenario: a handler
* driver site + '/api.html'
* def i = driver.intercept({ patterns: ['*/api/*'], handler: function(r){ return { status: 201, body: { method: r.method, q: r.params.q } } } })
* click('#get')
* waitForText('#out', 'GET')
* match text('#status') == '201'
* match i.requests[0].path == '/api/items'
* match i.requests[0].params.q == ['x']

Scenario: a mock
* driver site + '/api.html'
* driver.intercept({ patterns: [{ urlPattern: '*/api/*' }], mock: 'items.mock.feature' })
* click('#post')
* waitForText('#out', 'seven')
* match text('#status') == '201'
* click('#get')
* waitForText('#out', 'count')
* match karate.fromString(text('#out')) == { count: 1, q: 'x' }

Scenario: a mock of one scenario is not another's
* driver site + '/api.html'
* driver.intercept({ patterns: ['*/api/*'], mock: 'items.mock.feature' })
* click('#get')
* waitForText('#out', 'count')
* match karate.fromString(text('#out')).count == 0

Scenario: no more
* driver site + '/api.html'
* driver.intercept({ patterns: ['*/api/*'], handler: function(r){ return { body: 'mine' } } })
* click('#get')
* waitForText('#out', 'mine')
* driver.stopIntercept()
* click('#get')
* waitForText('#status', '404')

Scenario: a page that is made up
* driver site + '/home.html'
* driver.intercept({ patterns: ['*made-up*'], handler: r => ({ status: 200, contentType: 'text/html', body: '<title>Made up</title><h1>Made up</h1>' }) })
* driver site + '/made-up.html'
* match driver.title == 'Made up'

Scenario: abort and go on
* driver site + '/api.html'
* def n = 0
* driver.intercept({ patterns: ['*/api/*'], handler: function(r){ n++; return r.path.includes('broken') ? { abort: true } : null } })
* click('#bad')
* waitForText('#out', 'failed')
* click('#get')
* waitForText('#status', '404')
* match n == 2

Scenario: late
* driver site + '/api.html'
* driver.intercept({ patterns: ['*/api/*'], handler: r => ({ body: 'slowly', delay: 100 }) })
* click('#get')
* waitForText('#out', 'slowly')
