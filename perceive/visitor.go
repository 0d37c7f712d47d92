package perceive

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"rove/driver"
	"rove/driver/advice"
)

// Visitor is somebody at a page: it knows what was observed last, and acts on
// it. Its methods may be called from several goroutines; all but Wait take turns.
type Visitor struct {
	// Save keeps a picture and gives its path. Nil writes it to a folder of the
	// visitor's own, which goes with Close.
	Save func(png []byte) (path string, err error)

	backend  Backend
	pipeline Pipeline

	mu    sync.Mutex
	last  *UiMap // nil before the first observation
	count int    // of observations
	left  string // why the last observation is of the past, "" while it is not
	dir   string
}

// NewVisitor is somebody at a browser. Nil is the Basic pipeline.
func NewVisitor(b Backend, p Pipeline) *Visitor {
	if p == nil {
		p = Basic()
	}
	return &Visitor{backend: b, pipeline: p}
}

// Close removes the pictures that the visitor keeps itself.
func (v *Visitor) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.dir == "" {
		return nil
	}
	dir := v.dir
	v.dir = ""
	return os.RemoveAll(dir)
}

// Last is the last observation, or nil.
func (v *Visitor) Last() *UiMap {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.last
}

// Answers of a visitor. Encoded as JSON they are what the browse_ tools give.
type (
	// Navigated answers Navigate.
	Navigated struct {
		URL    string `json:"url"`
		Status string `json:"status"` // navigated
	}
	// Clicked answers Click.
	Clicked struct {
		ElementID  string `json:"element_id"`
		ResolvedID string `json:"resolved_id"`
		Status     string `json:"status"` // clicked
	}
	// Typed answers Type.
	Typed struct {
		ElementID  string `json:"element_id"`
		ResolvedID string `json:"resolved_id"`
		Text       string `json:"text"`
		Status     string `json:"status"` // typed
	}
	// Scrolled answers Scroll.
	Scrolled struct {
		DeltaY int    `json:"delta_y"`
		Status string `json:"status"` // scrolled
	}
	// KeyPressed answers Keypress.
	KeyPressed struct {
		Key    string `json:"key"`
		Status string `json:"status"` // pressed
	}
	// Waited answers Wait.
	Waited struct {
		Condition string `json:"condition"`
		Met       bool   `json:"met"`
	}
	// Observed answers Observe.
	Observed struct {
		Observation      string       `json:"observation"` // obs_1, obs_2, …
		URL              string       `json:"url"`
		Title            string       `json:"title"`
		UIMap            string       `json:"ui_map"` // FormatSummary
		ScreenshotPath   string       `json:"screenshot_path,omitempty"`
		ScreenshotBase64 string       `json:"screenshot_base64,omitempty"`
		ElementCount     int          `json:"element_count"`
		Viewport         ViewportSize `json:"viewport"`
		PageSignals      PageSignals  `json:"page_signals"`

		Map *UiMap `json:"-"`
		PNG []byte `json:"-"`
	}
	// ViewportSize is the size of the visible page.
	ViewportSize struct {
		Width  int `json:"width"`
		Height int `json:"height"`
	}
)

// Navigate opens an address.
func (v *Visitor) Navigate(ctx context.Context, url string) (*Navigated, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.backend.Navigate(ctx, url); err != nil {
		return nil, err
	}
	if v.last != nil {
		v.left = "another page was opened since"
	}
	return &Navigated{url, "navigated"}, nil
}

// Click clicks an element of the last observation, or one by its accessibility
// id.
func (v *Visitor) Click(ctx context.Context, id string) (*Clicked, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	resolved, err := v.resolve("click", id)
	if err != nil {
		return nil, err
	}
	if err := v.backend.ClickElement(ctx, resolved); err != nil {
		return nil, v.explain("click", id, err)
	}
	return &Clicked{id, resolved, "clicked"}, nil
}

// Type replaces what a field of the last observation holds.
func (v *Visitor) Type(ctx context.Context, id, text string) (*Typed, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	resolved, err := v.resolve("type", id)
	if err != nil {
		return nil, err
	}
	if err := v.backend.TypeInto(ctx, resolved, text); err != nil {
		return nil, v.explain("type", id, err)
	}
	return &Typed{id, resolved, text, "typed"}, nil
}

// Focus gives an element of the last observation the focus.
func (v *Visitor) Focus(ctx context.Context, id string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	resolved, err := v.resolve("focus", id)
	if err != nil {
		return err
	}
	return v.explain("focus", id, v.backend.FocusElement(ctx, resolved))
}

// maxScroll is how many pixels one scroll goes at most.
const maxScroll = 1_000_000

// Scroll scrolls the page: pixels, down where positive.
func (v *Visitor) Scroll(ctx context.Context, deltaY int) (*Scrolled, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if deltaY > maxScroll || deltaY < -maxScroll {
		return nil, driver.Invalid("scroll", "delta_y %d: pixels, from %d to %d", deltaY, -maxScroll, maxScroll)
	}
	if err := v.backend.Scroll(ctx, deltaY); err != nil {
		return nil, err
	}
	return &Scrolled{deltaY, "scrolled"}, nil
}

// Keypress presses a key where the focus is.
func (v *Visitor) Keypress(ctx context.Context, key string, modifiers ...Modifier) (*KeyPressed, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if key == "" {
		return nil, driver.Invalid("keypress", "the key is empty: say one, such as a, Enter, Tab, Escape or ArrowDown")
	}
	if err := v.backend.Keypress(ctx, key, modifiers...); err != nil {
		return nil, err
	}
	return &KeyPressed{key, "pressed"}, nil
}

// DefaultWait is how long Wait waits unless told.
const DefaultWait = 5 * time.Second

// leastWait is how long it waits at least: the page has to say whether it is so.
const leastWait = 200 * time.Millisecond

// Wait waits for a condition as ParseWait reads it; 0 is DefaultWait. One that
// does not come about in time is an answer, not an error. The URL has changed if
// it is not the one of the last observation.
func (v *Visitor) Wait(ctx context.Context, condition string, timeout time.Duration) (*Waited, error) {
	c, err := ParseWait(condition)
	if err != nil {
		return nil, err
	}
	if timeout <= 0 {
		timeout = DefaultWait
	}
	timeout = max(timeout, leastWait)
	if last := v.Last(); c.Kind == WaitURLChanged && last != nil {
		url, err := v.backend.URL(ctx)
		if err != nil {
			return nil, err
		}
		if url != last.URL {
			return &Waited{condition, true}, nil
		}
	}
	// Without the visitor's turn: what is waited for may be what another brings
	// about.
	met, err := v.backend.WaitUntil(ctx, c, timeout)
	if err != nil {
		return nil, err
	}
	return &Waited{condition, met}, nil
}

// ObserveOptions shape an observation.
type ObserveOptions struct {
	// IncludeScreenshot has the picture in the answer too.
	IncludeScreenshot bool
}

// observer is a backend that sees all at once, at one moment.
type observer interface {
	Observe(ctx context.Context) (*Sight, error)
}

// Observe looks at the page and makes a map of it, which ids are resolved
// through until the next.
func (v *Visitor) Observe(ctx context.Context, opts ObserveOptions) (*Observed, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s, err := v.sight(ctx)
	if err != nil {
		return nil, err
	}
	m, err := v.pipeline.Perceive(ctx, s)
	if err != nil {
		return nil, err
	}
	if len(s.Screenshot) > 0 {
		if m.ScreenshotPath, err = v.save(s.Screenshot); err != nil {
			return nil, err
		}
	}
	v.count++
	m.ID = fmt.Sprintf("obs_%d", v.count)
	v.last, v.left = m, ""
	o := &Observed{
		Observation: m.ID, URL: m.URL, Title: m.Title, UIMap: m.FormatSummary(), ScreenshotPath: m.ScreenshotPath,
		ElementCount: len(m.Elements), Viewport: ViewportSize{m.Viewport.Width, m.Viewport.Height}, PageSignals: m.PageSignals,
		Map: m, PNG: s.Screenshot,
	}
	if opts.IncludeScreenshot {
		o.ScreenshotBase64 = base64.StdEncoding.EncodeToString(s.Screenshot)
	}
	return o, nil
}

// sight asks the backend for all that can be seen.
func (v *Visitor) sight(ctx context.Context) (s *Sight, err error) {
	if o, ok := v.backend.(observer); ok {
		return o.Observe(ctx)
	}
	s = &Sight{}
	if s.Screenshot, err = v.backend.Screenshot(ctx); err != nil {
		return nil, err
	}
	if s.Nodes, err = v.backend.AccessibilityTree(ctx); err != nil {
		return nil, err
	}
	if s.URL, err = v.backend.URL(ctx); err != nil {
		return nil, err
	}
	if s.Title, err = v.backend.Title(ctx); err != nil {
		return nil, err
	}
	s.Viewport, err = v.backend.Viewport(ctx)
	return s, err
}

func (v *Visitor) save(png []byte) (string, error) {
	if v.Save != nil {
		return v.Save(png)
	}
	if v.dir == "" {
		dir, err := os.MkdirTemp("", "rove-perceive-")
		if err != nil {
			return "", err
		}
		v.dir = dir
	}
	path := filepath.Join(v.dir, fmt.Sprintf("%d.png", v.count+1))
	return path, os.WriteFile(path, png, 0o600)
}

// resolve gives the accessibility id that an id stands for. What is no id of an
// observation goes through: it may be an accessibility id already.
func (v *Visitor) resolve(op, id string) (string, error) {
	element, observation := SplitID(id)
	refuse := func(format string, args ...any) (string, error) {
		return "", &driver.Error{
			Code: driver.CodeStale, Op: op + " " + id, Message: fmt.Sprintf(format, args...), Hint: observeAgain,
		}
	}
	_, ours := ParseElementID(element)
	switch {
	case !ours || v.last == nil && observation == "":
		return id, nil
	case v.last == nil:
		return refuse("there was no observation yet")
	case observation != "" && observation != v.last.ID:
		return refuse("%s is of %s; only the ids of the last observation count, which is %s", element, brief(observation), v.last.ID)
	case v.left != "":
		return refuse("%s is of %s, and %s", element, v.last.ID, v.left)
	}
	e := v.last.Element(element)
	if e == nil && len(v.last.Elements) == 0 {
		return refuse("the last observation, %s, has no elements", v.last.ID)
	}
	if e == nil {
		return refuse("the last observation, %s, has no %s: it goes from el_0 to el_%d", v.last.ID, element, len(v.last.Elements)-1)
	}
	return e.AXRef, nil
}

const observeAgain = "observe the page again (browse_observe) and use an id that it shows"

// explain says of an element that is gone what it was, and where it was seen.
func (v *Visitor) explain(op, id string, err error) error {
	var known *driver.Error
	if err == nil || v.last == nil || !errors.As(err, &known) {
		return err
	}
	element, _ := SplitID(id)
	e := v.last.Element(element)
	if e == nil {
		return err
	}
	told := *known
	told.Op = op + " " + id
	told.Message, told.Hint = v.inIDs(known.Message), v.inIDs(known.Hint)
	if known.Code == driver.CodeStale {
		told.Message = fmt.Sprintf("%s was %s in %s, and that is gone from the page or has become something else", element, e.describe(), v.last.ID)
	}
	if a := known.Advice(); known.Code == driver.CodeStale || a != "" && a != advice.UseKeys {
		told.Hint = observeAgain
	}
	return &told
}

var refs = regexp.MustCompile(`\b(f\d+)?e\d+\b`)

// inIDs writes the refs of a message as the ids that the observation has for
// them.
func (v *Visitor) inIDs(s string) string {
	return refs.ReplaceAllStringFunc(s, func(ref string) string {
		for i := range v.last.Elements {
			if v.last.Elements[i].AXRef == prefix+ref {
				return v.last.Elements[i].ID
			}
		}
		return ref
	})
}
