package perceive

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// UiMap is a page as it was seen at a moment: what can be done, what there is to
// read, and what a person would notice first.
type UiMap struct {
	ID             string      `json:"id"` // the observation's: obs_1, obs_2, …
	Timestamp      time.Time   `json:"timestamp"`
	URL            string      `json:"url"`
	Title          string      `json:"title"`
	Elements       []UiElement `json:"elements"` // el_0 first
	TextBlocks     []TextBlock `json:"text_blocks"`
	PageSignals    PageSignals `json:"page_signals"`
	Viewport       Viewport    `json:"viewport"`
	ContentHash    string      `json:"content_hash"`
	ScreenshotPath string      `json:"screenshot_path,omitempty"`
	Unreadable     []string    `json:"unreadable,omitempty"` // what could not be read, and why
}

// TextBlock is text that can be read and not operated, in reading order.
type TextBlock struct {
	Text       string        `json:"text"`
	Bounds     Bounds        `json:"bounds"`
	Source     ElementSource `json:"source"`
	Confidence float64       `json:"confidence"`
	Offscreen  bool          `json:"offscreen,omitempty"`
}

// Element is the element with an id, or nil.
func (m *UiMap) Element(id string) *UiElement {
	n, ok := ParseElementID(id)
	if !ok || n >= len(m.Elements) || m.Elements[n].ID != id {
		return nil
	}
	return &m.Elements[n]
}

// ByRole are the elements of a role.
func (m *UiMap) ByRole(role UiRole) []*UiElement {
	return m.matching(func(e *UiElement) bool { return e.Role == role })
}

// InteractiveElements are those that something can be done with.
func (m *UiMap) InteractiveElements() []*UiElement {
	return m.matching(func(e *UiElement) bool { return e.Interactive })
}

func (m *UiMap) matching(which func(*UiElement) bool) []*UiElement {
	var list []*UiElement
	for i := range m.Elements {
		if which(&m.Elements[i]) {
			list = append(list, &m.Elements[i])
		}
	}
	return list
}

// AverageConfidence is how sure the map is of its elements.
func (m *UiMap) AverageConfidence() float64 {
	if len(m.Elements) == 0 {
		return 0
	}
	sum := 0.0
	for i := range m.Elements {
		sum += m.Elements[i].Confidence
	}
	return sum / float64(len(m.Elements))
}

// hash is of what the page says, wherever it is on the screen: scrolling and the
// focus do not change it.
func (m *UiMap) hash() string {
	h := sha256.New()
	line := func(parts ...string) {
		for _, p := range parts {
			_, _ = io.WriteString(h, strconv.Itoa(len(p))+":"+p)
		}
		_, _ = io.WriteString(h, "\n")
	}
	line(m.URL, m.Title)
	for i := range m.Elements {
		e := &m.Elements[i]
		value := "-"
		if e.Value != nil {
			value = "=" + *e.Value
		}
		line(string(e.Role), e.Name, value)
		for _, s := range e.States {
			if s != Offscreen && s != Focused {
				line(string(s))
			}
		}
	}
	for i := range m.TextBlocks {
		line(m.TextBlocks[i].Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// number gives the elements their ids: interactive ones first, then as one reads,
// from top to bottom and from left to right.
func (m *UiMap) number() {
	list := m.Elements
	slices.SortStableFunc(list, func(a, b UiElement) int {
		if a.Interactive != b.Interactive {
			if a.Interactive {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Bounds.Y, b.Bounds.Y), cmp.Compare(a.Bounds.X, b.Bounds.X))
	})
	// What stands in one row is read from left to right, even where its boxes do
	// not begin at the very same height.
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].Interactive == list[from].Interactive && beside(list[from].Bounds, list[to].Bounds) {
			to++
		}
		slices.SortStableFunc(list[from:to], func(a, b UiElement) int { return cmp.Compare(a.Bounds.X, b.Bounds.X) })
		from = to
	}
	for i := range list {
		list[i].ID = "el_" + strconv.Itoa(i)
	}
}

// beside says of two boxes, of which the first begins higher, that they stand in
// one row: they begin at about the same height, or their middles are.
func beside(a, b Bounds) bool {
	smaller := min(a.Height, b.Height)
	_, am := a.Center()
	_, bm := b.Center()
	return b.Y < a.Y+max(1, smaller/4) || math.Abs(am-bm) < smaller/2
}

// ParseElementID reads the number of an id such as el_12.
func ParseElementID(id string) (int, bool) {
	digits, ok := strings.CutPrefix(id, "el_")
	if !ok || digits == "" || len(digits) > 1 && digits[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	return int(n), err == nil
}

// SplitID takes the observation off an id that has one: el_3@obs_2.
func SplitID(id string) (element, observation string) {
	element, observation, _ = strings.Cut(id, "@")
	return element, observation
}

// describe is an element in few words: Button "Save".
func (e *UiElement) describe() string {
	if e.Name == "" {
		return string(e.Role)
	}
	return fmt.Sprintf("%s %s", e.Role, quoted(e.Name, 80))
}
