Feature: waiting

Background:
* driver site + '/start.html'

Scenario: for what comes later
* click('#later')
* waitForText('#late', 'here')
* waitForEnabled('#off')
* waitFor('.new')
* match waitForAny('.none', '.new').text == 'new'
* waitForAny(['.none', '.new'])
* match waitForAny(optional('.none'), optional('.new')).text == 'new'
* waitForUrl('#later')
* waitForResultCount('.row', 3)
* match waitForResultCount('.row', 3, '_.tagName') == ['LI', 'LI', 'LI']

Scenario: until
* click('#later')
* waitUntil("document.querySelector('#late').textContent == 'here'")
* waitUntil('#off', '!_.disabled')
* waitUntil('#late', "_.textContent == 'here'")
* def got = waitUntil(function(){ return exists('.new') ? text('.new') : null })
* match got == 'new'

Scenario: retry
* click('#later')
* retry(20, 100).waitFor('.new')
* retry(5).click('#off')
* configure retry = { count: 5, interval: 50 }
* retry().click('#box')

Scenario: a short wait fails in time
* def fails = function(){ try { waitFor('#never', 200); return null } catch (e) { return e.message || (e + '') } }
* match fails() contains 'timeout waiting for element: #never'
* driver.timeout(300)
* def missing = function(){ try { click('#never'); return null } catch (e) { return e.message || (e + '') } }
* match missing() contains '#never'
