// Package perceive lets a program see a page and act on it as a person does:
// through what is on the screen and what a screen reader would say of it, with
// pointer and keys. Nothing behind this door reads markup, scripts or traffic.
//
// A Backend is a browser: a mock for tests, or a real one (see Drive). A
// Pipeline turns what it shows into a UiMap: elements with ids such as el_3,
// text, and signals such as an open modal or a cookie banner. A Visitor keeps the
// last observation and acts on the ids in it:
//
//	v := perceive.NewVisitor(perceive.NewMock(), nil)
//	defer v.Close()
//	seen, err := v.Observe(ctx, perceive.ObserveOptions{})
//	fmt.Println(seen.UIMap)
//	// URL: https://example.com
//	// Title: Example Domain
//	// Viewport: 1280x720
//	//
//	// Interactive Elements:
//	// [el_0] TextInput "Search" (250,115)
//	// [el_1] Button "Submit" (460,115)
//	// …
//	_, err = v.Click(ctx, "el_1")
//
// An id is good for the last observation alone. Written el_1@obs_1 it says which
// one it is of, and is refused after the next.
//
// Errors are *driver.Error, as everywhere: a code, a sentence, and what to do.
package perceive

import (
	"context"
	"time"
)

// Backend is a browser as a person has it. Element ids are accessibility ids,
// as in A11yNode. All methods end with their context.
type Backend interface {
	// Screenshot is what is visible of the page, as a PNG.
	Screenshot(ctx context.Context) ([]byte, error)
	// AccessibilityTree is what a screen reader finds, in document order.
	AccessibilityTree(ctx context.Context) ([]A11yNode, error)
	// Viewport is the size of the visible page.
	Viewport(ctx context.Context) (Viewport, error)
	// URL is the address of the page.
	URL(ctx context.Context) (string, error)
	// Title is the title of the page.
	Title(ctx context.Context) (string, error)
	// Navigate opens an address and waits for the page.
	Navigate(ctx context.Context, url string) error
	// Click clicks at a point of the viewport, in CSS pixels.
	Click(ctx context.Context, x, y float64) error
	// Text enters text where the focus is, all at once, as a paste does.
	Text(ctx context.Context, text string) error
	// Keypress presses a key, such as a, Enter or ArrowDown, where the focus is.
	Keypress(ctx context.Context, key string, modifiers ...Modifier) error
	// Scroll turns the wheel: pixels, down where positive.
	Scroll(ctx context.Context, deltaY int) error
	// ClickElement clicks an element.
	ClickElement(ctx context.Context, id string) error
	// TypeInto replaces what a field holds.
	TypeInto(ctx context.Context, id, text string) error
	// FocusElement gives an element the focus.
	FocusElement(ctx context.Context, id string) error
	// PageLoaded says whether the page has loaded.
	PageLoaded(ctx context.Context) (bool, error)
	// WaitUntil waits for a condition and says whether it came about in time.
	WaitUntil(ctx context.Context, c WaitCondition, timeout time.Duration) (bool, error)
	// ElementExists says whether an element has this in its name, and the role if
	// one is given.
	ElementExists(ctx context.Context, name, role string) (bool, error)
}
