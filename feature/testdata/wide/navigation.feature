Feature: addresses and history

Scenario: there and back
* driver site + '/home.html'
* match driver.title == 'Index'
* match driver.url == site + '/home.html'
* click('{a}Form')
* waitForUrl('/form.html')
* match driver.title == 'Form'
* back()
* match driver.title == 'Index'
* forward()
* match driver.url contains 'form.html'

Scenario: refresh and reload forget what a script set
* driver site + '/home.html'
* script('window.mark = 1')
* refresh()
* match script('typeof window.mark') == 'undefined'
* script('window.mark = 1')
* reload()
* match script('typeof window.mark') == 'undefined'

Scenario: the property and the method
* driver site + '/home.html'
* driver.setUrl(site + '/form.html')
* match driver.getTitle() == 'Form'
* match driver.getUrl() contains 'form'
* driver.url = site + '/later.html'
* match driver.title == 'Later'

Scenario: query and fragment
* driver site + '/home.html?a=1&b=x%20y#part'
* match text('#where') == '/home.html?a=1&b=x%20y#part'
* script("location.hash = 'other'")
* waitForUrl('#other')
* match driver.url contains '#other'
* back()
* waitForUrl('#part')

Scenario: the same address again
* driver site + '/form.html'
* input('#user', 'x')
* driver site + '/form.html'
* match value('#user') == ''

Scenario: the other host
* driver site + '/home.html'
* driver other + '/form.html'
* match driver.url == other + '/form.html'
* back()
* match driver.url == site + '/home.html'

Scenario Outline: page <page> is <title>
* driver site + '/<page>.html'
* match driver.title == '<title>'
* match driver.title == title

Examples:
| page    | title   |
| form    | Form    |
| later   | Later   |
| frames  | Frames  |
| dialogs | Dialogs |
| grid    | Grid    |
| shadow  | Shadow  |

Scenario: a tab, and its own
* driver site + '/home.html'
* click('#new')
* switchPage('form.html?tab=1')
* match driver.title == 'Form'
* match driver.pages == '#[2]'
* input('#user', 'in the tab')
* match value('#user') == 'in the tab'
* switchPage('Index')
* match driver.title == 'Index'
* switchPage(1)
* match value('#user') == 'in the tab'
* close()
* match driver.title == 'Index'
* match driver.getPages() == '#[1]'

Scenario: three tabs
* driver site + '/home.html'
* script("window.open('form.html'); window.open('later.html')")
* switchPage('Later')
* click('#go')
* switchPage('Form')
* match text('h1') == 'Form'
* switchPage('later.html')
* waitForText('#state', 'done')
* switchPage(0)
* match driver.title == 'Index'

Scenario: who comes to a tab begins at its page
* driver site + '/frames.html'
* switchFrame('#first')
* script("top.open('form.html')")
* switchPage('form.html')
* match text('h1') == 'Form'
* switchPage(0)
* match text('h1') == 'Outer'

Scenario: no such tab
* driver site + '/home.html'
* driver.timeout(300)
* def f = function(){ try { switchPage('nowhere'); return '' } catch (e) { return e.message } }
* match f() contains 'no page found matching: nowhere'

Scenario: the window
* driver site + '/home.html'
* driver.dimensions = { x: 10, y: 10, width: 800, height: 600 }
* match driver.dimensions contains { width: 800, height: 600 }
* match script('innerWidth <= 800') == true
* maximize()
* minimize()
* fullscreen()
* driver.activate()

Scenario: pictures and paper
* driver site + '/form.html'
* def all = screenshot()
* def part = locate('#user').screenshot()
* assert all.length > part.length
* def quiet = driver.screenshot(false)
* match karate.typeOf(quiet) == 'bytes'
* def paper = pdf({ landscape: true })
* assert paper.length > 500

Scenario: quit, and begin again
* driver site + '/home.html'
* cookie({ name: 'old', value: '1' })
* driver.quit()
* configure driver = { type: 'chrome', headless: true }
* driver site + '/form.html'
* match cookie('old') == null
