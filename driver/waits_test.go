package driver_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rove/driver"
)

const (
	soon   = 300 * time.Millisecond
	clocks = 5 * time.Millisecond // how far those of a page and of a test are apart
)

// Each wait ends when it is so, over a navigation too, and tells what it waited
// for when it never is.
func TestWaits(t *testing.T) {
	p := open(t, map[string]string{
		"/": `<title>Start</title><p id=p>text</p><button id=b disabled>B</button><ul id=u><li>1</ul>
			<script>const later = (f) => setTimeout(f, 250)</script>`,
		"/next": `<title>Next</title><p id=new>new</p>`,
	})
	el := func(_ *driver.Element, err error) error { return err }
	for _, c := range []struct {
		name, after string
		wait        func(...time.Duration) error
		opening     string
	}{
		{
			"element", "document.body.append(Object.assign(document.createElement('i'), {id: 'i'}))",
			func(d ...time.Duration) error { return el(p.WaitFor(p.ctx, "#i", d...)) }, "timeout waiting for element: #i",
		},
		{
			"script locator", "window.it = document.querySelector('#p')",
			func(d ...time.Duration) error { return el(p.WaitFor(p.ctx, "(window.it)", d...)) }, "timeout waiting for element: (window.it)",
		},
		{
			"any", "document.body.append(document.createElement('em'))",
			func(d ...time.Duration) error { return el(p.WaitForAny(p.ctx, []string{"#none", "em"}, d...)) }, "timeout waiting for any element: #none, em",
		},
		{
			"text", "p.textContent = 'all is ready'",
			func(d ...time.Duration) error { return el(p.WaitForText(p.ctx, "#p", "ready", d...)) }, "timeout waiting for text 'ready' in element: #p",
		},
		{
			"enabled", "b.disabled = false",
			func(d ...time.Duration) error { return el(p.WaitForEnabled(p.ctx, "#b", d...)) }, "timeout waiting for element to be enabled: #b",
		},
		{
			"url", "history.pushState(0, 0, '/pushed')",
			func(d ...time.Duration) error { _, err := p.WaitForURL(p.ctx, "pushed", d...); return err }, "timeout waiting for URL to contain: pushed",
		},
		{
			"condition", "window.done = 1",
			func(d ...time.Duration) error { return p.WaitUntil(p.ctx, "window.done == 1", d...) }, "timeout waiting for condition: window.done == 1",
		},
		{
			"function", "window.count = 3",
			func(d ...time.Duration) error { return p.WaitUntil(p.ctx, "() => window.count > 2", d...) }, "timeout waiting for condition: () =>",
		},
		{
			"throwing", "window.late = {x: 1}",
			func(d ...time.Duration) error { return p.WaitUntil(p.ctx, "late.x", d...) }, "late is not defined",
		},
		{
			"on element", "u.className = 'full'",
			func(d ...time.Duration) error { return el(p.WaitUntilOn(p.ctx, "#u", "_.className == 'full'", d...)) }, "timeout waiting for condition: _.className == 'full'",
		},
		{
			"on element, replaced", "u.outerHTML = '<ul id=u hidden></ul>'",
			func(d ...time.Duration) error { return el(p.WaitUntilOn(p.ctx, "#u", "el => el.hidden", d...)) }, "timeout waiting for condition: el =>",
		},
		{
			"count", "u.innerHTML = '<li><li><li>'",
			func(d ...time.Duration) error { _, err := p.WaitForResultCount(p.ctx, "#u li", 3, d...); return err }, "timeout waiting for 3 elements: #u li",
		},
		{
			"count of none", "u.innerHTML = ''",
			func(d ...time.Duration) error { _, err := p.WaitForResultCount(p.ctx, "#u li", 0, d...); return err }, "timeout waiting for 0 elements: #u li",
		},
		{
			"over a navigation", "location = '/next'",
			func(d ...time.Duration) error { return el(p.WaitFor(p.ctx, "#new", d...)) }, "timeout waiting for element: #new",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.visit("/")
			start := time.Now()
			err := c.wait(soon)
			fails(t, err, driver.CodeTimeout, c.opening, p.url, "or wait longer")
			saysWait(t, err)
			if took := time.Since(start); took < soon-clocks || took > 5*time.Second {
				t.Errorf("it waited %v", took)
			}
			p.js("later(() => {" + c.after + "}), 0")
			if err := c.wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWaitUntilFunc(t *testing.T) {
	p := one(t, "")
	p.SetRetryInterval(10 * time.Millisecond)
	calls := 0
	v, err := p.WaitUntilFunc(p.ctx, func(context.Context) (any, error) {
		if calls++; calls < 4 {
			return nil, nil
		}
		return "there", nil
	})
	p.ok(err)
	same(t, "value", v, "there")
	same(t, "calls", calls, 4)
	// Asked as often as was said: seldom, and often.
	for interval, times := range map[time.Duration]int{300 * time.Millisecond: 3, time.Millisecond: 30} {
		p.SetRetryInterval(interval)
		calls, start := 0, time.Now()
		_, err = p.WaitUntilFunc(p.ctx, func(context.Context) (any, error) { calls++; return calls == times, nil })
		p.ok(err)
		if took := time.Since(start); took < time.Duration(times-1)*interval*9/10 || took > 10*time.Second {
			t.Errorf("%d times at an interval of %v took %v", times, interval, took)
		}
	}
	start := time.Now()
	_, err = p.WaitUntilFunc(p.ctx, func(context.Context) (any, error) { return false, nil }, 100*time.Millisecond)
	fails(t, err, driver.CodeTimeout, "timeout waiting for condition", "waited", p.url, "it gives false")
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("100 ms took %v", took)
	}
	broken := errors.New("broken")
	if _, err = p.WaitUntilFunc(p.ctx, func(context.Context) (any, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("the function's error: %v", err)
	}
}

// A wait chains before an action.
func TestExplicitWait(t *testing.T) {
	p := one(t, `<button id=b disabled onclick="document.title='clicked'">B</button><script>setTimeout(() => b.disabled = false, 200)</script>`)
	e, err := p.WaitForEnabled(p.ctx, "#b")
	p.ok(err)
	p.ok(e.Click(p.ctx))
	same(t, "title", p.js("document.title"), "clicked")
	e, err = p.WaitFor(p.ctx, "#never", soon)
	fails(t, err, driver.CodeTimeout, "#never")
	if e != nil {
		t.Errorf("a wait in vain gave %v to go on from", e)
	}
}

// Timeouts: the default, what counts in its place, and the next call only.
func TestTimeouts(t *testing.T) {
	p := one(t, "<p>text</p>")
	waited := func(do func() error) time.Duration {
		start := time.Now()
		if do() == nil {
			t.Error("it worked")
		}
		return time.Since(start)
	}
	click := func() error { _, err := p.Click(p.ctx, "#none"); return err }
	near := func(what string, got, want time.Duration) {
		t.Helper()
		if got < want || got > want+4*time.Second {
			t.Errorf("%s: waited %v, want %v", what, got, want)
		}
	}
	same(t, "default", p.Timeout(), 10*time.Second)
	p.SetTimeout(200 * time.Millisecond)
	near("session", waited(click), 200*time.Millisecond)
	p.SetTimeouts(driver.Timeouts{Element: 400 * time.Millisecond})
	near("element", waited(click), 400*time.Millisecond)
	p.Retry(3, 200*time.Millisecond)
	near("retry", waited(click), 600*time.Millisecond)
	// It is for one call, whatever that is: the next has its own time again.
	p.SetTimeouts(driver.Timeouts{Element: 20 * time.Second})
	near("a short retry", waited(func() error { _, err := p.Retry(1, time.Millisecond).WaitFor(p.ctx, "#late"); return err }), 0)
	p.js("setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<b id=late>late</b>'), 700), 0")
	_, err := p.Click(p.ctx, "#late")
	p.ok(err)
	p.SetTimeouts(driver.Timeouts{Element: 400 * time.Millisecond})
	p.SetTimeouts(driver.Timeouts{Script: 300 * time.Millisecond, PageLoad: 500 * time.Millisecond})
	near("script", waited(func() error { _, err := p.Script(p.ctx, "new Promise(() => {})"); return err }), 300*time.Millisecond)
	near("page", waited(func() error { return p.WaitForPageLoad(p.ctx, "none") }), 0)
	same(t, "kept", p.Timeouts(), driver.Timeouts{Session: 200 * time.Millisecond, PageLoad: 500 * time.Millisecond, Element: 400 * time.Millisecond, Script: 300 * time.Millisecond})
}
