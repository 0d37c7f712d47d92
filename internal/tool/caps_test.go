package tool

import (
	"slices"
	"strings"
	"testing"

	"rove/internal/policy"
	"rove/internal/session"
)

// verbsOnly are tools that are made of the verbs alone, which hold to the rules by
// themselves, or that do nothing to a page or a server.
var verbsOnly = []string{
	"look", "act", "go", "wait",
	"browse_navigate", "browse_click", "browse_type", "browse_scroll", "browse_keypress", "browse_wait", "browse_observe",
	"browser_navigate", "browser_go_back", "browser_go_forward", "browser_reload", "browser_tabs", "browser_resize",
	"browser_snapshot", "browser_get_text", "browser_files", "browser_wait_for", "browser_wait_for_selector",
	"browser_click", "browser_type", "browser_key_press", "browser_select", "browser_hover", "browser_scroll", "browser_handle_dialog",
	"derive_script", "replay", "read_recording",
}

// TestEveryToolKnowsItsRule: a new tool is either made of verbs, or says which
// capability it needs and what it does that somebody may have to agree to.
func TestEveryToolKnowsItsRule(t *testing.T) {
	names := make([]string, len(policy.Capabilities))
	for i, c := range policy.Capabilities {
		names[i] = c.Name
	}
	for _, tl := range table {
		d, known := rulesOfTools[tl.Name]
		if known == slices.Contains(verbsOnly, tl.Name) {
			t.Errorf("%s: put it into rulesOfTools (caps.go) with what it needs and does, or into verbsOnly", tl.Name)
		}
		if d.needs != "" && !slices.Contains(names, d.needs) {
			t.Errorf("%s needs %q, which is no capability", tl.Name, d.needs)
		}
		for _, p := range []string{d.target, d.value} {
			if p != "" && !slices.ContainsFunc(tl.Parameters(), func(have Parameter) bool { return have.Name == p }) {
				t.Errorf("%s has no parameter %q", tl.Name, p)
			}
		}
	}
}

// TestSwitchedOffIsRefused: at the door to every tool, before a browser is started.
func TestSwitchedOffIsRefused(t *testing.T) {
	var opts session.Options
	opts.Browser.Caps = []string{"none"}
	m := session.NewManager(opts)
	defer m.Close()
	talk := m.Conversation("")
	for _, tl := range table {
		if rulesOfTools[tl.Name].needs == "" {
			continue
		}
		if _, err := tl.Prepare(talk, []byte(`{}`), Defaults{}); err == nil || !strings.Contains(err.Error(), "switched off") {
			t.Errorf("%s: %v", tl.Name, err)
		}
	}
	able, err := Able(table, opts.Browser.Caps)
	if err != nil || slices.ContainsFunc(able, func(tl *Tool) bool { return rulesOfTools[tl.Name].needs != "" }) {
		t.Errorf("offered: %d tools, %v", len(able), err)
	}
	if _, err := Able(table, []string{"nope"}); err == nil {
		t.Error("a capability that there is not")
	}
}
