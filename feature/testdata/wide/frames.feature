Feature: frames and dialogs

Scenario: by number and by locator
* driver site + '/frames.html'
* switchFrame(0)
* match text('#which') == 'one'
* input('#field', 'first')
* click('#press')
* match text('#said') == 'pressed first'
* switchFrame(null)
* switchFrame('#second')
* match text('#which') == 'two'
* match text('#said') == ''
* switchFrame(null)
* match text('h1') == 'Outer'

Scenario: one in another
* driver site + '/frames.html'
* switchFrame('#first')
* switchFrame('#deep')
* match text('#bottom') == 'bottom'
* click('#d')
* match text('#bottom') == 'touched'
* switchFrame(-1)
* match text('#which') == 'one'
* switchFrame(null)
* match driver.title == 'Frames'

Scenario: of another host
* driver site + '/frames.html?far=' + other
* switchFrame('#far')
* match text('#which') == 'far'
* input('#field', 'over there')
* click('#press')
* match text('#said') == 'pressed over there'
* match script('location.origin') == other
* switchFrame(null)
* match script('location.origin') == site

Scenario: in a shadow root
* driver site + '/frames.html?shadow'
* switchFrame('#shaded')
* input('#field', 'typed there')
* click('#press')
* match text('#said') == 'pressed typed there'

Scenario: one that comes later
* driver site + '/frames.html'
* script('late()')
* waitFor('#late')
* switchFrame('#late')
* match text('#which') == 'late'

Scenario: none there
* driver site + '/frames.html'
* driver.timeout(300)
* def f = function(x){ try { switchFrame(x); return '' } catch (e) { return e.message } }
* match f(7) contains 'no frame at index: 7'
* match f('#nothing') contains '#nothing'

Scenario: leaving the page leaves its frames
* driver site + '/frames.html'
* switchFrame('#first')
* driver site + '/form.html'
* match text('h1') == 'Form'

Scenario: alert
* driver site + '/dialogs.html'
* click('#alert')
* match driver.dialogText == 'Look out'
* dialog(true)
* match text('#log') == 'alerted'

Scenario Outline: confirm and say <answer>
* driver site + '/dialogs.html'
* click('#confirm')
* match driver.dialogText == 'Really?'
* dialog(answer)
* match text('#log') == 'confirm <answer>'

Examples:
| answer! |
| true    |
| false   |

Scenario: prompt
* driver site + '/dialogs.html'
* click('#prompt')
* dialog(true, 'Ada')
* match text('#log') == 'prompt Ada'
* click('#prompt')
* dialog(false)
* match text('#log') == 'prompt null'
* click('#prompt')
* dialog(true)
* match text('#log') == 'prompt nobody'
* click('#prompt')
* dialog(true, '')
* match text('#log') == 'prompt '

Scenario: two in a row
* driver site + '/dialogs.html'
* click('#twice')
* match driver.dialogText == 'One?'
* dialog(true)
* waitUntil(function(){ return driver.dialogText == 'Two?' })
* dialog(false)
* match text('#log') == 'true false'

Scenario: one that comes later
* driver site + '/dialogs.html'
* click('#slow')
* waitUntil(() => driver.dialogText)
* dialog(true)
* match text('#log') == 'late'

Scenario: a function answers
* driver site + '/dialogs.html'
* def seen = []
* driver.onDialog(function(d){ seen.push(d.type + ' ' + d.message); if (d.type == 'prompt') d.accept('Eve'); else if (d.type == 'confirm') d.dismiss(); else d.accept() })
* click('#alert')
* click('#confirm')
* match text('#log') == 'confirm false'
* click('#prompt')
* match text('#log') == 'prompt Eve'
* match seen == ['alert Look out', 'confirm Really?', 'prompt Your name?']
