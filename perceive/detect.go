package perceive

import (
	"slices"
	"strings"
)

// How much a page can show and still be about one thing.
const (
	shortText     = 1500 // bytes of text in view
	shortControls = 25
)

const longestSignal = 160 // characters of what a signal says

// signal is one that only says something.
func signal(text string) *Signal { return &Signal{Text: plain(text, longestSignal)} }

// modal finds what has to be dealt with before anything else.
func (sc *scene) modal() *Signal {
	p, name := sc.inFront()
	if p == nil {
		return nil
	}
	if name == "" {
		name = p.headline()
	}
	return &Signal{Text: plain(name, longestSignal), Close: p.id(p.control(closeWords))}
}

// inFront is what is in a modal, and its name: a dialog that is modal, or one that
// a layer over the whole screen makes so. It is nil where there is none.
func (sc *scene) inFront() (p *part, name string) {
	for _, n := range slices.Backward(sc.nodes) { // the last is in front
		// A backend that tells nothing of states leaves only the role to go by.
		if (n.Role == "dialog" || n.Role == "alertdialog") && (n.has(string(Modal)) || !sc.told) {
			return sc.below(n), n.Name
		}
	}
	for _, number := range sc.covers {
		if over := sc.over(number); over.blocks() {
			return over, ""
		}
	}
	return nil, ""
}

// blocks says that something over the whole screen has to be dealt with. What is
// in front of nothing is the page itself, as in an application that fills the
// screen, and what has nothing to press is dealt with by waiting.
func (p *part) blocks() bool {
	return len(p.controls) > 0 && len(p.controls) <= shortControls && len(p.nodes) < len(p.scene.nodes)
}

// cookieBanner finds a request for consent: a part of the page that floats, is a
// dialog or a region of its own, speaks of cookies, and has a yes or a no to
// press. Text about cookies in the page itself is none.
func (sc *scene) cookieBanner() *Signal {
	for _, number := range sc.layers() {
		if s := sc.layer(number).consent(false); s != nil {
			return s
		}
	}
	// A layer may be in parts: the frame of a dialog, and what is in it.
	for _, number := range sc.covers {
		if s := sc.over(number).consent(false); s != nil {
			return s
		}
	}
	for _, n := range sc.nodes {
		switch n.Role {
		case "dialog", "alertdialog":
			if s := sc.below(n).consent(false); s != nil {
				return s
			}
		case "region", "complementary", "group", "form", "contentinfo", "section", "alert", "status", "note":
			if cookieWords.MatchString(n.Name) || n.Role == "alert" {
				if s := sc.below(n).consent(false); s != nil {
					return s
				}
			}
		}
	}
	return sc.plainBanner()
}

// plainBanner finds a bar in the flow of the page: a claim as banners make it,
// outside of the content, with a yes or a no close to it.
func (sc *scene) plainBanner() *Signal {
	for _, n := range sc.nodes {
		if sc.operable(n) || len(n.Name) < 12 || len(n.Name) > 800 || n.Role == "heading" || !cookieWords.MatchString(n.Name) || !cookieClaim.MatchString(n.Name) {
			continue
		}
		if sc.inside(n, "article", "main", "listitem", "table", "blockquote", "code") {
			continue
		}
		near := sc.gather("", func(o *A11yNode) bool {
			return o == n || o.Bounds.Y > n.Bounds.Y-120 && o.Bounds.Y < n.Bounds.Y+n.Bounds.Height+120 && !sc.inside(o, "article", "main")
		})
		near.text = n.Name
		if s := near.consent(true); s != nil {
			return s
		}
	}
	return nil
}

// consent makes a signal of a part that asks for consent.
func (p *part) consent(strict bool) *Signal {
	if len(p.text) > 6000 || len(p.controls) == 0 || len(p.controls) > 80 {
		return nil
	}
	about := cookieWords.MatchString(p.text)
	for _, c := range p.controls {
		about = about || RoleOf(c.Role) == Button && cookieWords.MatchString(c.Name)
	}
	if !about && !(consentWords.MatchString(p.text) && dataWords.MatchString(p.text)) {
		return nil
	}
	reject := p.control(rejectWords)
	var accept, weak *A11yNode
	for _, c := range p.controls {
		r := RoleOf(c.Role)
		if r == Checkbox || r == TextInput || len(c.Name) > 60 || c == reject || rejectWords.MatchString(c.Name) {
			continue
		}
		switch {
		case accept == nil && acceptWords.MatchString(c.Name) && !(r == Link && manage.MatchString(c.Name)):
			accept = c
		case weak == nil && weakAccept.MatchString(c.Name):
			weak = c
		}
	}
	if accept == nil && weak != nil && !strict && (cookieClaim.MatchString(p.text) || reject != nil || manage.MatchString(p.text)) || accept == nil && strict {
		accept = weak
	}
	if accept == nil && reject == nil {
		return nil
	}
	// A bar of the page itself has more to press than a request has.
	if accept == nil && len(p.controls) > 6 {
		return nil
	}
	return &Signal{Text: plain(p.headline(), longestSignal), Accept: p.id(accept), Reject: p.id(reject)}
}

// errorBanner finds what tells that something did not work: an alert that says
// so, or on a page with little else, a sentence that does.
func (sc *scene) errorBanner() *Signal {
	for _, n := range sc.nodes {
		switch n.Role {
		case "alert", "alertdialog", "status", "log":
			p := sc.below(n)
			if len(p.text) > 0 && len(p.text) < 600 && errorWords.MatchString(p.text) && !fineWords.MatchString(p.text) {
				return signal(p.text)
			}
		}
	}
	all := sc.all()
	little := all.short(shortText, 60)
	headings := 0
	for _, n := range sc.nodes {
		r := RoleOf(n.Role)
		if r == Heading {
			headings++
		}
		if sc.operable(n) || len(n.Name) < 3 || len(n.Name) > 240 {
			continue
		}
		switch {
		case r != Text && r != Heading:
			continue
		case r == Heading && headings > 1 && n.Layer == 0:
			continue // a chapter, not what the page is about
		case !little && n.Layer == 0:
			continue
		case sc.inside(n, "article", "code", "log", "listitem", "cell", "row", "navigation"):
			continue
		}
		if (errorClaim.MatchString(n.Name) || n.Role == "heading" && errorCode.MatchString(n.Name) && all.short(500, 15)) && !fineWords.MatchString(n.Name) {
			return signal(n.Name)
		}
	}
	return nil
}

// loading finds what says that the page is not there yet: a progress bar of
// unknown end, or the words for it, standing alone.
func (sc *scene) loading() *Signal {
	for _, n := range sc.nodes {
		name := strings.TrimSpace(n.Name)
		var waits bool
		switch r := RoleOf(n.Role); {
		case n.has(string(Busy)):
			waits = true
		case r == Progress:
			waits = n.Value == nil || *n.Value == "" || spinnerName.MatchString(name) && *n.Value != "100" && *n.Value != "100%"
		case len(name) > 80:
		case r == Image:
			waits = name != "" && spinnerName.MatchString(name)
		case r == Button:
			waits = n.Disabled && busyButton.MatchString(name)
		case sc.operable(n):
		case r == Alert:
			waits = waitingWords.MatchString(sc.below(n).text) || waitingWords.MatchString(name)
		case r == Text || r == Heading:
			waits = (bareWaiting.MatchString(name) || waitingWords.MatchString(name) && ellipsis.MatchString(name)) && !sc.inside(n, "article", "code", "row", "link")
		}
		if waits {
			if name == "" && RoleOf(n.Role) == Alert {
				name = sc.below(n).text
			}
			return signal(name)
		}
	}
	return nil
}

// captcha finds a test that one is human: something to operate, or a page that
// is there for nothing else.
func (sc *scene) captcha() *Signal {
	for _, n := range sc.nodes {
		switch RoleOf(n.Role) {
		case Frame:
			// The badge of an invisible one is in a corner and asks for nothing.
			badge := n.Layer > 0 && n.Bounds.Height < 100
			if !badge && captchaName.MatchString(n.Name) && n.Bounds.Height > 20 {
				return &Signal{Text: plain(n.Name, longestSignal), Accept: sc.tick(n)}
			}
		case Checkbox, TextInput, Image, Clickable, Button:
			if len(n.Name) < 120 && captchaName.MatchString(n.Name) {
				return &Signal{Text: plain(n.Name, longestSignal), Accept: sc.ids[n.NodeID]}
			}
		}
	}
	all := sc.all()
	if !all.short(900, 12) {
		return nil
	}
	for _, n := range sc.nodes {
		if !sc.operable(n) && len(n.Name) < 240 && captchaClaim.MatchString(n.Name) && !sc.inside(n, "article") {
			return signal(n.Name)
		}
	}
	return nil
}

// tick is the box to tick inside a frame.
func (sc *scene) tick(frame *A11yNode) string {
	p := sc.below(frame)
	for _, c := range p.controls {
		if RoleOf(c.Role) == Checkbox {
			return p.id(c)
		}
	}
	return ""
}

// loginWall finds a login that has to be got past: a page or a modal that is
// about signing in. A place to sign in beside other things is none.
func (sc *scene) loginWall() *Signal {
	all := sc.all()
	about := all
	if over, _ := sc.inFront(); over != nil {
		about = over
	} else if !all.short(shortText, shortControls) {
		return nil
	}
	passwords, making := 0, 0
	for _, n := range about.controls {
		if RoleOf(n.Role) == TextInput && (passwordWords.MatchString(n.Name) || n.has(string(Masked))) {
			passwords++
			if otherPassword.MatchString(n.Name) {
				making++
			}
		}
	}
	var press *A11yNode
	for _, c := range about.controls {
		if r := RoleOf(c.Role); (r == Button || r == Link) && (signIn.MatchString(c.Name) || passwords == 1 && press == nil && goOn.MatchString(c.Name)) {
			if press == nil || r == Button && RoleOf(press.Role) == Link {
				press = c
			}
		}
	}
	said := ""
	for _, n := range about.nodes {
		if !sc.operable(n) && len(n.Name) < 240 && wallWords.MatchString(n.Name) {
			said = n.Name
			break
		}
	}
	switch {
	case passwords == 1 && making == 0 && press != nil:
	case passwords == 0 && said != "":
		// The name first, the password on the next page.
		if press == nil {
			press = about.control(goOn, signUpWords)
		}
		if press == nil {
			return nil
		}
	default:
		return nil
	}
	if said == "" {
		said = about.headline()
	}
	return &Signal{Text: plain(said, longestSignal), Accept: about.id(press)}
}
