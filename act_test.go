package rove_test

import (
	"context"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/cdp"
	"rove/internal/testkit"
)

// The pages of testdata/pages/act are each about one thing that pages do to
// those who act on them; each case is done on a page of its own.
func TestActOnPages(t *testing.T) {
	testkit.Parallel(t)
	const ofBrowsers = "focus drag programs map suggest" // about what the browser itself does
	wildcard := regexp.MustCompile("wildcard|locator")   // about what rove makes of names
	base := testkit.ServeHandler(t, http.FileServer(http.Dir("testdata/pages/act")))
	for _, c := range []struct {
		name  string
		page  string
		steps []rove.Step // each in a call of its own
		says  []string    // the last receipt
		not   []string
	}{
		{"a section that a script unfolds", "unfold", steps("#script click"), []string{`+ "script first"`, `+ "script last"`}, nil},
		{"a switch of which only the picture is seen", "switch", steps("e2 check"), []string{`ok check e2 "unchecked" → "checked"`}, []string{"clickable"}},
		{"a list whose placeholder lies over it", "switch", steps("{combobox}Pet select Dog"), []string{`="Dog"`}, []string{"covered"}},
		{"a field below something that reacts", "switch", steps("{textbox}Guarded click"), []string{"is covered by"}, []string{"trap"}},
		{"its view", "switch", steps("e1 hover", "_page look"), []string{`"Ann" | e1 switch (Active)`, `listitem "page 1"`}, []string{"(core", `"1"`}},
		{"a calendar that glides over its field", "glide", steps("{textbox}Arrival click"), []string{"ok click e1", `30 clickable "November 1, 2026" … "November 30, 2026"`}, []string{"failed", `"1"`}},
		{"a day of it", "glide", steps("{textbox}Arrival click", "span:nth-child(20) click"), []string{`="" → ="November 20, 2026"`}, nil},
		{"a list around a select that nobody sees", "glide", steps("{combobox}Room select Suite"), []string{"ok select e2", `"Room: Suite"`}, nil},
		{"a section that a style unfolds", "unfold", steps("#css click"), []string{`+ "style last"`}, nil},
		{"a dialog that comes after its shade", "shade", steps("#ask click"), []string{`dialog "Question"`, `button "Yes"`}, nil},
		{"what came later and only listens", "late", steps("#add click"), []string{`clickable "row one"`, `clickable "row two"`}, nil},
		{"a field that gives the focus away", "focus", steps("#shy focus"), []string{"ok focus", `"shy had the focus"`}, nil},
		{"keys for an editor without the focus", "focus", steps("#editor press Control+A", "_page press Delete"), []string{`="some text" → =""`}, nil},
		{"a selection that is noted late", "editor", steps("#editor mark words", "#bold click"), []string{`"bold: words, 1 by hand"`}, nil},
		{"all of an editor", "editor", steps("#editor press Control+A", "#bold click"), []string{`"bold: plain words to mark, 0 by hand"`}, nil},
		{"clearing an editor with a model of its own", "model", steps("#editor clear"), []string{`"some words" → ""`, `"left: 0"`}, nil},
		{"text by a locator", "drag", steps("#c2 text"), []string{"ok text e", "green"}, nil},
		{"an attribute by a locator", "editor", steps("#editor attribute aria-label"), []string{"ok attribute e", `: "Editor"`}, nil},
		{"an attribute that is not there", "editor", steps("#editor attribute title"), []string{"ok attribute e", `: "null"`}, nil},
		{"after another in a column", "drag", steps("#c1 drag #c2 after"), []string{`"green red blue"`}, nil},
		{"before another in a column", "drag", steps("#c3 drag #c1 before"), []string{`"blue red green"`}, nil},
		{"after another in a row", "drag", steps("#r1 drag #r3 after"), []string{`"east south north"`}, nil},
		{"before another in a row", "drag", steps("#r3 drag #r2 before"), []string{`"north south east"`}, nil},
		{"by a distance", "drag", steps("#box drag +100,+0"), []string{`"moved by 100,0"`}, nil},
		{"beside itself", "drag", steps("#box drag #box@120,20"), []string{`"moved by 100,0"`}, nil},
		{"after another in a grid that sorts itself", "livesort", steps("#c drag #e after"), []string{`"abdecfghi"`}, nil},
		{"before another in a grid that sorts itself", "livesort", steps("#g drag #b before"), []string{`"agbcdefhi"`}, nil},
		{"before the first of a row", "livesort", steps("#h drag #d before"), []string{`"abchdefgi"`}, nil},
		{"after the last, by the way of all", "livesort", steps("#a drag #i after"), []string{`"bcdefghia"`}, nil},
		{"onto what it covers already", "livesort", steps("#small drag #large"), []string{`"in the middle"`}, nil},
		{"between nothing", "drag", steps("#c1 drag e1 beside"), []string{"failed drag", "say before or after"}, nil},
		{"a list that opens elsewhere", "choose", steps("#plain select Cherry"), []string{`="Cherry"`, `"Plain: Cherry"`}, []string{"expanded"}},
		{"a list that follows what is typed", "choose", steps("#typed select Banana"), []string{`="Banana"`, `"Typed: Banana"`}, nil},
		{"a list that shows its choice", "choose", steps("#shown select Cherry"), []string{`"Shown: Cherry"`}, nil},
		{"a list that takes several and stays open", "choose", steps("#several select Blue", "#next click"), []string{`"Next after Green and Blue"`}, []string{"covered", "left"}},
		{"several of a list", "choose", steps("#several select Red, Blue", "#next click"), []string{`"Next after Red and Green and Blue"`}, nil},
		{"what is chosen already", "choose", steps("#several select Green", "#next click"), []string{`"Next after Pick"`}, nil},
		{"several, of which one is not there", "choose", steps("#several select Rad, Blue"), []string{"failed select", `"Red"`}, nil},
		{"a list that opened below the pointer", "below", steps("#start click", "#field input x", "#second click"), []string{`"chosen: second"`}, nil},
		{"an editor that paints its text", "painted", steps("#editor input new text"), []string{`ok input e1 "Editor content" "let a = 1;\nlet b = 2;" → "new text"`}, nil},
		{"more for an editor that paints its text", "painted", steps("#editor type  // one"), []string{`→ "let a = 1;\nlet b = 2; // one"`}, nil},
		{"clearing an editor that paints its text", "painted", steps("#editor clear"), []string{`→ ""`}, nil},
		{"a list, and a table of the page that says the same", "depot", steps("#shelf select C3"), []string{"ok select", `"Shelf" ="C3"`}, []string{"failed"}},
		{"several of a list that follows what is typed", "depot", steps("#tags select shy, diet"), []string{"ok select", `"+shy +diet"`}, []string{"failed"}},
		{"a list that is given a text", "depot", steps("#shelf input B2"), []string{"ok input", `"B2"`}, []string{"failed", "no effect"}},
		{"a field that opens something else than a list", "depot", steps("#due input 2 May"), []string{"failed input", "what it opens lists no options", `button "2 May"`}, []string{"Settings"}},
		{"a number in a box of its own", "depot", steps("#qty set 5"), []string{"ok set", `"0" → "5"`, "pieces: 5"}, nil},
		{"by a hint as it is printed", "depot", steps("{combobox}(unit_kind) select boxes"), []string{`"pieces" → "boxes"`}, []string{"failed", "left"}},
		{"a row of a grid that is written and rebuilt by columns", "depot", steps("_page look", "//*[@id='columns']//*[@aria-rowindex=2]/i click"), []string{"ok click", `"Plane`}, []string{"Vise", "Lathe", "+ e"}},
		{"by words, what a dialog covers", "depot", steps("#more click", "Settings click"), []string{"failed click", `is covered by`, `dialog "New item"`}, []string{"not found"}},
		{"by another role than it has", "depot", steps("{switch}Reminders check"), []string{"failed check", `checkbox "Reminders"`}, nil},
		{"rows that are rebuilt with other figures in some labels", "depot", steps("_page look", "//*[@id='plan']//*[@role='row'][3]//button click"), []string{"ok click"}, []string{"→ e", "+ e", "- e"}},
		{"a slider far away", "choose", steps("#volume set 90"), []string{`"20" → "90"`, `"70 presses"`}, nil},
		{"a link for another program", "programs", steps("#call click"), []string{`ok click e1 "Call" → "tel:123", for another program; not opened`}, nil},
		{"mail", "programs", steps("#mail click"), []string{`→ "mailto:ada@example.com", for another program; not opened`}, nil},
		{"a script that asks for another program", "programs", steps("#app click"), []string{`→ "meeting:room/7", for another program; not opened`}, nil},
		{"a press after that", "programs", steps("#call click", "#after click"), []string{`~ "not pressed" → "pressed"`}, []string{"program"}},
		{"a file chooser that a script asks for", "programs", steps("#pick click"), []string{"→ file chooser of a kind that cannot be answered"}, nil},
		{"files for such a chooser", "programs", steps("#pick upload act_test.go"), []string{"failed upload", "asks by a script", "[unsupported]"}, nil},
		{"what a timer does", "later", steps("#save click"), []string{`+ status "Saved"`}, nil},
		{"a list that comes after the last key", "later", steps("#city input Ber"), []string{`option "Bergen"`, `option "Berlin"`}, []string{"Paris"}},
		{"a page that a dialog gives back", "sure", steps("#delete click", "#no click"), []string{`- dialog "Really?"`}, []string{"+ ", "Files"}},
		{"a page that has changed behind a dialog", "sure", steps("#delete click", "#yes click"), []string{`- dialog "Really?"`, "alpha"}, []string{"+ ", "beta"}},
		{"a wildcard for what is covered", "behind", steps("{button}Buy click"), []string{`failed click {button}Buy: e1 button "Buy" is covered by`, `"We use cookies"`, "[covered]"}, nil},
		{"a wildcard for what is hidden", "behind", steps("{button}Undo click"), []string{`button "Undo" is not visible: display: none`, "[hidden]"}, nil},
		{"what shows while the pointer is over its row", "rowhover", steps("#pay click"), []string{`cannot be scrolled into view; it shows while the pointer is over e`, `row "Invoice 7`, "hover that first", "[hidden]"}, nil},
		{"the same, hovered first", "rowhover", steps("tr hover", "#pay click"), []string{`"nothing" → "paid"`}, []string{"failed"}},
		{"what a style alone opens", "rowhover", steps("#print click"), []string{`it shows while the pointer is over e`, "hover that first"}, nil},
		{"a wildcard for nothing", "behind", steps("{button}Sell click"), []string{"element not found: {button}Sell", "[notfound]"}, nil},
		{"a wildcard for another kind", "programs", steps("{button}Call click"), []string{"element not found: {button}Call", `the text is that of e1 link "Call"`, "[notfound]"}, nil},
		{"a wildcard for no kind there is", "programs", steps("{^lnk:2}Cal click"), []string{"element not found: {^lnk:2}Cal", `the text is that of e1 link "Call"`}, nil},
		{"one of several, by what is around it", "picker", steps("{button}Insert click"), []string{`button "Insert" in "Body"; e`, `button "Insert" in "Notes"`}, nil},
		{"a field whose calendar takes the focus", "picker", steps("#due input 2026-12-09"), []string{`ok input`, `"2026-12-09"`, `dialog "Choose date"`}, []string{"failed"}},
		{"several without names", "sure", steps("li click"), []string{"li matches 2 elements", `listitem "alpha"; e`, `listitem "beta"`}, nil},
		{"a suggestion", "suggest", steps("#browser select Chrome"), []string{`ok select e1 "Browser" ="Chrome"`, `→ "browser: Chrome"`}, nil},
		{"a suggestion by its label", "suggest", steps("#browser select fire fox"), []string{`→ "browser: Firefox"`}, nil},
		{"what is not suggested", "suggest", steps("#browser select Opera"), []string{"no option matching: 'Opera'", `there are "Chrome", "Fire fox"`, "[invalid]"}, []string{"Opera\" "}},
		{"a suggestion that comes when it is typed", "suggest", steps("#city select Berlin"), []string{`ok select e2 "City" ="Berlin"`, `→ "city: Berlin"`}, nil},
		{"none even then", "suggest", steps("#city select Paris"), []string{"no option matching: 'Paris'", "there are none now"}, nil},
		{"a table that is sorted", "sorted", steps("#sort click"), []string{`~ in this order now: "Ann | 40", "Bob | 50", "Max | 30", "Zoe | 20"`}, []string{"+ ", "- "}},
		{"an entry that moves", "sorted", steps("#last click"), []string{`~ e2 link "Apples", now below e4 link "Cheese"`}, []string{"+ ", "- "}},
		{"a page that is a window with panes", "panes", steps("_page scroll down"), []string{"ok scroll down to ", `~ "at the top" → "scrolled"`}, nil},
		{"the end of such a page", "panes", steps("_page scroll until:the end"), []string{"ok scroll until:the end"}, []string{"failed"}},
		{"a page held still behind a box that scrolls", "held", steps("_page scroll bottom"), []string{`~ "box at the top" → "box scrolled"`}, []string{"page scrolled"}},
		{"an area of a picture", "map", steps("#right click"), []string{`ok click e2 "Right" → /map.html#right`}, nil},
		{"a round area", "map", steps("{link}Middle click"), []string{"→ /map.html#middle"}, nil},
		{"a picture itself", "map", steps("#whole click"), []string{"→ /map.html#whole"}, nil},
		{"a toggle of a class", "homemade", steps("#toggle click"), []string{`~ e1 clickable "Dark mode" +pressed`}, []string{"nothing changed"}},
		{"a toggle off again", "homemade", steps("#toggle click", "#toggle click"), []string{`~ e1 clickable "Dark mode" -pressed`}, []string{"nothing changed"}},
		{"a tab of a class", "homemade", steps("#second click"), []string{`"Second" +selected`, `"First" -selected`}, nil},
		{"a tick of a style", "homemade", steps("#todo click"), []string{`"Feed the cat" +checked`}, nil},
		{"the second of two switches that are on", "homemade", steps("#alarm1 click"), []string{`clickable (Alarm) -pressed in "Van 1"`}, []string{"Tracking", "+pressed"}},
		{"the second of two that are off", "homemade", steps("#alarm2 click"), []string{`clickable (Alarm) +pressed in "Van 2"`}, []string{"Tracking", "-pressed"}},
		{"a class that the chosen one has", "homemade", steps("#rejected click"), []string{`"rejected" +selected`, `"open" -selected`}, nil},
		{"a class of the page's own that the chosen one has", "homemade", steps("#blue click", "#green click"), []string{`"green" +selected`, `"blue" -selected`}, nil},
		{"a state in a data attribute", "homemade", steps("#state click"), []string{`"Details" +expanded`}, nil},
		{"what opens under the pointer", "names", []rove.Step{step(`"Account"`, "hover"), step("{button}Sign out", "click")}, []string{`"nothing" → "signed out"`}, nil},
		{"a text by its words", "names", []rove.Step{step(`"feed the cat"`, "dblclick")}, []string{`→ "edit feed the cat"`}, nil},
		{"a text beside a button", "names", []rove.Step{step(`"walk the dog"`, "dblclick")}, []string{`→ "edit walk the dog"`}, nil},
		{"a text that was cut", "names", []rove.Step{step(`"feed the…"`, "dblclick")}, []string{`→ "edit feed the cat"`}, nil},
		{"a clickable by its role", "names", []rove.Step{step("{clickable}Card one", "click")}, []string{`→ "card"`}, []string{"matches"}},
		{"what a glyph means", "names", []rove.Step{step("{button}Remove dog", "click")}, []string{`→ "dog gone"`}, nil},
		{"a tooltip of a clickable", "names", []rove.Step{step("{clickable}Empty the bin", "click")}, []string{`→ "bin"`}, nil},
		{"words without quotes", "names", []rove.Step{step("Card one", "click")}, []string{`→ "card"`}, []string{"failed"}},
		{"words that are no locator", "names", []rove.Step{step("card one", "click")}, []string{"element not found: card one"}, []string{`→ "card"`}},
		{"a card by its title, the only one with it", "names", []rove.Step{step("{article}Call supplier", "click")}, []string{`→ "supplier"`, `"Call supplier T 2 days"`}, []string{"failed"}},
		{"a title that two cards have", "names", steps("{article}Twice click"), []string{"element not found: {article}Twice"}, nil},
		{"another kind, of which one can be pressed", "names", steps("{button}closed click"), []string{"element not found: {button}closed", `menuitem "closed"`}, []string{"cell"}},
		{"a field whose label has a mark", "library", []rove.Step{step("_page", "look"), step("{textbox}Name", "input", "Zoe")}, []string{`ok input e1 "Name" ="Zoe"`}, nil},
		{"options for readers alone, drawn beside", "library", steps("{combobox}Department select Marketing"), []string{`"Department" ="Marketing"`, `+ "Marketing"`}, []string{"failed"}},
		{"what comes late, after a ripple", "library", steps("#save click"), []string{`status "Saved"`}, nil},
		{"what lies behind a dialog's layer", "library", steps("#ask click", "#behind click"), []string{`is covered by`, `dialog "Really?"`}, []string{"generic"}},
		{"a card by what is shown of it", "library", steps("{button}Login click"), []string{`"Login"`, `status "pressed Login"`}, []string{"×"}},
		{"a card that comes to a column", "library", []rove.Step{step("{button:2}+ Add card", "click")}, []string{`+ e`, `"Ship it"`, `in "Doing 2"`}, []string{`in "Api"`}},
		{"rows that count on", "library", steps("{button:1}Delete click"), []string{`checkbox "Select row 2" → "Select row 1" and 4 more`}, []string{`"Select row 4" →`}},
		{"what is let go and glides", "library", steps("#glide drag +100,+0"), []string{`status "arrived"`}, nil},
		{"its view", "library", steps("#ask hover", "_page look"), []string{`switch (Active) checked`, `e1 textbox "Name" required`}, []string{"lib-switch", "switch-checked", "clickable (guard)"}},
		{"an editor in a frame", "framed", steps("f1e1 input New words"), []string{`"Old words" → "New words"`, `→ "letter: New words"`}, nil},
		{"its view", "framed", steps("#other hover", "_page look"), []string{`textbox "Letter" ="Old words"`, `e8 textbox (field)`}, []string{"active"}},
		{"a tile by what fills it", "framed", steps(`{clickable}One drag +100,+0`), []string{"moved +100,+0"}, nil},
		{"a message in a closed root without room", "framed", steps("#toast click"), []string{`+ status "Saved in the dark"`}, nil},
		{"counts in other digits", "framed", steps("#other hover", "_page look", "#more click"), []string{`"Входящие · 3" → "Входящие · 4"`, `"受信（3）" → "受信（4）"`, `"البريد (٣)" → "البريد (٤)"`}, []string{"+ ", "- "}},
		{"where Tab leads", "framed", steps("#other focus", "_page press Shift+Tab", "_page press Tab"), []string{`focus → e1 button "Other"`}, nil},
		{"one of many sections far off", "pieces", steps("e390 click"), []string{`ok click e390 "Scenario 389"`, `+ "body 389"`}, nil},
		{"the lines of a field", "records", steps("#q hover", "_page look"), []string{`textbox "Notes" ="= Plan =\n\n| 1 | Aurora |"`}, nil},
		{"a slider beyond its end", "choose", steps("#volume set 120"), []string{"failed set", "it got to 100, not to 120"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(ofBrowsers, c.page) && !wildcard.MatchString(c.name) {
				testkit.OnEveryBrowser(t)
			}
			ctx, s := open(t)
			if _, err := s.Go(ctx, base+"/"+c.page+".html"); err != nil {
				t.Fatal(err)
			}
			var text string
			for i, st := range c.steps {
				r, err := s.Act(ctx, st)
				if err != nil && i < len(c.steps)-1 {
					t.Fatal(err)
				}
				text = r.Text()
			}
			has(t, text, c.says...)
			hasNot(t, text, c.not...)
			hasNot(t, text, "not trusted")
		})
	}
}

// steps reads "target op value".
func steps(lines ...string) []rove.Step {
	var list []rove.Step
	for _, l := range lines {
		f := strings.SplitN(l, " ", 3)
		list = append(list, step(f[0], f[1], f[2:]...))
	}
	return list
}

// A look for something gives refs to texts; that is no change of the page.
func TestFindIsNoChange(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<title>F</title><p>alpha</p><p>beta</p><button>Idle</button>`)); err != nil {
		t.Fatal(err)
	}
	found, err := s.Look(ctx, rove.LookOptions{Find: "/alpha|beta/"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, found.Text(), `"alpha"`, `"beta"`)
	r, err := s.Act(ctx, step("{button}Idle", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "no effect seen")
}

// A tab around a link of the same name is one thing to click.
func TestTabAroundALink(t *testing.T) {
	ctx, s := open(t)
	page, err := s.Go(ctx, serve(t, `<title>T</title><ul role=tablist><li role=tab aria-labelledby=a aria-selected=false><a id=a href=#one>First</a></li></ul><p id=one>panel</p>`))
	if err != nil {
		t.Fatal(err)
	}
	has(t, page.Text(), `e1 tab "First"`)
	hasNot(t, page.Text(), "link")
	r, err := s.Act(ctx, step("e1", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "#one")
}

// An editor that paints its text is one field, which holds what is painted.
func TestPaintedEditorsAreRead(t *testing.T) {
	data, err := os.ReadFile("testdata/pages/act/painted.html")
	if err != nil {
		t.Fatal(err)
	}
	ctx, s := open(t)
	page, err := s.Go(ctx, serve(t, string(data)))
	if err != nil {
		t.Fatal(err)
	}
	has(t, page.Text(), `e1 textbox "Editor content" ="let a = 1; let b = 2;"`)
	hasNot(t, page.Text(), "readonly", "Unfold")
}

// A press that the browser keeps for itself, as it does while it asks its user
// something, is told as that. It is no press without effect.
func TestPressesThatDoNotArrive(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	page := serve(t, `<title>P</title><button onclick="textContent = 'pressed'">Press</button><a href="#there">There</a>`)
	if _, err := s.Go(ctx, page); err != nil {
		t.Fatal(err)
	}
	_, session := cdp.Of(s.Driver().Tab())
	ignore := func(yes bool) {
		t.Helper()
		if err := session.Call(ctx, "Input.setIgnoreInputEvents", map[string]bool{"ignore": yes}, nil); err != nil {
			t.Fatal(err)
		}
	}
	ignore(true)
	for _, ref := range []string{"{button}Press", "{link}There"} {
		r, err := s.Act(ctx, step(ref, "click"))
		if rove.CodeOf(err) != rove.CodeCovered {
			t.Errorf("%s: %v\n%s", ref, err, r.Text())
		}
		has(t, r.Text(), "got no press", "go to the page again")
	}
	ignore(false)
	// What the browser shows goes when the tab has been elsewhere.
	if _, err := s.Go(ctx, page); err != nil {
		t.Fatal(err)
	}
	if been, err := s.Eval(ctx, "history.length"); err != nil || been.Text() != "4" {
		t.Errorf("%v, %v entries", err, been.Text())
	}
	r, err := s.Act(ctx, step("{button}Press", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `"Press" → "pressed"`)
}

// What a browser without a window would ask its user is asked of nobody: the page is
// refused, or waits, and goes on taking presses.
func TestWhatTheBrowserWouldAsk(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	page := serve(t, `<title>P</title><p id=out>nothing</p><script>
		function say(s) { out.textContent = s }
		const challenge = new Uint8Array(32), timeout = 60000
		const make = { challenge, timeout, rp: { name: 'x' }, user: { id: new Uint8Array(9), name: 'a', displayName: 'a' }, pubKeyCredParams: [{ type: 'public-key', alg: -7 }] }</script>
		<button onclick="navigator.credentials.get({ publicKey: { challenge, timeout } }).then(() => say('a passkey'), (e) => say(e.name))">Passkey</button>
		<button onclick="navigator.credentials.create({ publicKey: make }).then(() => say('a passkey'), (e) => say(e.name))">Create</button>
		<button onclick="navigator.mediaDevices.getDisplayMedia().then(() => say('a screen'), (e) => say('screen ' + e.name))">Screen</button>
		<button onclick="document.body.requestPointerLock().then(() => say('locked'), (e) => say('lock ' + e.name))">Lock</button>
		<button onclick="say('after')">After</button>`)
	page = strings.Replace(page, "127.0.0.1", "localhost", 1) // passkeys are for names
	for what, says := range map[string]string{
		"Passkey": "no effect seen", // it waits for a key
		"Create":  "no effect seen",
		"Screen":  `"nothing" → "screen Not`, // …AllowedError; …SupportedError of a headless shell
		"Lock":    `"nothing" → "locked"`,
	} {
		if _, err := s.Go(ctx, page); err != nil {
			t.Fatal(err)
		}
		r, err := s.Act(ctx, step("{button}"+what, "click"))
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		has(t, r.Text(), says)
		r, err = s.Act(ctx, step("{button}After", "click"))
		if err != nil {
			t.Errorf("after %s: %v", what, err)
		}
		has(t, r.Text(), `→ "after"`)
	}
}

// A press whose action was given up meanwhile is not held against the next one.
func TestPressesThatArriveLate(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<title>P</title><input aria-label=Name><script>
		let sprung = false
		addEventListener('mousemove', ({ target }) => {
			if (sprung || target.localName !== 'input') return
			sprung = true
			target.replaceWith(target.cloneNode()) // the press was meant for the one that goes
			for (const end = performance.now() + 1500; performance.now() < end;);
		})</script>`)); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	if r, err := s.Act(short, step("input", "click")); err == nil && !r.Done[0].Effect.Hung {
		t.Errorf("the page was to keep the press waiting\n%s", r.Text())
	}
	if r, err := s.Act(ctx, step("input", "focus")); err != nil {
		t.Errorf("focus: %v\n%s", err, r.Text())
	}
}
