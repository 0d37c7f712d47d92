package perceive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/aria"
	"rove/driver"
)

// Navigate opens an address and waits for the page.
func (p *Page) Navigate(ctx context.Context, url string) error { return p.Hands.Go(ctx, url) }

// Click clicks at a point of the viewport.
func (p *Page) Click(ctx context.Context, x, y float64) error {
	m, err := p.driver.Mouse(ctx, x, y)
	if err != nil {
		return err
	}
	return m.Click(ctx)
}

// Text enters text where the focus is, as a paste does.
func (p *Page) Text(ctx context.Context, text string) error {
	return p.driver.Keys().Insert(ctx, text)
}

// Keypress presses a key where the focus is. In a dialog of the browser, Enter
// is OK and Escape is Cancel.
func (p *Page) Keypress(ctx context.Context, key string, modifiers ...Modifier) error {
	if strings.ContainsAny(strings.TrimSpace(key), " \t\n") {
		return driver.Invalid("keypress", "%s is not one key: say one, such as a, Enter, Tab, Escape or ArrowDown", brief(key))
	}
	tab, err := p.tab(ctx)
	if err != nil {
		return err
	}
	if tab.Dialog() != nil && len(modifiers) == 0 {
		switch key {
		case "Enter":
			return p.answerDialog(ctx, true)
		case "Escape":
			return p.answerDialog(ctx, false)
		}
	}
	chord := ""
	for _, m := range modifiers {
		chord += strings.ToUpper(string(m[:1])) + string(m[1:]) + "+"
	}
	if chord != "" && key == " " {
		key = "Space"
	}
	_, err = p.do(ctx, PageTarget, "press", chord+key)
	return err
}

// Scroll scrolls the page, or the pane that fills it. Where nothing scrolls by
// itself, as a map does not, the wheel is turned over it.
func (p *Page) Scroll(ctx context.Context, deltaY int) error {
	if deltaY == 0 {
		return nil
	}
	value := fmt.Sprintf("down %dpx", deltaY)
	if deltaY < 0 {
		value = fmt.Sprintf("up %dpx", -deltaY)
	}
	effect, err := p.do(ctx, PageTarget, "scroll", value)
	if err != nil || effect.Value != nil {
		return err
	}
	view, err := p.Viewport(ctx)
	if err != nil {
		return err
	}
	m, err := p.driver.Mouse(ctx, float64(view.Width)/2, float64(view.Height)/2)
	if err != nil {
		return err
	}
	return m.Wheel(ctx, 0, float64(deltaY))
}

// ClickElement clicks an element, wherever it is now. A tab that opens is in
// front then.
func (p *Page) ClickElement(ctx context.Context, id string) error {
	switch id {
	case dialogOK:
		return p.answerDialog(ctx, true)
	case dialogCancel:
		return p.answerDialog(ctx, false)
	}
	return p.element(ctx, "click", id, "")
}

// TypeInto replaces what a field holds.
func (p *Page) TypeInto(ctx context.Context, id, text string) error {
	if id == dialogText {
		p.mu.Lock()
		p.answer = text
		p.mu.Unlock()
		return nil
	}
	return p.element(ctx, "input", id, text)
}

// FocusElement gives an element the focus.
func (p *Page) FocusElement(ctx context.Context, id string) error {
	return p.element(ctx, "focus", id, "")
}

// element does something to the element with an accessibility id.
func (p *Page) element(ctx context.Context, op, id, value string) error {
	if err := isA11yID(op, id); err != nil {
		return err
	}
	ref := strings.TrimPrefix(id, prefix)
	if !driver.IsRef(ref) {
		return &driver.Error{
			Code: driver.CodeInvalid, Op: op + " " + brief(id), Message: "it is nothing that can be operated",
			Hint: "observe the page, and use the id of an interactive element",
		}
	}
	_, err := p.do(ctx, ref, op, value)
	return err
}

// do acts, and follows where that leads: to the tab that it opened.
func (p *Page) do(ctx context.Context, target, op, value string) (*driver.Effect, error) {
	var expect *driver.Expected
	p.mu.Lock()
	if e, ok := p.shown[aria.Ref(target)]; ok {
		expect = &e
	}
	p.mu.Unlock()
	before := p.driver.Tabs()
	effect, err := p.Hands.Do(ctx, target, op, value, expect)
	if err != nil {
		return effect, err
	}
	if effect.Refused != "" {
		return effect, &driver.Error{Code: driver.CodePolicy, Op: op, Message: effect.Refused, Hint: driver.PolicyHint}
	}
	p.follow(ctx, before)
	return effect, nil
}

// followPatience is how long a tab that opened may take to show its page.
const followPatience = 5 * time.Second

// follow goes to the tab that opened since, as a browser puts it in front. One
// that closes again at once is not followed.
func (p *Page) follow(ctx context.Context, before []*driver.Tab) {
	now := p.driver.Tabs()
	for i := len(now) - 1; i >= 0; i-- {
		if slices.Contains(before, now[i]) {
			continue
		}
		tab, err := p.driver.SwitchTab(strconv.Itoa(i + 1))
		if err != nil {
			return
		}
		bound, cancel := context.WithTimeout(ctx, followPatience)
		defer cancel()
		_ = tab.WaitIdle(bound) // what is not there yet is seen as it comes
		return
	}
}

// answerDialog closes the open dialog of the browser.
func (p *Page) answerDialog(ctx context.Context, ok bool) error {
	p.mu.Lock()
	text := p.answer
	p.answer = ""
	p.mu.Unlock()
	tab, err := p.tab(ctx)
	if err != nil {
		return err
	}
	op, value := "dialog", "dismiss"
	if ok {
		value = "accept"
	}
	if d := tab.Dialog(); ok && d != nil && d.Type == "prompt" {
		if op, value = "prompt", text; text == "" {
			value = d.Default
		}
	}
	_, err = p.do(ctx, PageTarget, op, value)
	return err
}

// PageLoaded says whether the page has loaded.
func (p *Page) PageLoaded(ctx context.Context) (bool, error) {
	return p.loaded(ctx, 50*time.Millisecond)
}

// loaded waits for the page to load, for no longer than that.
func (p *Page) loaded(ctx context.Context, within time.Duration) (bool, error) {
	tab, err := p.tab(ctx)
	if err != nil {
		return false, err
	}
	if tab.Dialog() != nil {
		return false, nil // nothing goes on while it is open
	}
	err = p.driver.WaitForPageLoad(ctx, driver.PageLoaded, within)
	return met(ctx, err)
}

// met makes an answer of the end of a wait: too late is a no.
func met(ctx context.Context, err error) (bool, error) {
	switch {
	case err == nil:
		return true, nil
	case ctx.Err() == nil && driver.CodeOf(err) == driver.CodeTimeout:
		return false, nil
	}
	return false, err
}

// lookInterval is how long WaitUntil lets the page go on before it looks again.
const lookInterval = 100 * time.Millisecond

// WaitUntil waits for a condition.
func (p *Page) WaitUntil(ctx context.Context, c WaitCondition, timeout time.Duration) (bool, error) {
	if c.Kind == WaitPageLoaded {
		return p.loaded(ctx, timeout)
	}
	bound, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	before, err := p.URL(ctx)
	if err != nil {
		return false, err
	}
	for {
		there, err := p.holds(bound, c, before)
		switch {
		case there && err == nil:
			return true, nil
		case ctx.Err() != nil:
			return false, ctx.Err()
		case bound.Err() != nil || errors.Is(err, context.DeadlineExceeded):
			return false, nil
		case err != nil:
			return false, err
		}
		timer := time.NewTimer(lookInterval)
		select {
		case <-timer.C:
		case <-bound.Done():
			timer.Stop()
		}
	}
}

// holds says whether a condition holds now.
func (p *Page) holds(ctx context.Context, c WaitCondition, before string) (bool, error) {
	if c.Kind == WaitURLChanged {
		url, err := p.URL(ctx)
		return url != before, err
	}
	nodes, err := p.AccessibilityTree(ctx)
	if err != nil {
		return false, err
	}
	if c.Kind == WaitElementWithName {
		return elementExists(nodes, c.Text, c.Role), nil
	}
	for i := range nodes {
		n := &nodes[i]
		if contains(n.Name, c.Text) || n.Value != nil && contains(*n.Value, c.Text) {
			return true, nil
		}
	}
	return false, nil
}

// ElementExists says whether an element has this in its name, and the role.
func (p *Page) ElementExists(ctx context.Context, name, role string) (bool, error) {
	nodes, err := p.AccessibilityTree(ctx)
	if err != nil {
		return false, err
	}
	return elementExists(nodes, name, role), nil
}

var _ Backend = (*Page)(nil)
