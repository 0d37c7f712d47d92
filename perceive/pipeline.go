package perceive

import (
	"context"
	"time"
)

// Sight is what was seen of a page, and the map that stages make of it.
type Sight struct {
	Screenshot []byte // PNG; nil where none could be taken
	Nodes      []A11yNode
	URL, Title string
	Viewport   Viewport
	Unreadable []string // parts of the page that could not be read, and why
	Map        *UiMap
}

// Stage does a part of perceiving: it reads the sight and adds to its map.
type Stage func(ctx context.Context, s *Sight) error

// Pipeline turns a sight into a map, stage by stage.
type Pipeline []Stage

// Basic is what can be perceived without looking at the picture: elements, text
// and signals from the accessibility tree.
func Basic() Pipeline { return Pipeline{Elements, TextBlocks, Signals} }

// WithVision has a reader look at the picture too, for the names of controls
// that have none. It comes after the elements are known, and adds none.
func WithVision(r Reader) Pipeline { return Pipeline{Elements, TextBlocks, Vision(r), Signals} }

// Perceive runs the stages.
func (p Pipeline) Perceive(ctx context.Context, s *Sight) (*UiMap, error) {
	m := &UiMap{
		Timestamp: time.Now().UTC(), URL: s.URL, Title: s.Title, Viewport: s.Viewport, Unreadable: s.Unreadable,
		Elements: []UiElement{}, TextBlocks: []TextBlock{},
	}
	s.Map = m
	for _, stage := range p {
		if err := stage(ctx, s); err != nil {
			return nil, err
		}
	}
	m.ContentHash = m.hash()
	return m, nil
}

// Elements is the stage that turns nodes into elements and numbers them.
func Elements(_ context.Context, s *Sight) error {
	for i := range s.Nodes {
		if e, ok := elementOf(&s.Nodes[i]); ok {
			s.Map.Elements = append(s.Map.Elements, e)
		}
	}
	s.Map.number()
	return nil
}

// elementOf makes an element of a node that a person would point at.
func elementOf(n *A11yNode) (UiElement, bool) {
	role := RoleOf(n.Role)
	interactive := role.Interactive() || n.Clickable || n.Focusable && role != Container
	if !interactive {
		switch role {
		case Text, Container, TableCell, TableRow, ListItem, Heading:
			if role != Heading || n.Name == "" {
				return UiElement{}, false
			}
		case Dialog, Progress, Frame:
		default:
			if n.Name == "" && n.Value == nil {
				return UiElement{}, false
			}
		}
	}
	e := UiElement{
		Role: role, Name: n.Name, Value: n.Value, Bounds: n.Bounds, States: statesOf(n),
		Source: FromAccessibility, AXRef: n.NodeID, Interactive: interactive,
	}
	if e.Name == "" {
		e.Name = n.Hint
	}
	e.Confidence = confidence(n, role)
	return e, true
}

// confidence says how sure it is that an element is what it seems to be.
func confidence(n *A11yNode, role UiRole) float64 {
	c := 1.0
	switch {
	case n.Name == "":
		c = 0.5 // nobody says what it is for
	case n.has(placeholder):
		c = 0.9 // a hint of what to write, for want of a name
	}
	if role == Clickable {
		c -= 0.1 // it reacts, but does not say how
	}
	if n.Bounds.Empty() {
		c -= 0.2
	}
	return c
}

func statesOf(n *A11yNode) []UiState {
	var list []UiState
	for _, s := range told {
		if n.has(string(s)) || s == Focused && n.Focused || s == Disabled && n.Disabled {
			list = append(list, s)
		}
	}
	return list
}

// TextBlocks is the stage that gathers what can be read: text that is not the
// name of something to operate.
func TextBlocks(_ context.Context, s *Sight) error {
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Name == "" || n.Clickable || n.Focusable {
			continue
		}
		switch RoleOf(n.Role) {
		case Text, Heading, TableCell, ListItem, Alert, Progress:
			s.Map.TextBlocks = append(s.Map.TextBlocks, TextBlock{
				Text: n.Name, Bounds: n.Bounds, Source: FromAccessibility, Confidence: 1, Offscreen: n.has(string(Offscreen)),
			})
		}
	}
	return nil
}
