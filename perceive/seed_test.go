package perceive_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"rove/driver"
	"rove/perceive"
)

// rig is a browser for the tests of the seed: the mock, or a real one that shows
// the same page.
type rig struct {
	backend perceive.Backend
	home    string // the address it is at
	clicks  func() int
	typed   func() string // into the search field
	scroll  func() int
	keys    func() string // the last key, with its modifiers
	url     func() string
}

func mockRig(*testing.T) rig {
	m := perceive.NewMock()
	return rig{
		backend: m, home: "https://example.com",
		clicks: m.Clicks, scroll: m.Scrolled,
		typed: func() string {
			if t := m.Typed(); len(t) == 1 && t[0].ElementID == "ax_search" {
				return t[0].Text
			}
			return ""
		},
		keys: func() string {
			last := m.Presses()[len(m.Presses())-1]
			b, _ := json.Marshal(last.Modifiers)
			return last.Key + " " + string(b)
		},
		url: func() string { u, _ := m.URL(context.Background()); return u },
	}
}

const seedPage = `<!doctype html><title>Example Domain</title><style>body{margin:0;height:3000px}body>*{position:absolute;margin:0}</style>
<h1 style="left:100px;top:20px">Welcome to Example</h1>
<input aria-label="Search" style="left:100px;top:100px;width:300px;height:30px">
<button style="left:420px;top:100px;width:80px;height:30px" onclick="clicks++">Submit</button>
<button style="left:520px;top:100px;width:100px;height:30px" disabled>Disabled Action</button>
<script>let clicks = 0, keys = ''
addEventListener('keydown', (e) => { keys = e.key + ' ' + JSON.stringify(['shift', 'ctrl', 'alt', 'meta'].filter((m) => e[m + 'Key'])) })</script>`

func chromiumRig(t *testing.T) rig {
	v := open(t, map[string]string{"/": seedPage, "/search": seedPage})
	number := func(script string) int { return int(v.js(script).(float64)) }
	return rig{
		backend: v.page, home: v.url + "/",
		clicks: func() int { return number("clicks") },
		typed:  func() string { return v.js("document.querySelector('input').value").(string) },
		scroll: func() int { return number("Math.round(scrollY)") },
		keys:   func() string { return v.js("keys").(string) },
		url:    func() string { return v.js("location.href").(string) },
	}
}

// mission is a visitor at a rig, told by the names of tools.
type mission struct {
	*testing.T
	rig
	visitor *perceive.Visitor
}

func (m *mission) try(tool string, params map[string]any) (map[string]any, error) {
	m.Helper()
	out, err := m.visitor.Execute(m.Context(), tool, params)
	if err != nil {
		return nil, err
	}
	// As a program gets it.
	b, err := json.Marshal(out)
	if err != nil {
		m.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(b, &answer); err != nil {
		m.Fatal(err)
	}
	return answer, nil
}

func (m *mission) run(tool string, params map[string]any) map[string]any {
	m.Helper()
	out, err := m.try(tool, params)
	if err != nil {
		m.Fatalf("%s: %v", tool, err)
	}
	return out
}

// row finds the id of the row with a text, as the seed's tests do.
func (m *mission) row(observed map[string]any, text string) string {
	m.Helper()
	for line := range strings.Lines(observed["ui_map"].(string)) {
		if strings.HasPrefix(line, "[el_") && strings.Contains(line, text) {
			id, _, _ := strings.Cut(strings.TrimPrefix(line, "["), "]")
			return id
		}
	}
	m.Fatalf("no row has %q:\n%s", text, observed["ui_map"])
	return ""
}

func (m *mission) same(what string, got, want any) {
	m.Helper()
	if got != want {
		m.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestSeedTools runs the integration tests of the seed on both backends.
func TestSeedTools(t *testing.T) {
	tests := map[string]func(*mission){
		"browse_observe_produces_ui_map": func(m *mission) {
			out := m.run("browse_observe", nil)
			m.same("url", out["url"], m.home)
			m.same("title", out["title"], "Example Domain")
			if s := out["ui_map"].(string); !strings.Contains(s, "Submit") || !strings.Contains(s, "Search") {
				m.Errorf("ui_map:\n%s", s)
			}
			if out["element_count"].(float64) < 3 {
				m.Errorf("element_count %v", out["element_count"])
			}
			if out["screenshot_path"] == "" || out["screenshot_base64"] != nil {
				m.Error("the picture is to be a file, and only that")
			}
		},
		"browse_click_resolves_el_id_to_ax_ref": func(m *mission) {
			id := m.row(m.run("browse_observe", nil), "Submit")
			out := m.run("browse_click", map[string]any{"element_id": id})
			m.same("clicks", m.clicks(), 1)
			m.same("element_id", out["element_id"], id)
			m.same("status", out["status"], "clicked")
			if r, _ := out["resolved_id"].(string); !strings.HasPrefix(r, "ax_") {
				m.Errorf("resolved_id %q", r)
			}
		},
		"browse_type_resolves_and_types": func(m *mission) {
			m.run("browse_observe", nil)
			id := m.row(m.run("browse_observe", nil), "Search")
			out := m.run("browse_type", map[string]any{"element_id": id, "text": "hello world"})
			m.same("typed", m.typed(), "hello world")
			m.same("text", out["text"], "hello world")
			m.same("status", out["status"], "typed")
		},
		"browse_navigate": func(m *mission) {
			to := strings.TrimSuffix(m.home, "/") + "/search"
			out := m.run("browse_navigate", map[string]any{"url": to})
			m.same("url", m.url(), to)
			m.same("answer", out["url"], to)
			m.same("status", out["status"], "navigated")
		},
		"browse_scroll": func(m *mission) {
			out := m.run("browse_scroll", map[string]any{"delta_y": 300})
			m.same("scrolled", m.scroll(), 300)
			m.same("delta_y", out["delta_y"], 300.0)
			m.same("status", out["status"], "scrolled")
		},
		"full_mission_cycle": func(m *mission) {
			to := strings.TrimSuffix(m.home, "/") + "/search"
			m.run("browse_navigate", map[string]any{"url": to})
			seen := m.run("browse_observe", nil)
			m.run("browse_type", map[string]any{"element_id": m.row(seen, "Search"), "text": "rust programming"})
			m.run("browse_click", map[string]any{"element_id": m.row(seen, "Submit")})
			m.run("browse_observe", nil)
			m.same("clicks", m.clicks(), 1)
			m.same("typed", m.typed(), "rust programming")
			m.same("url", m.url(), to)
		},
		"click_without_observe_falls_back": func(m *mission) {
			_, err := m.try("browse_click", map[string]any{"element_id": "el_0"})
			fails(m, err, driver.CodeNotFound, "Expected AX node ID")
			_, err = m.try("browse_type", map[string]any{"element_id": "el_0", "text": "x"})
			fails(m, err, driver.CodeNotFound, "Expected AX node ID")
			m.same("clicks", m.clicks(), 0)
		},
		"browse_keypress": func(m *mission) {
			m.run("browse_observe", nil)
			out := m.run("browse_keypress", map[string]any{"key": "Enter"})
			m.same("key", out["key"], "Enter")
			m.same("status", out["status"], "pressed")
			if k := m.keys(); k != "Enter null" && k != "Enter []" {
				m.Errorf("pressed %s", k)
			}
		},
		"browse_wait": func(m *mission) {
			out := m.run("browse_wait", map[string]any{"condition": "page_loaded"})
			m.same("condition", out["condition"], "page_loaded")
			m.same("met", out["met"], true)
		},
		"unknown_tool_rejected": func(m *mission) {
			_, err := m.try("browse_nonexistent", nil)
			fails(m, err, driver.CodeInvalid, "browse_nonexistent", "browse_observe")
		},
	}
	for backend, make := range map[string]func(*testing.T) rig{"mock": mockRig, "chromium": chromiumRig} {
		for name, test := range tests {
			t.Run(backend+"/"+name, func(t *testing.T) {
				r := make(t)
				v := perceive.NewVisitor(r.backend, nil)
				defer v.Close()
				test(&mission{t, r, v})
			})
		}
	}
}

// TestIDsOfTheLastObservation: an id resolves through the last observation only;
// an older one is refused, and which observation it was of is said.
func TestIDsOfTheLastObservation(t *testing.T) {
	m := perceive.NewMock()
	v := perceive.NewVisitor(m, nil)
	defer v.Close()
	ctx := t.Context()
	observe := func() *perceive.Observed {
		o, err := v.Observe(ctx, perceive.ObserveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	click := func(id string) error { _, err := v.Click(ctx, id); return err }

	fails(t, click("el_1@obs_1"), driver.CodeStale, "there was no observation yet", "browse_observe")
	first := observe()
	if err := errors.Join(click("el_1"), click("el_1@obs_1"), click("ax_submit")); err != nil {
		t.Error(err)
	}
	fails(t, click("el_99"), driver.CodeStale, "obs_1", "has no el_99", "el_0 to el_3")
	second := observe()
	if first.Observation != "obs_1" || second.Observation != "obs_2" || v.Last() != second.Map {
		t.Errorf("observations %s and %s", first.Observation, second.Observation)
	}
	fails(t, click("el_1@obs_1"), driver.CodeStale, `el_1 is of "obs_1"`, "obs_2")
	if _, err := v.Navigate(ctx, "https://example.com/other"); err != nil {
		t.Fatal(err)
	}
	fails(t, click("el_1"), driver.CodeStale, "el_1 is of obs_2", "another page was opened since")
	if err := click("ax_submit"); err != nil {
		t.Error(err)
	}
	m.Nodes = nil
	observe()
	fails(t, click("el_0"), driver.CodeStale, "obs_3", "no elements")
	if m.Clicks() != 4 {
		t.Errorf("%d clicks, want 4", m.Clicks())
	}
	// What is no id of a map at all is the backend's to refuse.
	fails(t, click("el_01"), driver.CodeNotFound, "Expected AX node ID")
}

// TestParametersThatMakeNoSense: refused before anything is done.
func TestParametersThatMakeNoSense(t *testing.T) {
	m := perceive.NewMock()
	v := perceive.NewVisitor(m, nil)
	defer v.Close()
	tests := []struct {
		tool   string
		params map[string]any
		want   string
	}{
		{"browse_navigate", nil, "Missing required parameter: url"},
		{"browse_navigate", map[string]any{"url": nil}, "Missing required parameter: url"},
		{"browse_navigate", map[string]any{"url": 7}, "url takes a string, not"},
		{"browse_click", map[string]any{}, "Missing required parameter: element_id"},
		{"browse_click", map[string]any{"element_id": "ax_1", "x": 5}, `there is no parameter "x"; it takes element_id`},
		{"browse_type", map[string]any{"element_id": "ax_1"}, "Missing required parameter: text"},
		{"browse_scroll", map[string]any{}, "Missing required parameter: delta_y"},
		{"browse_scroll", map[string]any{"delta_y": 1.5}, "delta_y takes a whole number"},
		{"browse_scroll", map[string]any{"delta_y": "300"}, "delta_y takes a whole number"},
		{"browse_scroll", map[string]any{"delta_y": 2_000_000}, "delta_y 2000000: pixels, from -1000000"},
		{"browse_keypress", map[string]any{}, "Missing required parameter: key"},
		{"browse_keypress", map[string]any{"key": ""}, "the key is empty"},
		{"browse_keypress", map[string]any{"key": "a", "modifiers": []any{"ctrl"}}, `there is no modifier "ctrl": say shift, control, alt or meta`},
		{"browse_keypress", map[string]any{"key": "a", "modifiers": "shift"}, "modifiers takes a list of shift, control, alt, meta"},
		{"browse_keypress", map[string]any{"key": "a", "modifiers": []any{1}}, "modifiers takes a list"},
		{"browse_wait", map[string]any{}, "Missing required parameter: condition"},
		{"browse_wait", map[string]any{"condition": "soon"}, `Unknown wait condition: "soon"; say page_loaded, url_changed`},
		{"browse_wait", map[string]any{"condition": "a11y_contains_text:"}, "nothing after the colon"},
		{"browse_wait", map[string]any{"condition": "page_loaded:x"}, "Unknown wait condition"},
		{"browse_wait", map[string]any{"condition": "page_loaded", "timeout_ms": -1}, "timeout_ms takes a number of milliseconds"},
		{"browse_observe", map[string]any{"include_screenshot": "yes"}, "include_screenshot takes true or false"},
	}
	for _, tt := range tests {
		_, err := v.Execute(t.Context(), tt.tool, tt.params)
		fails(t, err, driver.CodeInvalid, tt.want)
	}
	if m.Clicks() != 0 || len(m.Presses()) != 0 || len(m.Typed()) != 0 || m.Scrolled() != 0 {
		t.Error("something was done")
	}
}

// TestMock: what is no part of the seed's tests.
func TestMock(t *testing.T) {
	ctx := t.Context()
	m := perceive.NewMock()
	err := errors.Join(
		m.Click(ctx, 1, 2), m.ClickElement(ctx, "ax_submit"), m.Text(ctx, "paste"), m.FocusElement(ctx, "ax_search"),
		m.Keypress(ctx, "a", perceive.Shift, perceive.Control), m.Scroll(ctx, -40),
	)
	if err != nil || m.Clicks() != 2 || m.Pasted()[0] != "paste" || m.Focused()[0] != "ax_search" || m.Scrolled() != 40 || len(m.Presses()[0].Modifiers) != 2 {
		t.Errorf("%v: %d clicks, %q, %q, %d, %v", err, m.Clicks(), m.Pasted(), m.Focused(), m.Scrolled(), m.Presses())
	}
	for _, tt := range []struct {
		name, role string
		want       bool
	}{{"Submit", "", true}, {"subm", "button", true}, {"Submit", "Button", true}, {"Submit", "link", false}, {"Nope", "", false}, {"Search", "TextInput", true}} {
		if got, _ := m.ElementExists(ctx, tt.name, tt.role); got != tt.want {
			t.Errorf("ElementExists(%q, %q) = %v", tt.name, tt.role, got)
		}
	}
	m.Met = false
	if met, err := m.WaitUntil(ctx, perceive.WaitCondition{Kind: perceive.WaitURLChanged}, 0); met || err != nil {
		t.Error("not met is to be said, and is no error")
	}
	m.Err = errors.New("broken")
	if _, err := m.Screenshot(ctx); !errors.Is(err, m.Err) {
		t.Errorf("%v", err)
	}
	fails(t, m.FocusElement(ctx, "el_1"), driver.CodeNotFound, "Expected AX node ID")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := perceive.NewMock().Title(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestWaitsUnlessTold: five seconds, or as long as is said.
func TestWaitsUnlessTold(t *testing.T) {
	m := perceive.NewMock()
	v := perceive.NewVisitor(m, nil)
	defer v.Close()
	for _, params := range []map[string]any{{"condition": "page_loaded"}, {"condition": "element_with_name:Save@button", "timeout_ms": 250.0}} {
		if _, err := v.Execute(t.Context(), "browse_wait", params); err != nil {
			t.Fatal(err)
		}
	}
	want := []perceive.Waiting{
		{Condition: perceive.WaitCondition{Kind: perceive.WaitPageLoaded}, Timeout: 5 * time.Second},
		{Condition: perceive.WaitCondition{Kind: perceive.WaitElementWithName, Text: "Save", Role: "button"}, Timeout: 250 * time.Millisecond},
	}
	if got := m.Waits(); !slices.Equal(got, want) {
		t.Errorf("waited for %+v", got)
	}
}
