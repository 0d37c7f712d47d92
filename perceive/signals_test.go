package perceive_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rove/perceive"
)

var expectation = regexp.MustCompile(`^<!-- expect: (.*?) -->\n`)

// TestSignals measures the signals on a set of pages: how many that are told are
// there, and how many that are there are told.
func TestSignals(t *testing.T) {
	set, err := txtar.ParseFile("testdata/signals.txtar")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, f := range set.Files {
		pages["/"+f.Name] = "<!doctype html>" + string(f.Data)
	}
	v := open(t, pages)
	type count struct{ right, wrong, missed int }
	counts := map[string]*count{}
	for _, f := range set.Files {
		m := expectation.FindStringSubmatch(string(f.Data))
		if m == nil {
			t.Fatalf("%s does not say what to expect", f.Name)
		}
		v.navigate("/" + f.Name)
		seen := v.without()
		got, want := told(seen), expected(m[1])
		for name := range got {
			if counts[name] == nil {
				counts[name] = &count{}
			}
			if _, ok := want[name]; ok {
				counts[name].right++
			} else {
				counts[name].wrong++
				t.Errorf("%s: a %s that is none: %s", f.Name, name, seen.PageSignals)
			}
		}
		for name, ways := range want {
			if counts[name] == nil {
				counts[name] = &count{}
			}
			g, ok := got[name]
			if !ok {
				counts[name].missed++
				t.Errorf("%s: its %s was not seen\n%s", f.Name, name, seen.FormatSummary())
				continue
			}
			for _, way := range ways {
				if !slices.Contains(g, way) {
					t.Errorf("%s: %s has %q, want %q", f.Name, name, g, way)
				}
			}
		}
	}
	var all count
	for name, c := range counts {
		t.Logf("%-14s precision %.2f recall %.2f (%d pages)", name, rate(c.right, c.wrong), rate(c.right, c.missed), c.right+c.missed)
		all.right, all.wrong, all.missed = all.right+c.right, all.wrong+c.wrong, all.missed+c.missed
	}
	t.Logf("%-14s precision %.2f recall %.2f on %d pages", "all", rate(all.right, all.wrong), rate(all.right, all.missed), len(set.Files))
}

// without is the map of the page, without a picture.
func (v visit) without() *perceive.UiMap {
	v.Helper()
	nodes, err := v.page.AccessibilityTree(v.ctx)
	v.ok(err)
	m, err := perceive.Basic().Perceive(v.ctx, &perceive.Sight{Nodes: nodes, Viewport: perceive.Viewport{Width: 1280, Height: 720}})
	v.ok(err)
	return m
}

func rate(right, not int) float64 {
	if right+not == 0 {
		return 1
	}
	return float64(right) / float64(right+not)
}

// expected reads "modal close=Cancel; loading" into signals and their ways.
func expected(s string) map[string][]string {
	all := map[string][]string{}
	for part := range strings.SplitSeq(s, ";") {
		name, ways, _ := strings.Cut(strings.TrimSpace(part), " ")
		if name == "none" {
			continue
		}
		all[name] = nil
		for _, way := range regexp.MustCompile(`(accept|reject|close)=`).FindAllStringIndex(ways, -1) {
			rest := ways[way[1]:]
			if end := regexp.MustCompile(` (accept|reject|close)=`).FindStringIndex(rest); end != nil {
				rest = rest[:end[0]]
			}
			all[name] = append(all[name], ways[way[0]:way[1]]+rest)
		}
	}
	return all
}

// told is the signals of a map and their ways, by name.
func told(m *perceive.UiMap) map[string][]string {
	all := map[string][]string{}
	p := m.PageSignals
	for name, s := range map[string]*perceive.Signal{
		"modal": p.Modal, "cookie_banner": p.CookieBanner, "error_banner": p.ErrorBanner,
		"loading": p.Loading, "login_wall": p.LoginWall, "captcha": p.Captcha,
	} {
		if s == nil {
			continue
		}
		all[name] = []string{}
		for way, id := range map[string]string{"accept": s.Accept, "reject": s.Reject, "close": s.Close} {
			if e := m.Element(id); e != nil {
				all[name] = append(all[name], fmt.Sprintf("%s=%s", way, e.Name))
			}
		}
	}
	return all
}
