Feature: forms

Background:
* driver site + '/form.html'

Scenario: all fields, and what was sent
* input('#user', 'Ada Lovelace')
* input('#mail', 'ada@example.com')
* input('#secret', 'hunter2')
* input('#born', '2001-02-03')
* click('#terms')
* click('{label}Large')
* select('#land', 'fr')
* input('#story', 'once upon')
* submit().click('#send')
* match driver.title == 'Sent'
* def sent = text('#what')
* match sent contains 'user=Ada Lovelace'
* match sent contains 'born=2001-02-03'
* match sent contains 'terms=on'
* match sent contains 'size=l'
* match sent contains 'land=fr'

Scenario: by labels
* input('{input}User name', 'by label')
* match value('#user') == 'by label'
* input('{input}Secret', 'x')
* match value('#secret') == 'x'

Scenario: Enter sends
* input('#user', ['Ada', Key.ENTER])
* waitForUrl('sent.html')
* match text('#what') contains 'user=Ada'

Scenario: Tab goes on
* input('#user', ['Ada', Key.TAB])
* match script('document.activeElement.id') == 'mail'
* keys().type('a@b.c')
* match value('#mail') == 'a@b.c'

Scenario: clear, value, and events
* input('#user', 'first')
* clear('#user')
* match value('#user') == ''
* value('#user', 'set')
* match value('#user') == 'set'
* def kinds = scriptAll('#events li', '_.textContent')
* match kinds contains 'input user'
* match kinds contains 'change user'

Scenario: odd fields
* input('#colour', '#ff0000')
* match value('#colour') == '#ff0000'
* input('#loud', '7')
* match value('#loud') == '7'
* value('#born', '1999-12-31')
* match value('#born') == '1999-12-31'

Scenario: options
* select('#land', 'Germany')
* match value('#land') == 'de'
* select('#land', '{}United Kingdom')
* match value('#land') == 'gb'
* select('#land', '{^}Fra')
* match value('#land') == 'fr'
* select('#land', 0)
* match value('#land') == ''
* match scriptAll('#events li[data-k=change]', '_.textContent') contains 'change land'

Scenario: an option that there is not
* driver.timeout(300)
* def f = function(){ try { select('#land', 'Atlantis'); return '' } catch (e) { return e.message } }
* match f() contains "no option matching: 'Atlantis'"

Scenario: boxes and radios
* click('#terms')
* match script('#terms', '_.checked') == true
* locate('#terms').uncheck()
* match property('#terms', 'checked') == false
* click('#small')
* click('#large')
* match property('#small', 'checked') == false

Scenario: a text area and new lines
* input('#story', 'one\ntwo')
* match value('#story') == 'one\ntwo'

Scenario: what can be edited
* clear('#edit')
* input('#edit', 'written')
* match text('#edit') == 'written'

Scenario: a file
* inputFile('#file', 'karate-config.js')
* match script('#file', '_.files[0].name') == 'karate-config.js'
* inputFile('#file', 'karate-config.js', 'navigation.feature')
* match script('#file', '_.files.length') == 2

Scenario: keys with others held
* input('#user', 'abc')
* keys().press('Control+a').press('Delete')
* match value('#user') == ''
* keys().type('xyz')
* keys().press('Shift+ArrowLeft').press('Backspace')
* match value('#user') == 'xy'
* keys().down('Shift').press('q').up('Shift')
* match value('#user') == 'xyQ'

Scenario: every key is heard
* focus('#user')
* input('#user', 'ab')
* keys().press(Key.ESCAPE)
* def heard = scriptAll('#events li[data-k=keydown]', '_.textContent')
* match heard contains 'keydown user a'
* match heard contains 'keydown user Escape'

Scenario: emoji and other letters
* input('#user', 'Zoë 👩‍🚀 日本')
* match value('#user') == 'Zoë 👩‍🚀 日本'

Scenario: slowly
* input('#user', 'slow', 5)
* match value('#user') == 'slow'

Scenario: a list of texts
* input('#user', ['a', 'b', 'c'])
* match value('#user') == 'abc'

Scenario: chained
* locate('#user').input('one').clear().input('two').focus()
* match value('#user') == 'two'
* match input('#user', 'three').value == 'three'
* match click('#terms').attribute('type') == 'checkbox'

Scenario: doubleClick, rightClick, hover
* doubleClick('#on')
* rightClick('#on')
* hover('#role')
* def kinds = scriptAll('#events li', '_.textContent')
* match kinds contains 'dblclick on'
* match kinds contains 'contextmenu on'
* match kinds contains 'mouseover role'

Scenario: what is disabled
* match enabled('#off') == false
* match enabled('#on') == true
* driver.timeout(300)
* def f = function(){ try { click('#off'); return '' } catch (e) { return e.message } }
* match f() contains 'disabled'
* match text('#log') == ''

Scenario: a key held for one item of a list
* input('#user', ['abc', Key.LEFT, 'X'])
* match value('#user') == 'abXc'
* input('#user', [Key.CONTROL + 'a', Key.DELETE, 'new'])
* match value('#user') == 'new'
