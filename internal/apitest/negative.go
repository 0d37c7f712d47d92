package apitest

import (
	"fmt"
	"slices"
	"strings"

	"rove/internal/outlet"
)

// Negative is a case that must be refused.
type Negative struct {
	Call *Call
	Kind string
	// Field is what is left out of the body, or the place of what is forged.
	Field string
	// Status is what the application answered; 0 before it was asked.
	Status int

	mark int
}

const (
	unsigned = "without signing in"
	stranger = "with an id that is nobody's"
	missing  = "without a field"
	forged   = "with a forged token"
)

// negatives are the cases that are worth trying: each operation without signing
// in, with a stranger's id, without each field of its body.
func (s *Suite) negatives() (list []*Scenario) {
	seen := map[string]bool{}
	mark := 100_000
	add := func(c *Call, kind, field, words string) {
		key := c.shape + kind + field
		if seen[key] {
			return
		}
		seen[key] = true
		mark++
		n := &Negative{Call: c, Kind: kind, Field: field, mark: mark}
		sc := &Scenario{Name: c.title() + " " + words, Calls: append(s.before(c, n), c), Signed: s.signedCall(c), Negative: n}
		for _, one := range s.Scenarios {
			sc.Own = sc.Own || one.Own && slices.Contains(one.Calls, c)
		}
		list = append(list, sc)
	}
	for _, sc := range s.Scenarios {
		for _, c := range sc.Calls {
			if c.Needed || c.document || c.Answer.Status >= 400 || c.leaves {
				continue
			}
			if s.proves(c) {
				add(c, unsigned, "", unsigned)
			}
			for _, sl := range c.slots() {
				if c.writes() && sl.forgeable() {
					add(c, forged, sl.key, "with a forged "+quote(sl.name))
				}
			}
			if slices.ContainsFunc(c.Path, func(t Text) bool { return t.alone() != nil }) {
				add(c, stranger, "", stranger)
			}
			if !c.writes() || operation(c.Body) != "" {
				continue
			}
			for _, name := range c.Body.fieldNames() {
				if !outlet.Secretive(name) {
					add(c, missing, name, "without "+quote(name))
				}
			}
		}
	}
	return list
}

func (b *Body) fieldNames() (names []string) {
	switch {
	case b == nil:
	case b.Kind == "json" && b.JSON.Kind == 'o':
		names = b.JSON.Keys
	case b.Kind == "form" || b.Kind == "multipart":
		names, _ = named(b.Fields)
	}
	return names
}

// before are the calls of its chain that a case needs, in order.
func (s *Suite) before(c *Call, n *Negative) (list []*Call) {
	need := map[*Call]bool{}
	var add func(*Call)
	add = func(one *Call) {
		for _, sl := range one.slots() {
			if one == c && (n.Kind == forged && sl.key == n.Field || n.Kind == unsigned && (sl.kind == "header" || sl.kind == "cookie") && secrets(*sl.text) || n.Kind == stranger && sl.text == c.lastID()) {
				continue
			}
			for _, v := range sl.text.variables() {
				if v.From != nil && !v.shared && !need[v.From] {
					need[v.From] = true
					add(v.From)
				}
			}
		}
	}
	add(c)
	for _, one := range s.Calls {
		if need[one] && one != c {
			list = append(list, one)
		}
	}
	return list
}

// signedCall says whether a call, or one it needs, is in a scenario of someone who
// signed in.
func (s *Suite) signedCall(c *Call) bool {
	return slices.ContainsFunc(s.Scenarios, func(sc *Scenario) bool { return sc.Signed && slices.Contains(sc.Calls, c) })
}

// proves says whether a call shows who makes it.
func (s *Suite) proves(c *Call) bool {
	if slices.ContainsFunc(c.Headers, credential) || slices.ContainsFunc(c.Cookies, credential) {
		return true
	}
	return slices.ContainsFunc(s.Cookies, func(name string) bool { return c.sent[name] != "" })
}

// credential says whether a field is what a caller proves itself with.
func credential(f *Field) bool { return secrets(f.Value) }

func secrets(t Text) bool {
	return slices.ContainsFunc(t.variables(), func(v *Variable) bool { return v.Secret })
}

// address is that of a call; a stranger's has the last id replaced.
func (n *Negative) address(w dialect, c *Call) string {
	if n == nil || n.Kind != stranger {
		return w.address(c, baseName(c.Origin))
	}
	other := *c
	other.Path = slices.Clone(c.Path)
	for i := len(other.Path) - 1; i >= 0; i-- {
		if v := other.Path[i].alone(); v != nil {
			other.Path[i] = literal(nobodys(v))
			break
		}
	}
	return w.address(&other, baseName(c.Origin))
}

// forgeable says whether a place holds a token that the application has to check:
// that of a form, of a version, one that is to be renewed.
func (sl slot) forgeable() bool {
	switch {
	case sl.text.variables() == nil:
		return false
	case sl.kind == "header":
		return conditional().MatchString(sl.name) && strings.EqualFold(sl.name, "If-Match") || secrets(*sl.text) && !strings.EqualFold(sl.name, "Authorization")
	}
	return (sl.kind == "json" || sl.kind == "field") && secrets(*sl.text)
}

// of is the call as the case makes it: with what is forged.
func (n *Negative) of(c *Call) *Call {
	if n == nil || n.Kind != forged {
		return c
	}
	other := *c
	other.Headers = slices.Clone(c.Headers)
	for i, f := range other.Headers {
		field := *f
		other.Headers[i] = &field
	}
	if c.Body != nil {
		body := *c.Body
		body.Fields = slices.Clone(body.Fields)
		for i, f := range body.Fields {
			field := *f
			body.Fields[i] = &field
		}
		if body.JSON != nil {
			body.JSON = body.JSON.clone()
		}
		other.Body = &body
	}
	for _, sl := range other.slots() {
		if sl.key == n.Field {
			*sl.text = literal("forged")
			if sl.kind == "header" && conditional().MatchString(sl.name) {
				*sl.text = literal(`"forged"`)
			}
			if sl.node != nil {
				sl.node.Kind = 's'
			}
		}
	}
	return &other
}

func (n *Node) clone() *Node {
	out := *n
	out.Nodes = slices.Clone(n.Nodes)
	for i, kid := range out.Nodes {
		out.Nodes[i] = kid.clone()
	}
	return &out
}

// lastID is the last segment of the path that is a variable.
func (c *Call) lastID() *Text {
	for i := len(c.Path) - 1; i >= 0; i-- {
		if c.Path[i].alone() != nil {
			return &c.Path[i]
		}
	}
	return nil
}

// nobodys is an id of the same form that nothing has.
func nobodys(v *Variable) string {
	switch {
	case uuid().MatchString(v.Value):
		return "00000000-0000-4000-8000-000000000000"
	case v.Number || digits().MatchString(v.Value):
		return strings.Repeat("9", max(9, min(len(v.Value)+1, 15)))
	}
	return "nobody" + strings.Repeat("0", max(1, len(v.Value)-6))
}

// omits says whether a header is left out.
func (n *Negative) omits(f *Field) bool { return n != nil && n.Kind == unsigned && credential(f) }

// without is a body that lacks a field.
func (n *Negative) without(body *Node) *Node {
	if n == nil || n.Kind != missing || body.Kind != 'o' {
		return body
	}
	out := &Node{Kind: 'o'}
	for i, k := range body.Keys {
		if k != n.Field {
			out.Keys, out.Nodes = append(out.Keys, k), append(out.Nodes, body.Nodes[i])
		}
	}
	return out
}

// refused writes a case that must be refused.
func (f *featureWriter) refused(n *Negative) {
	if n.Kind == unsigned {
		f.step("* configure cookies = null")
	}
	f.request(n.of(n.Call), n)
	f.method(n.Call)
	if n.Status > 0 {
		f.step("Then status %d", n.Status)
	}
}

// judge says what an answer to a case means: whether it is kept, or what is wrong
// with the application.
func (n *Negative) judge(name string, status int) (keep bool, finding string) {
	switch {
	case status >= 400 && status < 500:
		return true, ""
	case status >= 500:
		return false, fmt.Sprintf("%s: the application fails with %d instead of refusing it", name, status)
	case status >= 200 && status < 300 && n.Call.Answer.Status >= 300:
		return true, "" // a form that is shown again, where what is taken leads on
	case status >= 200 && status < 300:
		return false, fmt.Sprintf("%s: the application takes it (%d)", name, status)
	}
	return false, ""
}
