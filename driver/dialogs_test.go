package driver_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"rove/internal/testkit"

	"rove/driver"
)

const dialogPage = `<button id=alert onclick="alert('hello'); document.title='alerted'">A</button>
<button id=confirm onclick="document.title=String(confirm('sure?'))">C</button>
<button id=prompt onclick="document.title=String(prompt('name?', 'preset'))">P</button>
<button id=two onclick="alert('first'); document.title=String(confirm('second'))">T</button>
<a id=leave href="/next">L</a>`

// A dialog nobody handles stays open and readable, and is answered by hand.
func TestDialogByHand(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := one(t, dialogPage)
	_, open := p.DialogText()
	same(t, "open", open, false)
	for _, c := range []struct {
		id, message string
		accept      bool
		text, title string
	}{
		{"#alert", "hello", true, "", "alerted"},
		{"#confirm", "sure?", true, "", "true"},
		{"#confirm", "sure?", false, "", "false"},
		{"#prompt", "name?", true, "Ann", "Ann"},
		{"#prompt", "name?", false, "", "null"},
	} {
		_, err := p.Click(p.ctx, c.id)
		p.ok(err)
		text, open := p.DialogText()
		same(t, c.id, fmt.Sprintln(text, open), fmt.Sprintln(c.message, true))
		_, err = p.Text(p.ctx, "#alert")
		fails(t, err, driver.CodeDialog, c.message)
		advises(t, err)
		p.ok(p.Dialog(p.ctx, c.accept, c.text))
		same(t, c.id, p.js("document.title"), c.title)
	}
	fails(t, p.Dialog(p.ctx, true, ""), driver.CodeInvalid, "no dialog is open")
}

var method = regexp.MustCompile(`\bDriver\.(\w+)`)

// advises fails the test unless the error's hint names methods, and only such as
// there are.
func advises(t *testing.T, err error) {
	t.Helper()
	var e *driver.Error
	if !errors.As(err, &e) {
		t.Fatalf("not an error of the driver: %v", err)
	}
	names := method.FindAllStringSubmatch(e.Hint, -1)
	if len(names) == 0 || strings.Contains(e.Hint, "act _page") {
		t.Errorf("the hint %q does not speak to a Go programmer", e.Hint)
	}
	for _, n := range names {
		if _, ok := reflect.TypeFor[*driver.Driver]().MethodByName(n[1]); !ok {
			t.Errorf("the hint %q names %s, which is no method", e.Hint, n[0])
		}
	}
}

// A handler answers in time, and what opened the dialog goes on.
func TestOnDialog(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := open(t, map[string]string{"/": dialogPage, "/next": "<title>Next</title>"})
	var mu sync.Mutex
	var seen []string
	answer := func(text string, accept bool) {
		seen = nil
		p.OnDialog(func(g *driver.Dialog) {
			mu.Lock()
			seen = append(seen, g.Type+" "+g.Message+" "+g.Default)
			mu.Unlock()
			if accept {
				_ = g.Accept(context.Background(), text)
			} else {
				_ = g.Dismiss(context.Background())
			}
		})
	}
	for _, c := range []struct {
		id, text string
		accept   bool
		seen     string
		title    string
	}{
		{"#alert", "", true, "[alert hello ]", "alerted"},
		{"#confirm", "", true, "[confirm sure? ]", "true"},
		{"#confirm", "", false, "[confirm sure? ]", "false"},
		{"#prompt", "Bob", true, "[prompt name? preset]", "Bob"},
		{"#two", "", true, "[alert first  confirm second ]", "true"},
	} {
		answer(c.text, c.accept)
		_, err := p.Click(p.ctx, c.id)
		p.ok(err)
		p.ok(p.WaitUntil(p.ctx, fmt.Sprintf("document.title == %q", c.title)))
		mu.Lock()
		same(t, c.id, seen, c.seen)
		mu.Unlock()
	}
	same(t, "script", p.js("confirm('from a script')"), true)
	p.OnDialog(nil)
	_, err := p.Click(p.ctx, "#alert")
	p.ok(err)
	text, open := p.DialogText()
	same(t, "left open", fmt.Sprintln(text, open), "hello true\n")
	p.ok(p.Dialog(p.ctx, true, ""))
}

// A page that asks whether to leave is left.
func TestBeforeUnload(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := open(t, map[string]string{"/": dialogPage, "/next": "<title>Next</title>"})
	hold := func() {
		p.visit("/")
		_, err := p.Click(p.ctx, "#confirm")
		p.ok(err)
		p.ok(p.Dialog(p.ctx, true, ""))
		p.js("onbeforeunload = (e) => { e.preventDefault(); return 'stay' }, 0")
	}
	hold()
	_, err := p.Click(p.ctx, "#leave")
	p.ok(err)
	p.ok(p.WaitUntil(p.ctx, "document.title == 'Next'"))
	hold()
	p.visit("/next")
	same(t, "title", p.js("document.title"), "Next")
}
