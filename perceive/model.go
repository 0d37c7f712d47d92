package perceive

import (
	"fmt"
	"slices"
	"strings"

	"rove/driver"
	"rove/driver/backend"
)

// A11yNode is one node of the accessibility tree: something a screen reader
// would say.
type A11yNode struct {
	NodeID    string   `json:"node_id"`
	Role      string   `json:"role"` // an ARIA role, as the backend writes it
	Name      string   `json:"name,omitempty"`
	Value     *string  `json:"value,omitempty"` // nil where there can be none
	Bounds    Bounds   `json:"bounds"`
	Children  []string `json:"children,omitempty"`
	Focusable bool     `json:"focusable"`
	Focused   bool     `json:"focused"`
	Disabled  bool     `json:"disabled"`

	// What a backend may say beside: checked, mixed, expanded, collapsed, selected,
	// pressed, required, invalid, readonly, modal, busy, masked, offscreen, …
	States []string `json:"states,omitempty"`
	Hint   string   `json:"hint,omitempty"`  // what tells a nameless element apart
	Level  int      `json:"level,omitempty"` // of a heading
	// Layer is the number of the layer that floats above the page and stays where
	// it is when that scrolls, in which the node is; 0 is the page.
	Layer int `json:"layer,omitempty"`
	// Clickable: it reacts to the pointer, whatever its role says.
	Clickable bool `json:"clickable,omitempty"`
}

// has says whether a backend told of a state.
func (n *A11yNode) has(state string) bool { return slices.Contains(n.States, state) }

// prefix is what accessibility ids begin with; el_3 and its like do not.
const prefix = "ax_"

// isA11yID refuses what is not the id of a node.
func isA11yID(op, id string) error {
	if strings.HasPrefix(id, prefix) {
		return nil
	}
	return &driver.Error{
		Code: driver.CodeNotFound, Op: op, Message: "element not found: Expected AX node ID (ax_*), got: " + brief(id),
		Hint: "observe the page first, and use an id that it shows",
	}
}

// elementExists looks for an element by a part of its name, and its role.
func elementExists(nodes []A11yNode, name, role string) bool {
	return slices.ContainsFunc(nodes, func(n A11yNode) bool {
		if role != "" && !strings.EqualFold(n.Role, role) && !strings.EqualFold(string(RoleOf(n.Role)), role) {
			return false
		}
		return contains(n.Name, name)
	})
}

// contains finds a text in another as a person does, whatever the case.
func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// Bounds are a rectangle in the viewport, in CSS pixels.
type Bounds struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Center is the middle of the rectangle.
func (b Bounds) Center() (x, y float64) { return b.X + b.Width/2, b.Y + b.Height/2 }

// Contains says whether a point is in the rectangle.
func (b Bounds) Contains(x, y float64) bool {
	return x >= b.X && x <= b.X+b.Width && y >= b.Y && y <= b.Y+b.Height
}

// Empty says that the rectangle has no area.
func (b Bounds) Empty() bool { return b.Width <= 0 || b.Height <= 0 }

// Viewport is the visible part of the page, in CSS pixels.
type Viewport struct {
	Width            int     `json:"width"`
	Height           int     `json:"height"`
	DevicePixelRatio float64 `json:"device_pixel_ratio"`
	ScrollX          int     `json:"scroll_x,omitempty"`
	ScrollY          int     `json:"scroll_y,omitempty"`
}

// Modifier is a key that is held while another is pressed.
type Modifier string

const (
	Shift   Modifier = "shift"
	Control Modifier = "control"
	Alt     Modifier = "alt"
	Meta    Modifier = "meta"
)

// Modifiers are all there are.
var Modifiers = []Modifier{Shift, Control, Alt, Meta}

// ParseModifiers reads modifier keys by name.
func ParseModifiers(names []string) ([]Modifier, error) {
	var list []Modifier
	for _, name := range names {
		m := Modifier(strings.ToLower(name))
		if m.mods() == 0 {
			return nil, driver.Invalid("keypress", "there is no modifier %q: say shift, control, alt or meta", name)
		}
		list = append(list, m)
	}
	return list, nil
}

func (m Modifier) mods() backend.Mods {
	return map[Modifier]backend.Mods{Shift: backend.Shift, Control: backend.Control, Alt: backend.Alt, Meta: backend.Meta}[m]
}

// WaitKind is what a WaitCondition is about.
type WaitKind string

const (
	WaitPageLoaded      WaitKind = "page_loaded"
	WaitURLChanged      WaitKind = "url_changed"
	WaitContainsText    WaitKind = "a11y_contains_text"
	WaitElementWithName WaitKind = "element_with_name"
)

// WaitCondition is what to wait for.
type WaitCondition struct {
	Kind WaitKind `json:"kind"`
	Text string   `json:"text,omitempty"` // the text, or the part of a name
	Role string   `json:"role,omitempty"` // of an element; "" is any
}

// conditions is what can be waited for, in words.
const conditions = "say page_loaded, url_changed, a11y_contains_text:TEXT, element_with_name:NAME or element_with_name:NAME@ROLE"

// ParseWait reads a condition: page_loaded, url_changed,
// a11y_contains_text:TEXT, element_with_name:NAME or element_with_name:NAME@ROLE.
// A name that has an @ in it is followed by one more.
func ParseWait(s string) (WaitCondition, error) {
	word, rest, told := strings.Cut(s, ":")
	c := WaitCondition{Kind: WaitKind(word), Text: rest}
	bare := c.Kind == WaitPageLoaded || c.Kind == WaitURLChanged
	switch {
	case bare && !told:
	case c.Kind == WaitContainsText && told:
	case c.Kind == WaitElementWithName && told:
		if at := strings.LastIndexByte(rest, '@'); at >= 0 && isRole(rest[at+1:]) {
			c.Text, c.Role = rest[:at], rest[at+1:]
		}
	default:
		return WaitCondition{}, driver.Invalid("wait", "Unknown wait condition: %s; %s", brief(s), conditions)
	}
	if !bare && strings.TrimSpace(c.Text) == "" && c.Role == "" {
		return WaitCondition{}, driver.Invalid("wait", "%s: there is nothing after the colon to wait for; %s", c.Kind, conditions)
	}
	return c, nil
}

// isRole keeps the rest of an address, as in ann@example.com, from being taken
// for a role.
func isRole(s string) bool {
	for _, c := range s {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// String is the condition as ParseWait reads it.
func (c WaitCondition) String() string {
	s := string(c.Kind)
	if c.Kind == WaitContainsText || c.Kind == WaitElementWithName {
		s += ":" + c.Text
		if c.Role != "" || c.Kind == WaitElementWithName && strings.Contains(c.Text, "@") {
			s += "@" + c.Role
		}
	}
	return s
}

// brief cuts what somebody wrote to what a message can show.
func brief(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return fmt.Sprintf("%q…", string(r[:most]))
	}
	return fmt.Sprintf("%q", s)
}
