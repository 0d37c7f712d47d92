package rove_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"rove"
)

// Every error has a code that tells it apart and says what to do next, whatever
// went wrong; none is a bare message of the protocol.
func TestErrorsSayWhatToDo(t *testing.T) {
	page := `<!doctype html><title>Odd</title><button id=b onclick="0">B</button><button class=two>Two</button><button class=two>Two</button><button id=off disabled>Off</button>
<button id=hid style="display:none">Hidden</button><div style="position:relative;width:100px"><button id=under>Under</button><div role=dialog aria-label=Shade style="position:absolute;inset:0;background:#fff">shade</div></div>
<input id=f aria-label=F value=v><input id=ro readonly value=v aria-label=RO><input id=d type=date aria-label=D><input id=r type=range aria-label=R><select id=s aria-label=S><option>One<option disabled>Two</select><input id=c type=checkbox aria-label=C onclick="return false"><div id=nil style="width:0;height:0"></div><p id=p>some text</p>
<input id=stubborn aria-label=Stubborn onkeydown="return false">`
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, page)); err != nil {
		t.Fatal(err)
	}
	type verb struct {
		name string
		run  func(ctx context.Context) error
	}
	var verbs []verb
	add := func(name string, run func(ctx context.Context) error) { verbs = append(verbs, verb{name, run}) }
	act := func(ref, op string, value ...string) {
		st := step(ref, op, value...)
		add("act "+st.String(), func(ctx context.Context) error { _, err := s.Act(ctx, st); return err })
	}
	for _, o := range []rove.LookOptions{
		{Ref: "e999"}, {Ref: "f9e1"}, {Ref: "button"}, {Mode: "fast"}, {Format: "xml"}, {Since: "99"}, {Since: "then"}, {Find: "/(/"}, {Find: strings.Repeat("{", 5000)}, {Budget: new(-7)}, {Since: "last", Find: "x"},
	} {
		add("look "+o.String(), func(ctx context.Context) error { _, err := s.Look(ctx, o); return err })
	}
	for _, c := range []string{"", "text:", "e999", "#nothing", "text:never", "gone:some text", "url:elsewhere", "request:/never", "download", "1 +", "throw 1", "(() => { throw new Error('x') })()", "{{", "//["} {
		add("wait "+c, func(ctx context.Context) error { _, err := s.Wait(ctx, c, 150*time.Millisecond); return err })
	}
	for _, js := range []string{"", "1 +", "null.x", "throw {}", "throw undefined", "Promise.reject(1)", "new Promise(() => {})"} {
		add("eval "+js, func(ctx context.Context) error { _, err := s.Eval(ctx, js); return err })
	}
	act("", "click")
	act("#b", "")
	act("#b", "fly")
	act("e999", "click")
	act("f9e1", "click")
	act("#nothing", "click")
	act("..", "click")
	act("//[", "click")
	act("{nothing}x", "click")
	act("(null)", "click")
	act("(nothere.x)", "click")
	act(".two", "click")
	act("#off", "click")
	act("#hid", "click")
	act("#under", "click")
	act("#nil", "click")
	act("#nil", "screenshot")
	act("#b", "click", "left")
	act("#b", "hover", "left")
	act("#c", "uncheck", "false")
	act("#f", "clear", "all")
	act("#f", "focus", "yes")
	act("#p", "text", "all")
	act("#b", "screenshot", "full")
	act("_page", "screenshot", "half")
	act("_page", "back", "2")
	act("_page", "undo", "2")
	act("#b", "click", "@9999,9999")
	act("#b", "input", "x")
	act("#b", "check")
	act("#b", "select", "x")
	act("#b", "set", "3")
	act("#b", "upload", "/no/such/file")
	act("#b", "upload", "")
	act("#b", "drag", "")
	act("#b", "drag", "e999")
	act("#b", "drag", "#nothing")
	act("#b", "drag", "@x")
	act("#b", "press", "")
	act("#b", "press", "NoSuchKey")
	act("#b", "press", "Control+")
	act("#b", "scroll", "sideways")
	act("#b", "attribute", "")
	act("#b", "assert", "")
	act("#b", "assert", "text C")
	act("#b", "assert", "colour red")
	act("#nothing", "assert", "text C")
	act("#f", "mark", "absent")
	act("#p", "mark", "absent")
	act("#ro", "input", "x")
	act("#ro", "clear")
	act("#d", "input", "tomorrow")
	act("#d", "clear")
	act("#r", "set", "9999")
	act("#r", "set", "loud")
	act("#s", "select", "Three")
	act("#s", "select", "Two")
	act("#c", "check")
	act("#stubborn", "input", "x")
	act("_page", "fly")
	act("_page", "forward")
	act("_page", "press", "NoSuchKey")
	act("_page", "press", "")
	act("_page", "scroll", "sideways")
	act("_page", "scroll", "until:never to be seen")
	act("_page", "dialog", "accept")
	act("_page", "tab", "9")
	act("_page", "tab", "nowhere")
	act("_page", "tab", "new ht tp://x")
	act("_page", "upload", "/no/such/file")
	act("_page", "viewport", "huge")
	act("_page", "assert", "title Even")
	for _, url := range []string{"", "http://", "nosuch.invalid", "http://127.0.0.1:1/", "javascript:1", "https://127.0.0.1:1/", "ht tp://x", "file:///etc/passwd", "chrome://version"} {
		add("go "+url, func(ctx context.Context) error { _, err := s.Go(ctx, url); return err })
	}
	for _, v := range verbs {
		bound, cancel := context.WithTimeout(ctx, 1500*time.Millisecond)
		err := v.run(bound)
		cancel()
		audit(t, v.name, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func() error{
		"go":   func() error { _, err := s.Go(ctx, "about:blank"); return err },
		"look": func() error { _, err := s.Look(ctx, rove.LookOptions{}); return err },
		"act":  func() error { _, err := s.Act(ctx, step("#b", "click")); return err },
		"wait": func() error { _, err := s.Wait(ctx, "idle", time.Second); return err },
		"eval": func() error { _, err := s.Eval(ctx, "1"); return err },
	} {
		audit(t, "closed: "+name, run())
	}
}

// advice are the beginnings of what an error may tell to do within its sentence.
var advice = []string{"say ", "use ", "write ", "needs ", "there are", "there is no operation", "it has ", "a number", "leave ", "look ", "click ", "give ", "such as", "Error", "not a regular", "remembered", "there was no", "is not a key", "nothing to", "refs look like", "is not a size", "keys are", "the plus itself is", "Say a property", "a locator is", "write it as"}

func audit(t *testing.T, name string, err error) {
	t.Helper()
	var e *rove.Error
	switch {
	case err == nil:
		t.Errorf("%s: no error", name)
	case !errors.As(err, &e):
		t.Errorf("%s: an error without a code: %v", name, err)
	case e.Code == "" || e.Code == rove.CodeProtocol:
		t.Errorf("%s: code %q: %v", name, e.Code, err)
	case e.Message == "" || strings.Contains(err.Error(), "-32"):
		t.Errorf("%s: %v", name, err)
	case e.Hint == "":
		for _, a := range advice {
			if strings.Contains(e.Message, a) {
				return
			}
		}
		t.Errorf("%s: what to do next? %v [%s]", name, err, e.Code)
	}
}
