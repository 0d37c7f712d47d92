package rove_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/derive"
	"rove/internal/outlet"
	"rove/internal/testkit"
	"rove/internal/testkit/apps"
	"rove/recording"
)

// does has a session do steps, each written as a model would.
func does(t *testing.T, ctx context.Context, s *rove.Session, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if to, ok := strings.CutPrefix(line, "go "); ok {
			if _, err := s.Go(ctx, to); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			continue
		}
		parts := strings.SplitN(line, "|", 3)
		st := rove.Step{Ref: parts[0], Op: parts[1]}
		if len(parts) > 2 {
			st.Value = parts[2]
		}
		if _, err := s.Act(ctx, st); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// adds is the way of somebody who logs in, adds a contact, filters and deletes.
func adds(base string) []string {
	return []string{
		"go " + base + "/login",
		"{input}Email|input|" + apps.User,
		"{input}Password|input|" + apps.Password,
		"{button}Sign in|click",
		"{button}Add contact|click",
		"{input}Name|input|Ada Lovelace",
		"{input}Email address|input|countess@example.com",
		"{select}Team|select|Poetry",
		"{input}I have asked them|check",
		"{button}Save|click",
		"{searchbox}Filter|input|Ada",
		"{searchbox}Filter|input|",
		"{button:1}Delete|click",
		"_page|dialog|accept",
	}
}

func derived(t *testing.T, s *rove.Session) *recording.Flow {
	t.Helper()
	f, err := derive.Flow(s.Recording(), derive.Options{Name: "contacts"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// again replays a flow in a session of its own.
func again(t *testing.T, ctx context.Context, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
	t.Helper()
	s, err := browser.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if opts.Params == nil {
		opts.Params = map[string]string{"password": apps.Password}
	}
	return s.Replay(ctx, f, opts)
}

// TestRecordedFlowsReplay does a flow on an application, derives it and does it
// again: on one as it was, on one with other ids and classes, and on broken ones.
func TestRecordedFlowsReplay(t *testing.T) {
	testkit.Parallel(t)
	for _, shifting := range []bool{false, true} {
		name := "steady"
		if shifting {
			name = "shifting"
		}
		t.Run(name, func(t *testing.T) {
			ctx, s := open(t)
			app := apps.New()
			app.Shifting = shifting
			base := testkit.ServeHandler(t, app)
			does(t, ctx, s, adds(base)...)
			f := derived(t, s)
			var file bytes.Buffer
			if err := s.SaveRecording(&file); err != nil {
				t.Fatal(err)
			}
			if err := f.Write(&file); err != nil {
				t.Fatal(err)
			}
			for _, form := range []string{apps.Password, base64.StdEncoding.EncodeToString([]byte(apps.Password)), url.QueryEscape(apps.Password), url.PathEscape(apps.Password)} {
				if strings.Contains(file.String(), form) {
					t.Errorf("the password is in the recording, as %s", form)
				}
			}
			app.Reset()
			r, err := again(t, ctx, f, rove.ReplayOptions{})
			if err != nil {
				t.Fatalf("%v\n%s", err, strings.Join(r.Trace, "\n"))
			}
			if r.Done != len(f.Steps) || r.Checked == 0 || len(r.Heals) > 0 {
				t.Errorf("%+v", r)
			}
			if shifting {
				return
			}
			for _, broken := range []string{"login", "save", "lose", "gone", "delete", "title", "rename"} {
				t.Run(broken, func(t *testing.T) {
					t.Parallel()
					app := apps.New()
					app.Break(broken)
					opts := rove.ReplayOptions{Base: testkit.ServeHandler(t, app), Patience: 500 * time.Millisecond}
					if broken == "rename" { // which heals
						opts.Patience = 5 * time.Second
					}
					r, err := again(t, testkit.Context(t), f, opts)
					switch {
					case broken == "rename":
						if err != nil || len(r.Heals) != 1 || r.Heals[0].Renamed != "New person" {
							t.Errorf("%v %+v", err, r.Heals)
						}
					case err == nil:
						t.Errorf("it passes on a broken application\n%s", r.Text())
					case broken == "gone":
						has(t, err.Error(), `"Add contact"`, "there is", `heading "Contacts"`)
					}
				})
			}
		})
	}
}

// TestReplayHidesItsSecrets: the value of a parameter that is a secret is not told,
// whatever the page makes of it.
func TestReplayHidesItsSecrets(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	const value = "Kq7v-Tz9p-Lw2m"
	base := serve(t, `<input id=p type=password aria-label=Password oninput="document.title = value; history.replaceState(0, '', '#' + value); b.textContent = 'Sign in as ' + value"><button id=b>Sign in</button>`)
	f := &rove.Flow{Steps: []recording.Do{
		{Op: "go", Value: "/"},
		{Op: "input", Who: &recording.Identity{Role: "textbox", Name: "Password", Ways: []recording.Way{{By: "css", Query: "#p"}}}, Value: "{{param:PASS}}"},
		{Op: "click", Who: &recording.Identity{Role: "button", Name: "Sign in", Ways: []recording.Way{{By: "css", Query: "#b"}}}, Checks: []recording.Check{{Kind: "title", Text: "Welcome"}}},
	}}
	f.Base, f.Params = base, []recording.Param{{Name: "PASS", Kind: recording.Secret}}
	ctx := testkit.Context(t)
	s, err := browser.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := s.Replay(ctx, f, rove.ReplayOptions{Params: map[string]string{"PASS": value}, Patience: time.Second})
	data, _ := json.Marshal(r)
	if told := fmt.Sprint(r.Text(), string(data), err, s.URL()); err == nil || !strings.Contains(told, "••••") || strings.Contains(told, value) {
		t.Errorf("%v: %s", err, told)
	}
	// A flow may be anybody's: what the environment has is for flows of one's own.
	f.Params[0].Env = "PATH"
	for _, own := range []bool{false, true} {
		r, err := s.Replay(ctx, f, rove.ReplayOptions{Environment: own, Patience: 300 * time.Millisecond})
		if typed := r.Done >= 2; typed != own || own == (code(err) == rove.CodeInvalid) {
			t.Errorf("with what the environment has: %v: typed %v, %v", own, typed, err)
		}
	}
}

// TestFramesReplay does a form in a frame again, in an application with other ids.
func TestFramesReplay(t *testing.T) {
	ctx, s := open(t)
	app := apps.New()
	app.Shifting = true
	base := testkit.ServeHandler(t, app)
	does(t, ctx, s, "go "+base+"/frames", "{input}Dish|input|Soup", "{button}Order|click")
	f := derived(t, s)
	last := f.Steps[len(f.Steps)-1]
	if len(f.Steps) != 3 || len(last.Who.Frame) != 1 || last.Who.Frame[0].Name != "order" {
		t.Fatalf("%+v", last)
	}
	r, err := again(t, ctx, f, rove.ReplayOptions{})
	if err != nil || r.Checked < 3 {
		t.Errorf("%v %+v", err, r)
	}
	if _, err := again(t, ctx, f, rove.ReplayOptions{Skip: 3, Patience: 300 * time.Millisecond}); err == nil {
		t.Error("nothing was ordered, and it passes")
	}
}

// TestFlowsByName: a model is told of a flow that is kept, in one line, and calls it
// as a step; where it stops, the model goes on from there.
func TestFlowsByName(t *testing.T) {
	ctx, s := open(t)
	app := apps.New()
	base := testkit.ServeHandler(t, app)
	does(t, ctx, s, "go "+base+"/login", "{input}Email|input|"+apps.User, "{input}Password|input|"+apps.Password, "{button}Sign in|click")
	f := derived(t, s)
	f.Name = "login"
	if err := s.KeepFlow(f); err != nil {
		t.Fatal(err)
	}
	other, err := s.Fresh(ctx)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, other)
	page, err := other.Go(ctx, base+"/login")
	if err != nil {
		t.Fatal(err)
	}
	has(t, page.Text(), "\nflows: login (_page run NAME)")
	done, err := other.Act(ctx, rove.Step{Ref: "_page", Op: "run", Value: "login"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, done.Text(), "ok run login", "replayed 4 of 4 steps", "Grace Hopper")
	if _, err := other.Act(ctx, rove.Step{Ref: "_page", Op: "run", Value: "logout"}); code(err) != rove.CodeInvalid {
		t.Error(err)
	} else {
		has(t, err.Error(), `no flow "logout"`, "there are login")
	}
	app.Break("login")
	quick, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := other.Act(quick, rove.Step{Ref: "_page", Op: "run", Value: "login"})
	if err == nil {
		t.Fatal("it does not notice that nobody can log in")
	}
	has(t, err.Error(), "step 4 of 4")
	has(t, r.Text(), "Wrong e-mail or password")
	if err := s.KeepFlow(&rove.Flow{}); code(err) != rove.CodeInvalid {
		t.Error(err)
	}
}

// TestIdentities: each element is known by what a person would say, and never by
// what a program made up.
func TestIdentities(t *testing.T) {
	ctx, s := open(t)
	base := serve(t, `<title>t</title>
		<button data-testid=save id=x>Save</button>
		<button id=css-1ab2c3>Twice</button><section><h2>Other</h2><button class=sc-abXyZ>Twice</button></section>
		<label for=r4nd0m17>Town</label><input id=r4nd0m17>
		<input id=zip aria-hidden=false>
		<table><tr><td>INV-7</td><td><button id=edit-17>Edit</button></td></tr><tr><td>INV-8</td><td><button id=edit-18>Edit</button></td></tr></table>
		<div onclick="1" tabindex=0 id=":r1:">Plain</div>
		<label>Agree <input type=checkbox name=agree></label>
		<style>.up { text-transform: uppercase }</style><button class=up>Send</button><a href=/all class=up>Notes</a><p id=here><a href=/notes>Notes</a></p>
		<table><tr><th><a href=/7>Lavinia</a></th><td>101</td></tr><tr><th><a href=/8>Malafrena</a></th><td>102</td></tr></table>
		<fieldset><legend>Bill</legend><label for=payer>Who paid?</label><select id=payer name=payer><option>Ada</select></fieldset><p hidden><label for=payer>Payer</label><select id=payer name=payer></select></p>
		<a href="/export?token=s3cr3t">Export</a><button><b>Save
all</b></button>`)
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{
		"[data-testid=save]":     `testid [data-testid="save"]`,
		"section button":         `place //section[.//*[normalize-space(.)='Other']]//button[normalize-space(.)='Twice']`,
		"#r4nd0m17":              `role //input[@id=//label[normalize-space(.)='Town']/@for]`,
		"#zip":                   `attr #zip`,
		"tr:nth-child(2) button": `place //tr[.//*[normalize-space(.)='INV-8']]//button[normalize-space(.)='Edit']`,
		"div":                    `text //div[normalize-space(text())='Plain']`,
		"[name=agree]":           `role //label[normalize-space(.)='Agree']//input`,
		"button.up":              `role //button[normalize-space(.)='Send']`,
		"fieldset select":        `place //fieldset[.//*[normalize-space(.)='Bill']]//select[@name='payer']`,
		"#here a":                `attr a[href="/notes"]`,
		"[href='/7']":            `role {a}Lavinia`,
		"[href*=export]":         `role {a}Export`,
		"//button[b]":            `role //button[normalize-space(.)='Save all']`,
	} {
		if _, err := s.Act(ctx, rove.Step{Ref: ref, Op: "focus"}); err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		steps := s.Recording().Steps
		id := steps[len(steps)-1].Who
		if got := id.Ways[0].By + " " + id.Ways[0].Query; got != want {
			t.Errorf("%s: %s, want %s\n%+v", ref, got, want, id.Ways)
		}
		if slices.ContainsFunc(id.Ways, func(w recording.Way) bool { return strings.Contains(w.Query, "s3cr3t") }) {
			t.Errorf("%s is known by a secret: %+v", ref, id.Ways)
		}
		if id.Ways[len(id.Ways)-1].By != "css" {
			t.Errorf("%s: the last way is %+v", ref, id.Ways[len(id.Ways)-1])
		}
	}
}

// TestWhatNoTextSaysIsNotChecked has icons whose names only a style draws come with a step: no script could look for those.
func TestWhatNoTextSaysIsNotChecked(t *testing.T) {
	ctx, s := open(t)
	base := serve(t, `<title>t</title><style>i { cursor: pointer } i::after { content: attr(data-icon) }</style>
		<button onclick="at.innerHTML = '<i data-icon=rocket></i> <i data-icon=bolt></i> <a href=/x aria-label=Elsewhere><i data-icon=more></i></a> <a href=/y>Ready</a>'">Show</button><div id=at></div>`)
	does(t, ctx, s, "go "+base, "{button}Show|click")
	var said []string
	for _, l := range s.Recording().Steps[1].Page.Appeared {
		said = append(said, l.Name)
	}
	if !slices.Equal(said, []string{"Ready"}) {
		t.Errorf("what came: %q", said)
	}
}

// TestFailedTriesKeepNoSecret has what would have been typed, had nothing failed
// before, not be in the recording: nobody knows what field it was meant for.
func TestFailedTriesKeepNoSecret(t *testing.T) {
	t.Parallel()
	ctx, s := open(t)
	base := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(`<title>Log in</title><label>User <input id="u"></label><label>Password <input id="p" type="password"></label>`)})
	const word = "correct-horse-battery"
	does(t, ctx, s, "go "+base+"/")
	for _, steps := range [][]rove.Step{
		{{Ref: "#nobody", Op: "input", Value: "ada"}, {Ref: "#p", Op: "input", Value: word}},
		{{Ref: "#passwort", Op: "input", Value: word}},
		{{Ref: "#passwort", Op: "type", Value: word}},
	} {
		if _, err := s.Act(ctx, steps...); err == nil {
			t.Fatal("there is no such field")
		}
	}
	var file bytes.Buffer
	if err := s.SaveRecording(&file); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(file.String(), word) || !strings.Contains(file.String(), "#passwort") {
		t.Errorf("the recording is\n%s", &file)
	}
}

// TestIdentityOfWhatMovesAndLists: what never rests, and what makes a list by itself,
// is known as well.
func TestIdentityOfWhatMovesAndLists(t *testing.T) {
	t.Parallel()
	ctx, s := open(t)
	base := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(`<title>Moves</title><style>@keyframes sway { to { transform: translateX(30px) } } #go { animation: sway 2s linear infinite alternate }</style>
<button id="go" onclick="document.title = 'gone'">Go</button>
<div role="combobox" tabindex="0" aria-label="Kind" aria-expanded="false" aria-controls="list" onmousedown="this.setAttribute('aria-expanded', true); list.hidden = false">None</div>
<ul id="list" role="listbox" hidden><li role="option" onclick="document.querySelector('[role=combobox]').textContent = 'Toy'; list.hidden = true">Toy</li></ul>`)})
	does(t, ctx, s, "go "+base+"/", "#go|click", "[role=combobox]|select|Toy")
	rec := s.Recording()
	if rec.Size == nil || rec.Size.Width != 1280 {
		t.Errorf("the size is %v", rec.Size)
	}
	for i, want := range []string{"", "Go", "Kind"} {
		if st := rec.Steps[i]; want != "" && (st.Who == nil || st.Who.Name != want) {
			t.Errorf("%s was done to %+v, want %s", st.Op, st.Who, want)
		}
	}
}

// TestPasswordThatTheAddressHas keeps addresses whole where a password is a word of
// theirs: they are what a flow goes by.
func TestPasswordThatTheAddressHas(t *testing.T) {
	t.Parallel()
	ctx, s := open(t)
	base := testkit.Serve(t, map[string]http.HandlerFunc{"/admin/": testkit.Page(`<title>Log in</title><form action="/admin/in"><label>Password <input id="p" type="password"></label><button>Log in</button></form>`), "/says/": testkit.Page(`<label>Password <input id="p" type="password"></label><button onclick="said.textContent = 'You said ' + p.value; code.textContent = btoa(unescape(encodeURIComponent(p.value)))">Log in</button><p id="said"></p><p id="code"></p>`)})
	does(t, ctx, s, "go "+base+"/admin/", "#p|input|admin", "{button}Log in|click")
	rec := s.Recording()
	if at := rec.Steps[2].Page.URL; !strings.HasPrefix(at, base+"/admin/in") {
		t.Errorf("the address is %s", at)
	}
	if v := rec.Steps[1].Value; strings.Contains(v, "admin") {
		t.Errorf("the password is there: %s", v)
	}
	// A page that says it, as it is and in other letters.
	does(t, ctx, s, "go "+base+"/says/", "#p|input|k4rl Öz-9", "{button}Log in|click")
	var file bytes.Buffer
	if err := s.SaveRecording(&file); err != nil {
		t.Fatal(err)
	}
	hasNot(t, file.String(), "Öz-9", base64.StdEncoding.EncodeToString([]byte("k4rl Öz-9")))
	has(t, file.String(), `You said `+outlet.Mask)
}
