package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestRefIn(t *testing.T) {
	button := step{"click", "button", "Click me", ""}
	for name, c := range map[string]struct{ view, pattern, want string }{
		"Playwright MCP":      {"- generic:\n  - button \"Click me\" [active] [ref=f1e3] [cursor=pointer]", playwrightLine, "f1e3"},
		"Chrome DevTools MCP": {"uid=1_0 RootWebArea\n  uid=1_4 button \"Click me\"", devtoolsLine, "1_4"},
		"agent-browser":       {"- button \"Click me\" [expanded=false, ref=e21]", agentBrowserLine, "e21"},
	} {
		if got, err := refIn(c.view, c.pattern, button); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
		if got, err := refIn(c.view, c.pattern, step{"click", "button", "Other", ""}); err == nil {
			t.Errorf("%s: found %q, which is not there", name, got)
		}
	}
}

func TestReport(t *testing.T) {
	r := &report{Contenders: []contenderName{{"rove", "1"}, {"<other>", "2"}}, When: time.Unix(0, 0).UTC()}
	r.tokens("look: admin dashboard", "rove", 1200)
	r.tokens("look: admin dashboard", "<other>", 6000)
	for _, d := range []time.Duration{3, 1, 2} {
		r.time("click", "rove", d*time.Second)
		r.time("click", "<other>", d*time.Millisecond)
	}
	r.fail("look: 100,000 elements", "<other>", errors.New("too large\nat once"))
	md := r.markdown()
	for _, want := range []string{
		"| look: admin dashboard | 1,200 tokens | 6,000 tokens |",
		"| click | 2.00 s | 2.0 ms |",
		"| look: 100,000 elements |  | fails |",
		"click: time of rove is 1000.00 × that of <other>.",
	} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in:\n%s", want, md)
		}
	}
	if strings.Contains(md, "dashboard: tokens of rove") {
		t.Errorf("rove is not behind there:\n%s", md)
	}
	d := xml.NewDecoder(strings.NewReader(r.svg()))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the chart is no XML: %v\n%s", err, r.svg())
		}
	}
}
