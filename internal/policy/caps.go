package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Capability is something that agents can do beside looking and operating, and
// that can be switched off.
type Capability struct {
	Name  string
	About string // one line
}

// Capabilities are all there are.
var Capabilities = []Capability{
	{"eval", "run JavaScript in the page, also as the condition of a wait"},
	{"upload", "give files of this machine to pages"},
	{"download", "keep files that pages offer"},
	{"file", "read files of this machine"},
	{"pdf", "print pages to files"},
	{"screenshot", "take pictures of pages"},
	{"console", "read the console of pages"},
	{"network", "read and change what pages send and receive"},
}

// Caps are the capabilities that are switched off. The zero value has all on.
type Caps struct{ off []string }

// ParseCaps reads a list of capabilities: those that are on, or each with a
// minus, those that are off. Nothing and "all" are all of them, "none" is none.
func ParseCaps(list []string) (Caps, error) {
	var on, off []string
	for _, name := range list {
		name = strings.ToLower(strings.TrimSpace(name))
		switch bare, minus := strings.CutPrefix(name, "-"); {
		case name == "":
			return Caps{}, errors.New("a name is empty: say which, or all, or none")
		case name == "all":
		case name == "none" && len(list) == 1:
			return Caps{capNames()}, nil
		case !slices.Contains(capNames(), bare):
			return Caps{}, fmt.Errorf("there is no capability %q: there are %s; with a minus one is switched off, as in -eval", name, strings.Join(capNames(), ", "))
		case minus:
			off = append(off, bare)
		default:
			on = append(on, name)
		}
	}
	switch {
	case len(on) > 0 && len(off) > 0:
		return Caps{}, fmt.Errorf("say which capabilities are on (%s), or which are off (-%s), not both", on[0], off[0])
	case len(on) > 0:
		off = slices.DeleteFunc(capNames(), func(name string) bool { return slices.Contains(on, name) })
	}
	slices.Sort(off)
	return Caps{slices.Compact(off)}, nil
}

func capNames() []string {
	names := make([]string, len(Capabilities))
	for i, c := range Capabilities {
		names[i] = c.Name
	}
	return names
}

// Off says whether a capability is switched off.
func (c Caps) Off(name string) bool { return slices.Contains(c.off, name) }

// Check refuses what is switched off: a *Refusal, or nil.
func (c Caps) Check(name string) error {
	if !c.Off(name) {
		return nil
	}
	about := name
	for _, known := range Capabilities {
		if known.Name == name {
			about = known.About
		}
	}
	return &Refusal{
		Reason: fmt.Sprintf("%s is switched off here (%s)", name, about),
		Hint:   fmt.Sprintf("do without; whoever started rove can allow it with --caps %s", c.with(name)),
	}
}

// with is the list that has one more switched on.
func (c Caps) with(name string) string {
	var rest []string
	for _, off := range c.off {
		if off != name {
			rest = append(rest, "-"+off)
		}
	}
	if len(rest) == 0 {
		return "all"
	}
	return strings.Join(rest, ",")
}
