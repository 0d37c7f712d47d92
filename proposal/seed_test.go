package proposal_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"rove/driver"
	"rove/internal/testkit"
	"rove/perceive"
	"rove/proposal"
)

// rig is a browser with the example page, and what came of what was done to it.
type rig struct {
	backend perceive.Backend
	home    string // the page that it shows
	other   string // a page to go to that shows the same
	clicks  func() int
	typed   func() []string // the texts that are or were in the search field
	scroll  func() int
	presses func() []string // keys, with their modifiers before them
	url     func() string
}

func mockRig(*testing.T) *rig {
	m := perceive.NewMock()
	return &rig{
		backend: m, home: "https://example.com", other: "https://example.com/search",
		clicks: m.Clicks, scroll: m.Scrolled,
		typed: func() (list []string) {
			for _, typing := range m.Typed() {
				if typing.ElementID != "ax_search" {
					list = append(list, "into "+typing.ElementID)
				}
				list = append(list, typing.Text)
			}
			return list
		},
		presses: func() (list []string) {
			for _, p := range m.Presses() {
				key := p.Key
				for _, held := range p.Modifiers {
					key = string(held) + "+" + key
				}
				list = append(list, key)
			}
			return list
		},
		url: func() string { return m.Address },
	}
}

const examplePage = `<!doctype html><title>Example Domain</title><h1>Welcome to Example</h1>
<input type=text aria-label=Search oninput="log.typed = [this.value]"><button onclick="log.clicks++">Submit</button><button disabled>Disabled Action</button>
<div style="height: 5000px"></div>
<script>
	window.log = {clicks: 0, typed: [], presses: []};
	addEventListener("keydown", e => log.presses.push((e.shiftKey ? "shift+" : "") + (e.ctrlKey ? "control+" : "") + e.key));
</script>`

// browserRigs opens a browser and gives what has it show the page afresh.
func browserRigs(t *testing.T) func(*testing.T) *rig {
	testkit.NeedsBrowser(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	d, err := driver.Open(ctx, shared, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Quit(ctx); err != nil {
			t.Error(err)
		}
	})
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/{$}": testkit.Page(examplePage), "/search": testkit.Page(examplePage)})
	js := func(script string) any {
		t.Helper()
		v, err := d.Script(ctx, script)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	texts := func(script string) (list []string) {
		for _, s := range js(script).([]any) {
			list = append(list, s.(string))
		}
		return list
	}
	return func(t *testing.T) *rig {
		if _, err := d.Tab().Navigate(ctx, site+"/", driver.NavigateOptions{}); err != nil {
			t.Fatal(err)
		}
		return &rig{
			backend: perceive.Drive(d), home: site + "/", other: site + "/search",
			clicks:  func() int { return int(js("log.clicks").(float64)) },
			typed:   func() []string { return texts("log.typed") },
			presses: func() []string { return texts("log.presses") },
			scroll:  func() int { return int(js("Math.round(scrollY)").(float64)) },
			url:     func() string { return js("location.href").(string) },
		}
	}
}

// mission is a runtime over a browser, and what the tests do with it.
type mission struct {
	*testing.T
	*rig
	rt *proposal.Runtime
}

func newMission(t *testing.T, r *rig) *mission {
	visitor := perceive.NewVisitor(r.backend, nil)
	t.Cleanup(func() { _ = visitor.Close() })
	rt, err := proposal.NewRuntime(visitor, proposal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range proposal.BrowseSchemas() {
		if err := rt.RegisterToolSchema(schema); err != nil {
			t.Fatal(err)
		}
	}
	return &mission{t, r, rt}
}

// run proposes one action, as the seed's make_action makes it.
func (m *mission) run(tool string, params map[string]any) proposal.ActionResult {
	m.Helper()
	result := m.rt.Execute(m.Context(), &proposal.ActionProposal{
		ID: "test_proposal", Source: "integration_test", Timestamp: time.Now(),
		Actions: []proposal.Action{{
			ID: "a_" + tool, Type: proposal.ToolCall, Tool: tool, Parameters: params,
			MaxRetries: 1, FailureBehavior: proposal.Abort, TimeoutMS: 10_000,
		}},
	})
	if len(result.Results) != 1 || result.Results[0].ActionID != "a_"+tool {
		m.Fatalf("%+v", result)
	}
	return result.Results[0]
}

// must is run for an action that has to succeed, and gives its output.
func (m *mission) must(tool string, params map[string]any) map[string]any {
	m.Helper()
	r := m.run(tool, params)
	if r.Status != proposal.Succeeded {
		m.Fatalf("%s %s: %s", tool, r.Status, r.Error)
	}
	return r.Output.(map[string]any)
}

// element finds the id of an interactive element in the text of a map.
func (m *mission) element(uiMap, name string) string {
	m.Helper()
	for line := range strings.Lines(uiMap) {
		if id, rest, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(id, "[el_") && strings.Contains(rest, name) {
			return id[1:]
		}
	}
	m.Fatalf("there is no %s in\n%s", name, uiMap)
	return ""
}

// TestSeed is the integration tests of the runtime that it was specified by, on
// the mock and on a real browser.
func TestSeed(t *testing.T) {
	for backend, open := range map[string]func(*testing.T) func(*testing.T) *rig{
		"mock": func(*testing.T) func(*testing.T) *rig { return mockRig }, "browser": browserRigs,
	} {
		t.Run(backend, func(t *testing.T) {
			rig := open(t)
			for name, test := range map[string]func(*mission){
				"observe produces a map":             seedObserve,
				"click resolves the id":              seedClick,
				"type resolves and types":            seedType,
				"navigate":                           seedNavigate,
				"scroll":                             seedScroll,
				"full mission":                       seedMission,
				"click without observe falls back":   seedFallBack,
				"keypress":                           seedKeypress,
				"wait":                               seedWait,
				"an unknown tool is rejected":        seedUnknown,
				"the mission as one proposal":        seedOneProposal,
				"a failed click and what comes next": seedFailure,
			} {
				t.Run(name, func(t *testing.T) { test(newMission(t, rig(t))) })
			}
		})
	}
}

func seedObserve(m *mission) {
	out := m.must("browse_observe", nil)
	text, _ := out["ui_map"].(string)
	if out["url"] != m.home || !strings.Contains(text, "Submit") || !strings.Contains(text, "Search") {
		m.Errorf("%v\n%s", out["url"], text)
	}
	if n, _ := out["element_count"].(float64); n < 3 {
		m.Errorf("%v elements", out["element_count"])
	}
}

func seedClick(m *mission) {
	text := m.must("browse_observe", nil)["ui_map"].(string)
	out := m.must("browse_click", map[string]any{"element_id": m.element(text, "Submit")})
	if m.clicks() != 1 {
		m.Errorf("%d clicks", m.clicks())
	}
	if id, _ := out["resolved_id"].(string); !strings.HasPrefix(id, "ax_") {
		m.Errorf("resolved to %q", id)
	}
}

func seedType(m *mission) {
	m.must("browse_observe", nil)
	text := m.must("browse_observe", nil)["ui_map"].(string)
	m.must("browse_type", map[string]any{"element_id": m.element(text, "Search"), "text": "hello world"})
	if got := m.typed(); len(got) != 1 || got[0] != "hello world" {
		m.Errorf("%q", got)
	}
}

func seedNavigate(m *mission) {
	m.must("browse_navigate", map[string]any{"url": m.other})
	if m.url() != m.other {
		m.Errorf("it is at %s", m.url())
	}
}

func seedScroll(m *mission) {
	m.must("browse_scroll", map[string]any{"delta_y": 300})
	if m.scroll() != 300 {
		m.Errorf("scrolled by %d", m.scroll())
	}
}

func seedMission(m *mission) {
	m.must("browse_navigate", map[string]any{"url": m.other})
	text := m.must("browse_observe", nil)["ui_map"].(string)
	m.must("browse_type", map[string]any{"element_id": m.element(text, "Search"), "text": "rust programming"})
	m.must("browse_click", map[string]any{"element_id": m.element(text, "Submit")})
	m.must("browse_observe", nil)
	if got := m.typed(); m.clicks() != 1 || len(got) != 1 || got[0] != "rust programming" || m.url() != m.other {
		m.Errorf("%d clicks, typed %q, at %s", m.clicks(), got, m.url())
	}
}

func seedFallBack(m *mission) {
	r := m.run("browse_click", map[string]any{"element_id": "el_0"})
	if r.Status != proposal.Failed || !strings.Contains(r.Error, "Expected AX node ID") {
		m.Errorf("%s %q", r.Status, r.Error)
	}
}

func seedKeypress(m *mission) {
	m.must("browse_observe", nil)
	out := m.must("browse_keypress", map[string]any{"key": "Enter"})
	if out["key"] != "Enter" || out["status"] != "pressed" {
		m.Errorf("%v", out)
	}
	if got := m.presses(); len(got) != 1 || got[0] != "Enter" {
		m.Errorf("%q", got)
	}
}

func seedWait(m *mission) {
	out := m.must("browse_wait", map[string]any{"condition": "page_loaded"})
	if out["condition"] != "page_loaded" || out["met"] != true {
		m.Errorf("%v", out)
	}
}

func seedUnknown(m *mission) {
	if r := m.run("browse_nonexistent", nil); r.Status != proposal.Rejected {
		m.Errorf("%s %q", r.Status, r.Error)
	}
}

// seedOneProposal is the mission in one go, with state between its actions.
func seedOneProposal(m *mission) {
	text := m.must("browse_observe", nil)["ui_map"].(string)
	p := &proposal.ActionProposal{ID: "mission", Actions: []proposal.Action{
		{ID: "submit", Tool: "browse_click", Parameters: map[string]any{"element_id": m.element(text, "Submit")}, StateDependencies: []string{"typed"}},
		{ID: "type", Tool: "browse_type", Parameters: map[string]any{"element_id": m.element(text, "Search"), "text": "go"}, ExpectedEffects: map[string]any{"typed": "go"}},
		{ID: "see", Tool: "browse_observe", Preconditions: []proposal.Precondition{{Key: "typed", Operator: proposal.Eq, Value: "go"}}},
	}}
	r := m.rt.Execute(m.Context(), p)
	sound(m.T, p, r)
	if !r.Succeeded() || m.clicks() != 1 || m.rt.State()["typed"] != "go" {
		m.Errorf("%+v, %d clicks", r, m.clicks())
	}
}

// seedFailure: an action that fails ends the proposal, and the result says that
// the page is no longer as it was.
func seedFailure(m *mission) {
	text := m.must("browse_observe", nil)["ui_map"].(string)
	p := &proposal.ActionProposal{ID: "failure", Actions: []proposal.Action{
		{ID: "type", Tool: "browse_type", Parameters: map[string]any{"element_id": m.element(text, "Search"), "text": "go"}, ExpectedEffects: map[string]any{"typed": "go"}},
		{ID: "click", Tool: "browse_click", Parameters: map[string]any{"element_id": "el_99"}},
		{ID: "scroll", Tool: "browse_scroll", Parameters: map[string]any{"delta_y": 300}},
	}}
	r := m.rt.Execute(m.Context(), p)
	sound(m.T, p, r)
	if got := statuses(r); got != "type:succeeded click:failed scroll:skipped" {
		m.Error(got)
	}
	if !r.RolledBack || len(m.rt.State()) > 0 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "the browser's own state was not") {
		m.Errorf("%+v %v", r, m.rt.State())
	}
	if got := m.typed(); len(got) != 1 || m.scroll() != 0 {
		m.Errorf("%q, scrolled by %d", got, m.scroll())
	}
}
