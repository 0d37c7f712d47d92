Feature: mouse, cookies, storage

Scenario: press, release, click
* driver site + '/pads.html'
* mouse('#a').down().up()
* match text('#trail') contains 'mousedown a;mouseup a;click a'
* mouse('#b').click()
* match text('#log') == 'click b'

Scenario: with a key held
* driver site + '/pads.html'
* script("document.addEventListener('click', e => { window.keys = [e.shiftKey, e.ctrlKey] })")
* keys().down('Shift')
* click('#a')
* match script('keys') == [true, false]
* keys().up('Shift')
* mouse('#b').click()
* match script('keys') == [false, false]

Scenario: twice, and the other button
* driver site + '/pads.html'
* mouse('#a').doubleClick()
* match text('#log') == 'dblclick a'
* mouse('#b').rightClick()
* match text('#trail') contains 'contextmenu b'

Scenario: a menu that only hovering shows
* driver site + '/pads.html'
* mouse('#over')
* waitFor('#menu')
* match script('#menu', "getComputedStyle(_).display") == 'block'
* mouse().move(2, 2)
* waitUntil('#menu', "getComputedStyle(_).display == 'none'")

Scenario: drag by hand
* driver site + '/pads.html'
* mouse(320, 320).down().move(420, 360).up()
* match script('#drag', '_.offsetLeft') == 400
* match script('#drag', '_.offsetTop') == 340

Scenario: drag to
* driver site + '/pads.html'
* def before = position('#drag')
* dragTo('#drag', '#a')
* assert position('#drag').x < before.x

Scenario: the wheel
* driver site + '/pads.html'
* mouse(200, 200).wheel(0, 400)
* waitUntil('scrollY > 0')
* scroll('#a')

Scenario: scrolling to it
* driver site + '/pads.html'
* script("document.body.insertAdjacentHTML('beforeend', '<p style=\"margin-top:2500px\"><button id=low onclick=\"log.textContent=`low`\">Low</button></p>')")
* click('#low')
* match text('#log') == '#regex low|scrolled'
* assert script('scrollY > 500')

Scenario: highlights
* driver site + '/form.html'
* highlight('#user', 10)
* highlightAll('input', 10)
* locate('#mail').highlight(10)

Scenario: cookies
* driver site + '/home.html'
* match driver.cookies == []
* cookie({ name: 'a', value: '1' })
* cookie({ name: 'b', value: '2', path: '/' })
* match cookie('a').value == '1'
* match script('document.cookie') contains 'a=1'
* match driver.cookies == '#[2]'
* match driver.cookies[*].name contains only ['a', 'b']
* deleteCookie('a')
* match cookie('a') == null
* clearCookies()
* match driver.getCookies() == []

Scenario Outline: cookies of another scenario are not there (<n>)
* driver site + '/home.html'
* match driver.cookies == []
* match script('localStorage.length') == 0
* cookie({ name: 'mine', value: '<n>' })
* script("localStorage.mine = '<n>'")
* refresh()
* match script('document.cookie') == 'mine=<n>'
* match script('localStorage.mine') == '<n>'

Examples:
| n |
| 1 |
| 2 |
| 3 |
| 4 |

Scenario: a page's own cookies
* driver site + '/home.html'
* script("document.cookie = 'page=yes'")
* match cookie('page').value == 'yes'

Scenario: scripts
* driver site + '/form.html'
* match script('document.title') == 'Form'
* match script('1 + 1') == 2
* match script('() => 3') == 3
* match script('var kept = 4; kept + 1') == 5
* match script('kept') == 4
* match script('const once = 1; once') == 1
* match script('const once = 2; once') == 2
* match script('var p = await Promise.resolve(6); return p') == 6
* match script(function(){ return document.querySelectorAll('label').length }) == 9
* match script('#user', '_.id') == 'user'
* match script('#user', e => e.name) == 'user'
* match script("[1, 2, 3].map(x => x * 2)") == [2, 4, 6]
* match script("new Promise(r => setTimeout(() => r('late'), 20))") == 'late'
* match script('null') == null
* match script('({ a: { b: [1] } })') == { a: { b: [1] } }

Scenario: a script that throws
* driver site + '/form.html'
* def f = function(){ try { script('nope.x'); return '' } catch (e) { return e.message } }
* match f() contains 'nope is not defined'

Scenario: as a telephone
* driver site + '/form.html'
* driver.emulateDevice(390, 844, 'phone agent')
* refresh()
* match script('navigator.userAgent') == 'phone agent'
* match script('innerWidth <= 990') == true

Scenario: somewhere else, without a network
* driver site + '/home.html'
* driver.emulate({ timezone: 'Asia/Tokyo', geolocation: { latitude: 52.5, longitude: 13.4 } })
* refresh()
* match script('Intl.DateTimeFormat().resolvedOptions().timeZone') == 'Asia/Tokyo'
* match script('new Promise(r => navigator.geolocation.getCurrentPosition(p => r(p.coords.latitude), e => r(e.message)))') == 52.5
* driver.emulate({ offline: true })
* match script("fetch('/form.html').then(r => 'came', e => 'offline')") == 'offline'
* driver.emulate({})
* match script("fetch('/form.html').then(r => 'came', e => 'offline')") == 'came'
* def f = function(){ try { driver.emulate({ ofline: true }); return '' } catch (e) { return e.message } }
* match f() contains 'unknown field "ofline"; it takes device'

Scenario: scripts that open something
* driver site + '/dialogs.html'
* match script('window') == null
* script("window.open('form.html')")
* match driver.pages == '#[2]'
* script("alert('by a script')")
* match driver.dialogText == 'by a script'
* dialog(true)
* script('#confirm', '_.click()')
* dialog(true)
* match text('#log') == 'confirm true'
