package driver_test

import (
	"strings"
	"testing"
	"time"

	"rove/driver"
)

// TestFailuresTellAll: what fails says on which page, what was wanted, for how long it
// was waited, where it was, and what to do.
func TestFailuresTellAll(t *testing.T) {
	p := one(t, `<p id=p>text</p><button id=b disabled>B</button><select id=s><option>one</select><iframe id=f srcdoc="<p>in"></iframe>`)
	p.SetTimeouts(driver.Timeouts{Session: 150 * time.Millisecond, Element: 150 * time.Millisecond, PageLoad: 3 * time.Second})
	err2 := func(_ any, err error) error { return err }
	for name, c := range map[string]struct {
		do    func() error
		waits bool
	}{
		"click":           {func() error { return err2(p.Click(p.ctx, "#none")) }, true},
		"click disabled":  {func() error { return err2(p.Click(p.ctx, "#b")) }, true},
		"text":            {func() error { return err2(p.Text(p.ctx, "#none")) }, true},
		"wait":            {func() error { return err2(p.WaitFor(p.ctx, "#none")) }, true},
		"wait text":       {func() error { return err2(p.WaitForText(p.ctx, "#p", "other")) }, true},
		"wait enabled":    {func() error { return err2(p.WaitForEnabled(p.ctx, "#b")) }, true},
		"wait url":        {func() error { return err2(p.WaitForURL(p.ctx, "/elsewhere")) }, true},
		"wait until":      {func() error { return p.WaitUntil(p.ctx, "document.title === 'never'") }, true},
		"frame":           {func() error { return p.SwitchFrame(p.ctx, "#none") }, true},
		"page":            {func() error { return p.SwitchPage(p.ctx, "none") }, true},
		"select":          {func() error { return err2(p.Select(p.ctx, "#s", "two")) }, false},
		"not a selector":  {func() error { return err2(p.Click(p.ctx, "#(")) }, false},
		"script":          {func() error { return err2(p.Script(p.ctx, "let a = 1;\nreturn nonsense()")) }, false},
		"picture of none": {func() error { return err2(p.Locate("#none").Screenshot(p.ctx)) }, true},
	} {
		err := c.do()
		if err == nil {
			t.Errorf("%s worked", name)
			continue
		}
		text := err.Error()
		var lacks []string
		if c.waits && !howLong.MatchString(text) {
			lacks = append(lacks, "time")
		}
		if !strings.Contains(text, p.url) {
			lacks = append(lacks, "page")
		}
		// What makes no sense says what would beside it.
		if e, ok := err.(*driver.Error); !ok || e.Hint == "" && (e.Code != driver.CodeInvalid || !strings.Contains(e.Message, "; ")) {
			lacks = append(lacks, "advice")
		}
		if name == "script" && !strings.Contains(text, "(line 2)") {
			lacks = append(lacks, "the line")
		}
		if len(lacks) > 0 {
			t.Errorf("%s lacks %s: %s", name, strings.Join(lacks, ", "), text)
		}
	}
}
