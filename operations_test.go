package rove_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rove"
)

// everyKind has an element of every role that takes operations, in the states
// that change which.
const everyKind = `<!doctype html><meta charset=utf-8><title>Kinds</title><div id=stage></div><template id=all>
<button id=button>Button</button><button id=button-off disabled>Off</button>
<a id=link href="#x">Link</a><span id=clickable style="cursor:pointer" onclick="0">Clickable</span>
<input id=textbox aria-label=Textbox><input id=textbox-full aria-label=Full value=text><input id=textbox-read aria-label=Read value=text readonly><input id=textbox-off aria-label=Off disabled>
<textarea id=area aria-label=Area></textarea><input id=search type=search aria-label=Search><input id=mail type=email aria-label=Mail value=a@b.c><input id=pass type=password aria-label=Pass>
<div id=rich contenteditable aria-label=Rich>rich</div>
<input id=checkbox type=checkbox aria-label=Box><input id=checkbox-on type=checkbox checked aria-label=On><input id=checkbox-off type=checkbox disabled aria-label=Off>
<div id=switch role=switch tabindex=0 aria-checked=false onclick="ariaChecked = ariaChecked === 'true' ? 'false' : 'true'">Switch</div>
<div id=mixed role=checkbox tabindex=0 aria-checked=mixed onclick="ariaChecked = 'true'" ondblclick="0">Mixed</div>
<input id=radio type=radio name=r aria-label=Radio><input id=radio-on type=radio name=r checked aria-label=RadioOn>
<select id=combobox aria-label=Combo><option>One<option>Two</select><select id=combobox-off disabled aria-label=ComboOff><option>One</select>
<select id=listbox size=2 aria-label=List><option>One<option>Two</select><select id=many multiple aria-label=Many><option>One<option>Two</select>
<ul id=aria-list role=listbox aria-label=AriaList><li role=option id=o1 tabindex=0 onclick="ariaSelected = 'true'">One</li><li role=option id=o2 tabindex=0 onclick="ariaSelected = 'true'">Two</li></ul>
<input id=slider type=range min=0 max=10 aria-label=Slider><input id=spin type=number aria-label=Spin>
<div id=aria-slider role=slider tabindex=0 aria-valuenow=3 aria-valuemin=0 aria-valuemax=10 aria-label=AriaSlider onkeydown="if (event.key === 'ArrowRight') ariaValueNow = +ariaValueNow + 1; if (event.key === 'ArrowLeft') ariaValueNow = +ariaValueNow - 1">3</div>
<input id=date type=date aria-label=Date><input id=date-full type=date aria-label=DateFull value=2026-01-01><input id=colour type=color aria-label=Colour>
<input id=file type=file aria-label=File><input id=file-off type=file disabled aria-label=FileOff>
<div role=tablist><div id=tab role=tab tabindex=0 onclick="0">Tab</div></div><div role=menu aria-label=Menu><div id=item role=menuitem tabindex=0 onclick="0">Item</div><div id=item-box role=menuitemcheckbox tabindex=0 aria-checked=false onclick="ariaChecked = ariaChecked === 'true' ? 'false' : 'true'">ItemBox</div></div>
<div role=tree aria-label=Tree><div id=branch role=treeitem tabindex=0 aria-expanded=false onclick="0">Branch</div></div>
<div id=scroller role=region aria-label=Scroller style="height:40px;overflow:auto" tabindex=0><p style="height:200px">long</p></div>
<p id=plain>Plain text</p>
</template><script>function again() { stage.replaceChildren(all.content.cloneNode(true)); for (const e of stage.querySelectorAll('[id]')) e.dataset.id = e.id; return 1 } again()</script>`

// Every operation that is offered is accepted; what makes no sense for an element
// as it is now is not offered, and if tried is refused with the reason.
func TestEveryOfferedOperationIsAccepted(t *testing.T) {
	url := serve(t, everyKind)
	at := func() (context.Context, *rove.Session) {
		ctx, s := open(t)
		if _, err := s.Go(ctx, url); err != nil {
			t.Fatal(err)
		}
		return ctx, s
	}
	ctx, s := at()
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"input": "7", "type": "7", "select": "Two", "set": "5", "upload": file, "scroll": "down"}
	special := map[string]string{"date": "2026-11-15", "date-full": "2026-11-15", "colour": "#336699"} // that take no 7
	specific := []string{"click", "input", "type", "clear", "check", "uncheck", "select", "set", "upload"}

	look, err := s.Look(ctx, rove.LookOptions{Budget: new(0)})
	if err != nil {
		t.Fatal(err)
	}
	offered := map[string][]string{} // by id
	roles := map[string]bool{}
	for ref, ops := range look.Actions.Map() {
		if ref == "_page" {
			continue
		}
		r, err := s.Act(ctx, step(ref, "attribute", "data-id"))
		if err != nil {
			t.Fatal(err)
		}
		offered[*r.Done[0].Effect.Text] = ops
	}
	for _, m := range regexp.MustCompile(`(?m)^ *e\d+ (\w+)`).FindAllStringSubmatch(look.Tree, -1) {
		roles[m[1]] = true
	}
	for _, role := range []string{"button", "link", "clickable", "textbox", "searchbox", "checkbox", "switch", "radio", "combobox", "listbox", "option", "slider", "spinbutton", "tab", "menuitem", "menuitemcheckbox", "treeitem"} {
		if !roles[role] {
			t.Errorf("no %s on the page", role)
		}
	}
	ids, err := s.Eval(ctx, `again(), [...stage.querySelectorAll('[id]')].map((e) => e.id).join(' ')`)
	if err != nil {
		t.Fatal(err)
	}
	var tried atomic.Int64
	// try tries all operations on one element.
	try := func(ctx context.Context, s *rove.Session, id string) {
		ops := slices.Concat(offered[id], specific)
		slices.Sort(ops)
		for _, op := range slices.Compact(ops) {
			if _, err := s.Eval(ctx, "again()"); err != nil {
				t.Error(err)
				return
			}
			value := values[op]
			if special[id] != "" && value != "" {
				value = special[id]
			}
			isOffered := slices.Contains(offered[id], op)
			bound, cancel := context.WithTimeout(ctx, 20*time.Second)
			if !isOffered {
				bound, cancel = context.WithTimeout(ctx, 400*time.Millisecond)
			}
			_, err := s.Act(bound, step("#"+id, op, value))
			cancel()
			tried.Add(1)
			switch {
			case isOffered && err != nil:
				t.Errorf("%s %s was offered, and refused: %v", op, id, err)
			case !isOffered && err == nil && !harmless(id, op):
				t.Errorf("%s %s was not offered (%v), and done", op, id, offered[id])
			case err != nil && !tells(err):
				t.Errorf("%s %s: the error says too little: %v", op, id, err)
			}
		}
	}
	// What is refused is often refused when its time is over: several wait together.
	all := make(chan string, 100)
	for _, id := range strings.Fields(strings.Trim(ids.Text(), `"`)) {
		all <- id
	}
	close(all)
	var wg sync.WaitGroup
	for range 4 {
		ctx, s := at()
		wg.Go(func() {
			for id := range all {
				try(ctx, s, id)
			}
		})
	}
	wg.Wait()
	// Ticking is a click only where it is needed; the focus alone is no change.
	for _, c := range []struct {
		id, op string
		clicks string
		on     string
	}{
		{"checkbox", "check", "1", "true"},
		{"checkbox-on", "check", "0", "true"},
		{"checkbox-on", "uncheck", "1", "false"},
		{"checkbox", "uncheck", "0", "false"},
	} {
		if _, err := s.Eval(ctx, "again(); window.clicks = 0; stage.onclick = () => clicks++; 1"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Act(ctx, step("#"+c.id, c.op)); err != nil {
			t.Error(err)
		}
		got, err := s.Eval(ctx, "clicks + ' ' + document.getElementById('"+c.id+"').checked")
		if err != nil || got.Text() != `"`+c.clicks+" "+c.on+`"` {
			t.Errorf("%s %s: %v, %v", c.op, c.id, got, err)
		}
	}
	if r, err := s.Act(ctx, step("#textbox", "focus")); err != nil || r.Changed {
		t.Errorf("focus: changed %v, %v", r.Changed, err)
	}
	if n := tried.Load(); n < 250 {
		t.Errorf("only %d operations tried", n)
	}
}

// harmless are operations that are not worth offering and do what is asked all the
// same: people click on fields, and what has a value can be given one by any name.
func harmless(id, op string) bool {
	if strings.HasSuffix(id, "-off") {
		return false
	}
	switch op {
	case "click":
		return true
	case "check":
		return id == "checkbox-on" || strings.HasPrefix(id, "radio")
	case "uncheck":
		return id == "checkbox" || id == "switch" || id == "item-box" || id == "radio"
	case "input", "set", "type":
		return slices.Contains(strings.Fields("combobox listbox many aria-list slider spin aria-slider date date-full colour file textbox textbox-full area search mail pass rich"), id)
	case "clear":
		return id == "spin"
	}
	return false
}

// tells is true of an error with a code that is worth something, and a sentence.
func tells(err error) bool {
	return rove.CodeOf(err) != "" && rove.CodeOf(err) != rove.CodeProtocol && len(fmt.Sprint(err)) > 25
}
