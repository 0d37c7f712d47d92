package rove_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"rove"
)

// rebuilt is an application that rebuilds all it shows at every click, in one of the
// ways that applications do: its elements are others each time.
func rebuilt(how string) string {
	return `<!doctype html><meta charset=utf-8><title>Tasks</title><body><div id=app></div><script>
const state = { tasks: ['Milk', 'Bread', 'Eggs'].map((name) => ({ name, done: false, star: false })), dialog: '', said: '', n: 0 };
const html = () => ` + "`" + `<header><h1>Tasks (${state.tasks.length})</h1><nav><a href="#a">Home</a> <a href="#b">Reports</a></nav></header>
${state.said ? '<div role=status>' + state.said + '</div>' : ''}
<form><label>New task <input id=name></label><button type=button data-do=add>Add</button></form>
<button data-do=inbox>Inbox (${state.n})</button>
<div class=list>${state.tasks.map((t, i) => '<div class=task><input type=checkbox data-do=tick data-i=' + i + (t.done ? ' checked' : '') + '><span>' + t.name + '</span><button data-do=star title=Star data-i=' + i + '>' + (t.star ? '★' : '☆') + '</button><button data-do=edit data-i=' + i + '>Edit</button><button data-do=drop data-i=' + i + '>Delete</button></div>').join('')}</div>
${state.dialog ? '<div role=dialog aria-label="Edit task"><label>Title <input id=title value="' + state.dialog + '"></label><button data-do=save>Save</button><button data-do=close>Delete</button></div>' : ''}` + "`" + `;
const ways = {
  innerHTML() { app.innerHTML = html() },
  template() { const t = document.createElement('template'); t.innerHTML = html(); app.replaceChildren(t.content.cloneNode(true)) },
  root() { const fresh = app.cloneNode(false); fresh.innerHTML = html(); document.getElementById('app').replaceWith(fresh) },
  listeners() { app.innerHTML = html().replace(/<button([^>]*)data-do=edit/g, '<div$1data-do=edit').replace(/>Edit<\/button>/g, '>Edit</div>'); for (const d of app.querySelectorAll('div[data-do]')) d.addEventListener('click', () => 1) },
  later() { setTimeout(() => requestAnimationFrame(() => { app.innerHTML = html() })) },
};
const render = ways.` + how + `;
document.addEventListener('click', (e) => {
  const b = e.target.closest('[data-do]');
  if (!b) return;
  const { do: what, i } = b.dataset;
  const task = state.tasks[i];
  state.said = '';
  if (what === 'add') { state.tasks.push({ name: document.getElementById('name').value }); state.said = 'Task added'; }
  if (what === 'tick') task.done = !task.done;
  if (what === 'star') task.star = !task.star;
  if (what === 'edit') state.dialog = task.name;
  if (what === 'drop') state.tasks.splice(i, 1);
  if (what === 'save' || what === 'close') state.dialog = '';
  state.n++;
  render();
});
render();
</script>`
}

// refIn finds the ref of a line's element: the nth that a pattern has.
func refIn(t *testing.T, view, pattern string, nth int) string {
	t.Helper()
	all := regexp.MustCompile(`(f?\d*e\d+) `+pattern).FindAllStringSubmatch(view, -1)
	if len(all) < nth {
		t.Fatalf("no %d. %s in:\n%s", nth, pattern, view)
	}
	return all[nth-1][1]
}

// Whatever an application does to its elements: what says the same in the same place
// keeps its ref, a batch goes on, and nothing is told that did not change.
func TestRefsSurviveRebuilding(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"innerHTML", "template", "root", "listeners", "later"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			page, err := s.Go(ctx, serve(t, rebuilt(how)))
			if err != nil {
				t.Fatal(err)
			}
			view := page.Text()
			act := func(steps ...rove.Step) string {
				t.Helper()
				r, err := s.Act(ctx, steps...)
				if err != nil {
					t.Fatalf("%v\n%s", err, r.Text())
				}
				return r.Text()
			}
			name, add, inbox := refIn(t, view, `textbox "New task"`, 1), refIn(t, view, `button "Add"`, 1), refIn(t, view, `button "Inbox`, 1)
			tickBread, starBread := refIn(t, view, `checkbox`, 2), refIn(t, view, `button "☆"`, 2)
			dropMilk, dropBread, dropEggs := refIn(t, view, `button "Delete"`, 1), refIn(t, view, `button "Delete"`, 2), refIn(t, view, `button "Delete"`, 3)
			editEggs := refIn(t, view, `(?:button|clickable) "Edit"`, 3)

			// One click: all is rebuilt, one thing changed.
			text := act(step(inbox, "click"))
			has(t, text, inbox+` button "Inbox (0)" → "Inbox (1)"`)
			hasNot(t, text, "\n+", "\n-")

			// A batch whose every step rebuilds the page.
			text = act(step(tickBread, "check"), step(starBread, "click"), step(name, "input", "Jam"), step(add, "click"), step(dropMilk, "click"))
			has(t, text, `"Jam" `, `- "Milk" and 4 below`)
			hasNot(t, text, `"Eggs"`, "+ "+add, "- "+add, "+ "+inbox)
			if got, _ := s.Eval(ctx, "state.tasks.map((t) => t.name + (t.done ? ' done' : '') + (t.star ? ' star' : '')).join()"); got.Text() != `"Bread done star,Eggs,Jam"` {
				t.Errorf("the batch did %s", got.Text())
			}
			// What is gone stays gone: no other row's button is it.
			r, err := s.Act(ctx, step(dropMilk, "click"))
			if code(err) != rove.CodeStale {
				t.Fatalf("deleted something else: %v\n%s", err, r.Text())
			}
			hasNot(t, err.Error(), dropBread, dropEggs)

			// A dialog that came with all else anew; its Delete is no row's.
			text = act(step(editEggs, "click"))
			has(t, text, `+ dialog "Edit task"`, `="Eggs"`)
			if n := strings.Count(text, "\n+"); n > 4 {
				t.Errorf("%d lines for a dialog of four:\n%s", n, text)
			}
			act(step(refIn(t, text, `button "Delete"`, 1), "click"), step(dropBread, "click"))
			if got, _ := s.Eval(ctx, "state.tasks.map((t) => t.name).join()"); got.Text() != `"Eggs,Jam"` {
				t.Errorf("deleted the wrong one: %s", got.Text())
			}
		})
	}
}

// A ref goes over only to what is new, in its place and without doubt.
func TestNoWrongSuccessor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, page, change string
		ref                string // of the first look; it must not go over
		like               []string
	}{
		{
			"another entry in the place of the only one", `<div id=d><ul><li>Invoice 1 <button>Delete</button></ul></div>`,
			`d.innerHTML = '<ul><li>Invoice 2 <button>Delete</button></ul>'`, "button \"Delete\"",
			[]string{`button "Delete" is gone`},
		},
		{
			"a card with the same labels and another thing", `<div id=d><div>Title: <b>Milk</b><button>Edit</button><button>Up</button><button>Down</button></div></div>`,
			`d.innerHTML = d.innerHTML.replace('Milk', 'Bread')`, `button "Edit"`, nil,
		},
		{
			"one of two that say the same", `<div id=d><p>New <button>Open</button></p><p>New <button>Open</button></p></div>`,
			`d.innerHTML = '<p>New <button>Open</button></p>'`, `button "Open"`,
			[]string{"like it and new: e"},
		},
		{
			"rows without words", `<div id=d><h2>Rows</h2><div><input><button>x</button></div><div><input><button>x</button></div><div><input><button>x</button></div></div>`,
			`d.innerHTML = '<h2>Rows</h2>' + '<div><input><button>x</button></div>'.repeat(2)`, `button "x"`,
			[]string{"like it and new: e"},
		},
		{
			"the same words in a dialog", `<div id=d><p>Milk <button>Delete</button></p></div>`,
			`d.innerHTML = '<p>Milk</p><div role=dialog aria-label=Sure><button>Delete</button></div>'`, `button "Delete"`,
			[]string{`in dialog "Sure"`},
		},
		{
			"one that was there before as something else", `<div id=d><label>Name <input id=a></label></div><label id=l>Code <input id=b></label>`,
			`d.innerHTML = ''; l.firstChild.data = 'Name '`, `textbox "Name"`,
			[]string{"look to see"},
		},
		{
			"a field of another dialog", `<div id=d><div role=dialog aria-label="Edit Ann"><label>Mail <input></label><button>Save</button></div></div>`,
			`d.innerHTML = '<div role=dialog aria-label="Edit Bob"><label>Mail <input></label><button>Save</button></div>'`, `textbox "Mail"`,
			[]string{`in dialog "Edit Bob"`},
		},
		{
			"another order of the same names", `<div id=d><h3>Ann</h3><button>Pay</button><h3>Bob</h3><button>Pay</button></div>`,
			`d.innerHTML = '<h3>Bob</h3><button>Pay</button><h3>Cy</h3><button>Pay</button>'`, `button "Pay"`,
			[]string{"like it and new"},
		},
		{
			"a detail of another thing", `<div id=d><main><h2>Invoice 7</h2><p>Customer</p><p>Ann</p><p>Amount</p><p>12</p><button>Pay</button><button>Print</button></main></div>`,
			`d.innerHTML = d.innerHTML.replace('Invoice 7', 'Invoice 8').replace('Ann', 'Bob').replace('12', '900')`, `button "Pay"`,
			[]string{"like it and new"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			page, err := s.Go(ctx, serve(t, `<!doctype html><title>S</title>`+c.page+`<p><button>Other</button>`))
			if err != nil {
				t.Fatal(err)
			}
			ref := refIn(t, page.Text(), c.ref, 1)
			if _, err := s.Eval(ctx, `window.hit = 0; addEventListener('click', () => hit++); `+c.change+`; 1`); err != nil {
				t.Fatal(err)
			}
			r, err := s.Act(ctx, step(ref, "click"))
			if code(err) != rove.CodeStale {
				t.Fatalf("%s went over: %v\n%s", ref, err, r.Text())
			}
			has(t, r.Text(), c.like...)
			if strings.Contains(err.Error(), "the same is") {
				t.Errorf("claims a successor: %v", err)
			}
			if got, _ := s.Eval(ctx, "hit"); got.Text() != "0" {
				t.Errorf("something was clicked")
			}
		})
	}
}

// Marks, counts, prices and clocks in a name are no other thing; another number is.
func TestDecorationIsNotIdentity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		was, is string
		same    bool
	}{
		{"Password", "Password *", true},
		{"Inbox (3)", "Inbox (4)", true},
		{"Inbox · 3", "Inbox · 4", true},
		{"البريد (٣)", "البريد (٤)", true},
		{"Room · 3a", "Room · 4a", false},
		{"Name", "Name ▲", true},
		{"Buy now $12.50", "Buy now $13.00", true},
		{"Pause 12:30:01", "Pause 12:30:02", true},
		{"3 unread messages", "4 unread messages", true},
		{"Volume 40%", "Volume 45%", true},
		{"Phone", "Phone (required)", true},
		{"Row 4321", "Row 4327", false},
		{"Order 12", "Order 13", false},
		{"Ann", "Bob", false},
		{"Save", "Delete", false},
	} {
		t.Run(c.was+" → "+c.is, func(t *testing.T) {
			t.Parallel()
			for _, other := range []bool{false, true} { // the same node, and another in its place
				ctx, s := open(t)
				page := fmt.Sprintf(`<!doctype html><meta charset=utf-8><title>N</title><h1>Page</h1><div id=d><p>Text <button onclick="document.title='pressed'">%s</button></p></div>`, c.was)
				if _, err := s.Go(ctx, serve(t, page)); err != nil {
					t.Fatal(err)
				}
				js := fmt.Sprintf(`d.querySelector('button').textContent = %q; 1`, c.is)
				if other {
					js = fmt.Sprintf(`d.innerHTML = d.innerHTML.replace(%q, %q); 1`, c.was, c.is)
				}
				if _, err := s.Eval(ctx, js); err != nil {
					t.Fatal(err)
				}
				r, err := s.Act(ctx, step("e1", "click"))
				if (err == nil) != c.same {
					t.Errorf("another element %v: %v\n%s", other, err, r.Text())
				} else if c.same {
					has(t, r.Text(), fmt.Sprintf("ok click e1 %q", c.is), `title "N" → "pressed"`)
				}
			}
		})
	}
}

// Of a virtual list the same nodes say something else: several are called so but for a
// figure, and none is taken for another.
func TestRecycledRowsAreRefused(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<title>R</title><div id=d><button>Item (1)</button><button>Item (2)</button><button>Item (3)</button></div>`)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Eval(ctx, `for (const b of d.children) b.textContent = b.textContent.replace(/\d/, (n) => +n + 3); 1`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(ctx, step("e1", "click")); code(err) != rove.CodeStale {
		t.Errorf("a recycled row was clicked: %v", err)
	}
}
