package perceive

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Mock is a browser for tests: one page with a heading, a search field, a button
// and a disabled button, which records what is done to it. Its fields may be
// changed before it is used.
type Mock struct {
	Address   string
	PageTitle string
	Nodes     []A11yNode
	View      Viewport
	PNG       []byte
	// Met is what WaitUntil answers.
	Met bool
	// Err, where it is set, is what every method fails with.
	Err error

	mu      sync.Mutex
	clicks  int
	typed   []Typing
	scroll  int
	presses []Press
	pasted  []string
	focused []string
	waits   []Waiting
}

// Typing is a text that was typed into an element.
type Typing struct{ ElementID, Text string }

// Press is a key that was pressed.
type Press struct {
	Key       string
	Modifiers []Modifier
}

// Waiting is something that was waited for.
type Waiting struct {
	Condition WaitCondition
	Timeout   time.Duration
}

// NewMock makes a mock that shows the example page.
func NewMock() *Mock {
	return &Mock{
		Address: "https://example.com", PageTitle: "Example Domain", Nodes: MockTree(),
		View: Viewport{Width: 1280, Height: 720, DevicePixelRatio: 2}, PNG: onePixel, Met: true,
	}
}

// MockTree is the accessibility tree of the example page.
func MockTree() []A11yNode {
	empty := ""
	return []A11yNode{
		{
			NodeID: "ax_root", Role: "document", Name: "Example Page", Bounds: Bounds{0, 0, 1280, 720},
			Children: []string{"ax_heading", "ax_search", "ax_submit"},
		},
		{NodeID: "ax_heading", Role: "heading", Name: "Welcome to Example", Bounds: Bounds{100, 20, 400, 40}},
		{NodeID: "ax_search", Role: "textfield", Name: "Search", Value: &empty, Bounds: Bounds{100, 100, 300, 30}, Focusable: true},
		{NodeID: "ax_submit", Role: "button", Name: "Submit", Bounds: Bounds{420, 100, 80, 30}, Focusable: true},
		{NodeID: "ax_disabled_btn", Role: "button", Name: "Disabled Action", Bounds: Bounds{520, 100, 100, 30}, Disabled: true},
	}
}

// onePixel is a PNG of one pixel.
var onePixel = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde" +
	"\x00\x00\x00\x0cIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\r\xefF\xb8\x00\x00\x00\x00IEND\xaeB`\x82")

// Clicks is how often something was clicked.
func (m *Mock) Clicks() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.clicks
}

// Typed is what was typed into elements, in order.
func (m *Mock) Typed() []Typing { return recorded(m, &m.typed) }

// Scrolled is how far was scrolled in all, up and down.
func (m *Mock) Scrolled() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.scroll
}

// Presses is which keys were pressed, in order.
func (m *Mock) Presses() []Press { return recorded(m, &m.presses) }

// Pasted is what was entered without an element, in order.
func (m *Mock) Pasted() []string { return recorded(m, &m.pasted) }

// Focused is which elements got the focus, in order.
func (m *Mock) Focused() []string { return recorded(m, &m.focused) }

// Waits is what was waited for, in order.
func (m *Mock) Waits() []Waiting { return recorded(m, &m.waits) }

// recorded copies what was recorded so far.
func recorded[T any](m *Mock, list *[]T) []T {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(*list)
}

// did records something, unless the mock is to fail or the time is up.
func (m *Mock) did(ctx context.Context, record func()) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.Err != nil {
		return m.Err
	}
	record()
	return nil
}

// asked answers with a value, unless the mock is to fail or the time is up.
func asked[T any](ctx context.Context, m *Mock, value func() T) (T, error) {
	var v T
	err := m.did(ctx, func() { v = value() })
	return v, err
}

// What Backend asks for.

func (m *Mock) Screenshot(ctx context.Context) ([]byte, error) {
	return asked(ctx, m, func() []byte { return m.PNG })
}

func (m *Mock) AccessibilityTree(ctx context.Context) ([]A11yNode, error) {
	return asked(ctx, m, func() []A11yNode { return slices.Clone(m.Nodes) })
}

func (m *Mock) Viewport(ctx context.Context) (Viewport, error) {
	return asked(ctx, m, func() Viewport { return m.View })
}

func (m *Mock) URL(ctx context.Context) (string, error) {
	return asked(ctx, m, func() string { return m.Address })
}

func (m *Mock) Title(ctx context.Context) (string, error) {
	return asked(ctx, m, func() string { return m.PageTitle })
}

func (m *Mock) Navigate(ctx context.Context, url string) error {
	return m.did(ctx, func() { m.Address, m.PageTitle = url, "Page: "+url })
}

func (m *Mock) Click(ctx context.Context, _, _ float64) error {
	return m.did(ctx, func() { m.clicks++ })
}

func (m *Mock) Text(ctx context.Context, text string) error {
	return m.did(ctx, func() { m.pasted = append(m.pasted, text) })
}

func (m *Mock) Keypress(ctx context.Context, key string, modifiers ...Modifier) error {
	return m.did(ctx, func() { m.presses = append(m.presses, Press{key, slices.Clone(modifiers)}) })
}

func (m *Mock) Scroll(ctx context.Context, deltaY int) error {
	return m.did(ctx, func() { m.scroll += max(deltaY, -deltaY) })
}

func (m *Mock) ClickElement(ctx context.Context, id string) error {
	if err := isA11yID("click", id); err != nil {
		return err
	}
	return m.did(ctx, func() { m.clicks++ })
}

func (m *Mock) TypeInto(ctx context.Context, id, text string) error {
	if err := isA11yID("type", id); err != nil {
		return err
	}
	return m.did(ctx, func() { m.typed = append(m.typed, Typing{id, text}) })
}

func (m *Mock) FocusElement(ctx context.Context, id string) error {
	if err := isA11yID("focus", id); err != nil {
		return err
	}
	return m.did(ctx, func() { m.focused = append(m.focused, id) })
}

func (m *Mock) PageLoaded(ctx context.Context) (bool, error) {
	return asked(ctx, m, func() bool { return true })
}

func (m *Mock) WaitUntil(ctx context.Context, c WaitCondition, timeout time.Duration) (bool, error) {
	return asked(ctx, m, func() bool {
		m.waits = append(m.waits, Waiting{c, timeout})
		return m.Met
	})
}

func (m *Mock) ElementExists(ctx context.Context, name, role string) (bool, error) {
	return asked(ctx, m, func() bool { return elementExists(m.Nodes, name, role) })
}

var _ Backend = (*Mock)(nil)
