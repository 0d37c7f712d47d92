package perceive

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"rove/aria"
	"rove/driver"
	"rove/driver/backend"
)

// Page is a real browser as a Backend: whichever tab is in front.
//
// Its tree is the snapshot that rove's page script takes in a world of its own:
// roles, names, values and states as the accessibility specifications have them,
// and boxes as they are on the screen. That is what a screen reader says and an
// eye sees; no markup, no hidden content, no script and no traffic is in it. The
// browser's own accessibility tree says the same and costs many times as much on
// a large page, and it knows no closed shadow roots' places, no things that only
// a listener makes clickable, and only one frame at a time.
//
// The id of an element is ax_ and its ref, such as ax_e12 or, in a frame,
// ax_f3e12. It belongs to that element for as long as it lives. What has no ref
// cannot be operated; its id, such as ax_t4, is good for one tree.
type Page struct {
	// Hide, where it is set, takes out of a text what must not be seen.
	Hide func(string) string
	// Hands act on the page; those of the driver unless others are given.
	Hands Hands
	// Blind takes no pictures.
	Blind bool

	driver *driver.Driver

	mu     sync.Mutex
	shown  map[aria.Ref]driver.Expected // what elements were when they were last seen
	answer string                       // typed into an open prompt
	view   Viewport                     // as it was last seen
}

// Hands act on a page and wait for what comes of it.
type Hands interface {
	// Go opens an address.
	Go(ctx context.Context, url string) error
	// Do does something to the element with a ref, or to the page as a whole where
	// the target is PageTarget: click, input, focus; press, scroll, dialog (accept
	// or dismiss), prompt (the text).
	Do(ctx context.Context, target, op, value string, expect *driver.Expected) (*driver.Effect, error)
}

// PageTarget is the page itself, to Hands.
const PageTarget = "_page"

// Drive is a browser that is driven, as a Backend.
func Drive(d *driver.Driver) *Page {
	return &Page{driver: d, Hands: hands{d}}
}

// loadPatience is how long Navigate waits for a page to load once there is
// something to see.
const loadPatience = 8 * time.Second

// hands are the driver's.
type hands struct{ driver *driver.Driver }

func (h hands) Go(ctx context.Context, url string) error {
	tab, _, err := h.driver.Present(ctx)
	if err != nil {
		return err
	}
	_, err = tab.Navigate(ctx, url, driver.NavigateOptions{Leave: true, Patience: loadPatience})
	return err
}

func (h hands) Do(ctx context.Context, target, op, value string, expect *driver.Expected) (*driver.Effect, error) {
	tab, _, err := h.driver.Present(ctx)
	switch {
	case err != nil:
		return nil, err
	case target != PageTarget:
		return tab.Do(ctx, driver.At(target), driver.Op{Name: op, Value: value, Expect: expect})
	case op == "press" || op == "scroll":
		return tab.Do(ctx, driver.WholePage, driver.Op{Name: op, Value: value})
	case op == "dialog":
		return tab.Answer(ctx, value != "dismiss", "")
	case op == "prompt":
		return tab.Answer(ctx, true, value)
	}
	return nil, driver.Invalid(op, "the page has no operation %q", op)
}

// hide takes out of a text what must not be seen.
func (p *Page) hide(s string) string {
	if p.Hide == nil || s == "" {
		return s
	}
	return p.Hide(s)
}

func (p *Page) tab(ctx context.Context) (*driver.Tab, error) {
	tab, _, err := p.driver.Present(ctx)
	return tab, err
}

// Screenshot is what is visible of the page.
func (p *Page) Screenshot(ctx context.Context) ([]byte, error) {
	tab, err := p.tab(ctx)
	if err != nil {
		return nil, err
	}
	return tab.Screenshot(ctx, backend.ScreenshotOptions{})
}

// AccessibilityTree is what is on the page, with what floats above it.
func (p *Page) AccessibilityTree(ctx context.Context) ([]A11yNode, error) {
	s, err := p.see(ctx, false)
	if err != nil {
		return nil, err
	}
	return s.Nodes, nil
}

// Viewport is the size of the visible page.
func (p *Page) Viewport(ctx context.Context) (Viewport, error) {
	tab, err := p.tab(ctx)
	if err != nil {
		return Viewport{}, err
	}
	tree, err := tab.Snapshot(ctx, driver.SnapshotOptions{Viewport: true, Boxes: true})
	if err != nil {
		return Viewport{}, err
	}
	return viewportOf(tree), nil
}

func viewportOf(t *aria.Tree) Viewport {
	return Viewport{t.Screen.W, t.Screen.H, t.PixelRatio, t.Screen.X, t.Screen.Y}
}

// URL is the address of the page.
func (p *Page) URL(ctx context.Context) (string, error) {
	tab, err := p.tab(ctx)
	if err != nil {
		return "", err
	}
	return p.hide(tab.URL()), nil
}

// Title is the title of the page.
func (p *Page) Title(ctx context.Context) (string, error) {
	tab, err := p.tab(ctx)
	if err != nil {
		return "", err
	}
	title, err := tab.Title(ctx)
	return p.hide(title), err
}

// Observe sees all at once: picture and tree of one moment.
func (p *Page) Observe(ctx context.Context) (*Sight, error) { return p.see(ctx, true) }

func (p *Page) see(ctx context.Context, picture bool) (*Sight, error) {
	tab, err := p.tab(ctx)
	if err != nil {
		return nil, err
	}
	if d := tab.Dialog(); d != nil {
		return p.dialogSight(tab, d), nil
	}
	var png []byte
	var trouble error
	taken := make(chan struct{})
	go func() {
		defer close(taken)
		if picture && !p.Blind {
			png, trouble = tab.Screenshot(ctx, backend.ScreenshotOptions{})
		}
	}()
	tree, err := tab.Snapshot(ctx, driver.SnapshotOptions{Boxes: true})
	<-taken
	if err == nil {
		err = trouble
	}
	if d := tab.Dialog(); err != nil && d != nil {
		return p.dialogSight(tab, d), nil // it opened under the look, and is what there is to see
	}
	if err != nil {
		return nil, err
	}
	s := &Sight{Screenshot: png, URL: p.hide(tree.URL), Title: p.hide(tree.Title), Viewport: viewportOf(tree)}
	s.Nodes = p.nodes(tree)
	p.mu.Lock()
	p.view = s.Viewport
	p.mu.Unlock()
	for _, u := range tree.Unreadable {
		s.Unreadable = append(s.Unreadable, p.hide(refs.ReplaceAllString(u, prefix+"$0")))
	}
	if tree.More {
		s.Unreadable = append(s.Unreadable, "the rest of the page: it is too large")
	}
	return s, nil
}

// nodes turns a snapshot into accessibility nodes. What floats above the page
// comes last: a node of its own for each layer.
func (p *Page) nodes(tree *aria.Tree) []A11yNode {
	list := make([]A11yNode, 0, len(tree.Nodes)+len(tree.Layers))
	shown := map[aria.Ref]driver.Expected{}
	var above []int // the way down to the node before
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		list = append(list, p.node(n, i))
		if n.Ref != "" && n.State&aria.Operable != 0 && p.hide(n.Name) == n.Name {
			shown[n.Ref] = driver.Expected{Role: n.Role, Name: n.Name}
		}
		above = append(above[:min(n.Depth, len(above))], i)
		if len(above) > 1 {
			parent := &list[above[len(above)-2]]
			parent.Children = append(parent.Children, list[i].NodeID)
		}
	}
	for i, l := range tree.Layers {
		n := A11yNode{NodeID: fmt.Sprintf("%slayer_%d", prefix, i+1), Role: layerRole, Bounds: boundsOf(l.Box), Layer: i + 1}
		if l.Covers {
			n.States = []string{covering}
		}
		list = append(list, n)
	}
	p.mu.Lock()
	p.shown = shown
	p.mu.Unlock()
	return list
}

// A layer that floats above the page, as a node.
const (
	layerRole = "layer"
	covering  = "covering" // no press goes past it
)

func (p *Page) node(n *aria.Node, i int) A11yNode {
	operable := n.State&aria.Operable != 0
	a := A11yNode{
		NodeID: prefix + string(n.Ref), Role: n.Role, Name: p.hide(n.Name), Hint: p.hide(n.Desc), Bounds: boundsOf(n.Box),
		Focusable: operable && n.Role != "clickable", Focused: n.State&aria.Active != 0, Disabled: n.State&aria.Disabled != 0,
		Clickable: operable, Level: n.Level, Layer: n.Layer,
	}
	if n.Ref == "" {
		a.NodeID = prefix + "t" + strconv.Itoa(i)
	}
	if n.State&aria.HasValue != 0 || RoleOf(n.Role) == TextInput && operable {
		value := p.hide(n.Value)
		a.Value = &value
	}
	for _, s := range stateWords {
		if n.State&s.bit != 0 {
			a.States = append(a.States, string(s.word))
		}
	}
	if n.State&aria.InView == 0 {
		a.States = append(a.States, string(Offscreen))
	}
	return a
}

var stateWords = []struct {
	bit  aria.State
	word UiState
}{
	{aria.Checked, Checked},
	{aria.Mixed, Mixed},
	{aria.Expanded, Expanded},
	{aria.Collapsed, Collapsed},
	{aria.Selected, Selected},
	{aria.Pressed, Pressed},
	{aria.Required, Required},
	{aria.Invalid, Invalid},
	{aria.Readonly, ReadOnly},
	{aria.Current, Current},
	{aria.Modal, Modal},
	{aria.Masked, Masked},
	{aria.Placeholder, placeholder},
}

func boundsOf(b aria.Box) Bounds {
	return Bounds{float64(b.X), float64(b.Y), float64(b.W), float64(b.H)}
}

// The parts of a dialog that the browser itself shows. They are no part of the
// page, and look like this to a person.
const (
	dialogID     = prefix + "dialog"
	dialogText   = prefix + "dialog_text"
	dialogOK     = prefix + "dialog_ok"
	dialogCancel = prefix + "dialog_cancel"
)

// dialogSight is what is to be seen while an alert, confirm or prompt is open:
// nothing of the page can be read or used then.
func (p *Page) dialogSight(tab *driver.Tab, d *backend.Dialog) *Sight {
	message := p.hide(d.Message)
	if message == "" && d.Type == "beforeunload" {
		message = "Leave this page? Changes may not be saved."
	}
	nodes := []A11yNode{{NodeID: dialogID, Role: "alertdialog", Name: message, States: []string{string(Modal)}, Bounds: Bounds{320, 0, 640, 160}, Layer: 1}}
	if d.Type == "prompt" {
		p.mu.Lock()
		text := p.answer
		p.mu.Unlock()
		if text == "" {
			text = d.Default
		}
		text = p.hide(text)
		nodes = append(nodes, A11yNode{NodeID: dialogText, Role: "textbox", Name: message, Value: &text, Focusable: true, Clickable: true, Bounds: Bounds{340, 70, 600, 30}, Layer: 1})
	}
	ok := A11yNode{NodeID: dialogOK, Role: "button", Name: "OK", Focusable: true, Clickable: true, Bounds: Bounds{760, 115, 80, 30}, Layer: 1}
	if nodes = append(nodes, ok); d.Type != "alert" {
		nodes = append(nodes, A11yNode{NodeID: dialogCancel, Role: "button", Name: "Cancel", Focusable: true, Clickable: true, Bounds: Bounds{860, 115, 80, 30}, Layer: 1})
	}
	for i := range nodes[1:] {
		nodes[0].Children = append(nodes[0].Children, nodes[i+1].NodeID)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return &Sight{Nodes: nodes, URL: p.hide(tab.URL()), Viewport: p.view}
}
