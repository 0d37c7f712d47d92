package apitest

import (
	"net/url"
	"slices"
	"strings"

	"rove/internal/data"
	"rove/internal/outlet"
)

// Expect is what a call is held to.
type Expect struct {
	Status   int
	Type     string
	Location string // how it begins
	Schema   *Schema
	// Has are objects that a list must have, Lacks values that it must not have.
	Has   []Member
	Lacks []Absent
	// Shows are texts that a page must have.
	Shows []Text
}

// Member is an object of a list, with what is known of it.
type Member struct {
	List []any // the path of the list
	Keys []string
	Want []Text
	kind []bool // whether it is a string
}

// Absent is a value that no object of a list has under a key.
type Absent struct {
	List []any
	Key  string
	Var  *Variable
}

// sentValue is a literal that a call sent.
type sentValue struct {
	name string
	by   *Call
}

// expect says what every call is held to.
func (d *deriver) expect() {
	var vars []*Variable
	for _, v := range d.suite.Config {
		if !v.Secret {
			vars = append(vars, v)
		}
	}
	sent := map[string][]sentValue{}
	var before []*Call
	for _, c := range d.calls {
		for _, s := range c.slots() {
			if s.text.variables() == nil && s.kind != "path" && s.kind != "header" && s.kind != "cookie" {
				value := s.text.plain()
				sent[value] = append(sent[value], sentValue{s.name, c})
			}
		}
		d.expectOf(c, vars, sent, before)
		vars = append(vars, c.Finds...)
		before = append(before, c)
	}
}

func (d *deriver) expectOf(c *Call, vars []*Variable, sent map[string][]sentValue, before []*Call) {
	e := &c.Expect
	*e = Expect{Status: c.Answer.Status, Type: c.Answer.Type}
	if c.Answer.Status >= 300 && c.Answer.Status < 400 {
		e.Location = c.location()
	}
	if c.Answer.Text == "" && !c.Answer.IsJSON && c.Answer.Status != 200 {
		e.Type = ""
	}
	var samples []any
	twins := []*Call{}
	for _, one := range append(append([]*Call{c}, c.folded...), c.twins...) {
		if one != nil && one.Answer.IsJSON && one.Answer.Status == c.Answer.Status {
			samples = append(samples, one.Answer.JSON)
		}
	}
	for _, t := range c.twins {
		if t != nil && t.Answer.Status == c.Answer.Status {
			twins = append(twins, t)
		}
	}
	if len(samples) == 0 {
		if c.document && !c.Needed {
			e.Shows = append(c.shows(sent), d.showsFresh(c, vars)...)
		}
		if c.bodyless && !c.document {
			d.note("%s: the recording lacks its answer, so that only the status is held", c.title())
		}
		return
	}
	e.Schema = merge(samples)
	k := knower{d: d, c: c, vars: vars, sent: sent}
	e.Schema.all(nil, func(path []any, s *Schema) {
		if slices.Contains(path, any(0)) || s.Object || s.List || s.Optional || s.Null {
			return
		}
		if v, ok := at(c.Answer.JSON, path); ok {
			s.Equal = k.equal(path, v, len(twins) > 0)
		}
	})
	e.Schema.all(nil, func(path []any, s *Schema) {
		if s.List && !slices.Contains(path, any(0)) && s.Items != nil && s.Items.Object {
			k.members(path, e)
		}
	})
	d.lacks(c, vars, before, e)
}

// location is the path that an answer leads to, as far as it is always the same.
func (c *Call) location() string {
	common := ""
	for i, one := range append([]*Call{c}, c.twins...) {
		if one == nil {
			continue
		}
		where, _ := one.Answer.lookup(Source{Kind: "header", Name: "location"})
		u, err := url.Parse(where)
		if err != nil {
			return ""
		}
		path := u.EscapedPath()
		for s := range strings.SplitSeq(path, "/") {
			if idLike(s) || i == 0 && c.finds(s) {
				path, _, _ = strings.Cut(path, s)
				break
			}
		}
		if i == 0 {
			common = path
		}
		for !strings.HasPrefix(path, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}

// finds says that a segment of the address that an answer leads to is taken from there as a
// variable.
func (c *Call) finds(segment string) bool {
	plain, err := url.PathUnescape(segment)
	return err == nil && plain != "" && slices.ContainsFunc(c.Finds, func(v *Variable) bool {
		return v.Source.Kind == "header" && strings.EqualFold(v.Source.Name, "location") && (v.Value == plain || v.Value == segment)
	})
}

// shows are texts that were sent by forms and stand on the page.
func (c *Call) shows(sent map[string][]sentValue) (list []Text) {
	for value, by := range sent {
		if len(value) < 4 || !strings.Contains(c.Answer.Text, value) || strings.ContainsAny(value, "&<>\"'\n\r") || opaque(value) {
			continue
		}
		agreed := slices.ContainsFunc(by, func(s sentValue) bool {
			return s.by.ID < c.ID && s.by.Body != nil && (s.by.Body.Kind == "form" || s.by.Body.Kind == "multipart") && !outlet.Secretive(s.name)
		})
		for _, t := range c.twins {
			agreed = agreed && (t == nil || strings.Contains(t.Answer.Text, value))
		}
		if agreed && slices.ContainsFunc(c.twins, func(t *Call) bool { return t != nil }) {
			list = append(list, literal(value))
		}
	}
	slices.SortFunc(list, func(a, b Text) int { return strings.Compare(a.plain(), b.plain()) })
	return list
}

// showsFresh are values that are others each time, and stand on the page.
func (d *deriver) showsFresh(c *Call, vars []*Variable) (list []Text) {
	for _, v := range vars {
		shown := v.Fresh && v.first.call < c.ID && strings.Contains(c.Answer.Text, v.Value)
		for i, t := range c.twins {
			shown = shown && (t == nil || strings.Contains(t.Answer.Text, d.sentIn(i, v)))
		}
		if shown {
			list = append(list, Text{{Var: v}})
		}
	}
	return list
}

// knower knows which values of an answer are known beforehand.
type knower struct {
	d    *deriver
	c    *Call
	vars []*Variable
	sent map[string][]sentValue
}

// equal is what a value must be: a variable that it is in every recording, or what
// the flow sent, where two recordings agree.
func (k *knower) equal(path []any, v any, agreed bool) Text {
	if outlet.Secretive((leaf{path: path}).key()) {
		return nil
	}
	text, _ := scalar(v)
	if one := k.variable(path, v); one != nil {
		return Text{{Var: one}}
	}
	if !agreed || text == "" || !k.flowSent(path, text) {
		return nil
	}
	for _, t := range k.c.twins {
		if t == nil || t.Answer.Status != k.c.Answer.Status {
			continue
		}
		other, ok := at(t.Answer.JSON, path)
		if !ok || !data.Equal(other, v) {
			return nil
		}
	}
	return literal(text)
}

// flowSent says whether a value was sent under a name like that of its place.
func (k *knower) flowSent(path []any, text string) bool {
	key := words((leaf{path: path}).key())
	return slices.ContainsFunc(k.sent[text], func(s sentValue) bool {
		return !outlet.Secretive(s.name) && (words(s.name) == key || len(text) >= 5 && !hasOnly(text))
	})
}

// hasOnly says whether a text is a number, or true or false.
func hasOnly(text string) bool {
	return text == "true" || text == "false" || strings.Trim(text, "0123456789.-") == ""
}

// variable is one that a value is, here and in the other recordings.
func (k *knower) variable(path []any, v any) *Variable {
	text, number := scalar(v)
	key := words((leaf{path: path}).key())
	for i := len(k.vars) - 1; i >= 0; i-- {
		one := k.vars[i]
		if one.Value != text || one.Secret || text == "" || one.Number != number && one.From != nil && one.Source.Kind == "json" && one.Source.Pattern == "" {
			continue
		}
		if number && !one.Number {
			continue // a variable of text is no number
		}
		if !one.Fresh && !opaque(text) && key != words(one.Name) && !(key == "id" && k.uses(one)) && one.From != nil && key != words((leaf{path: one.Source.Path}).key()) {
			continue
		}
		if key == "id" && !opaque(text) && !k.uses(one) && !(one.From != nil && one.From.collection(nil) == k.c.collection(nil)) {
			continue
		}
		if k.same(path, one) {
			return one
		}
	}
	return nil
}

func (k *knower) uses(v *Variable) bool {
	return slices.ContainsFunc(k.c.slots(), func(s slot) bool { return slices.Contains(s.text.variables(), v) })
}

// same asks the other recordings.
func (k *knower) same(path []any, v *Variable) bool {
	for i, t := range k.c.twins {
		if t == nil || t.Answer.Status != k.c.Answer.Status {
			continue
		}
		want := v.Value
		if v.Fresh {
			want = k.d.sentIn(i, v)
		}
		if v.From != nil {
			if v.From.twins[i] == nil {
				continue
			}
			want, _ = v.From.twins[i].Answer.lookup(v.Source)
		}
		got, ok := at(t.Answer.JSON, path)
		if text, _ := scalar(got); !ok || text != want {
			return false
		}
	}
	return true
}

// sentIn is what a run sent as a value that is another each time.
func (d *deriver) sentIn(twin int, v *Variable) string {
	for _, c := range d.calls {
		if c.ID != v.first.call || c.twins[twin] == nil {
			continue
		}
		for _, s := range c.twins[twin].slots() {
			if s.key == v.first.key {
				return s.text.plain()
			}
		}
	}
	return v.Value
}

// members finds objects of a list that the flow knows: by a variable, or by what
// it sent.
func (k *knower) members(path []any, e *Expect) {
	v, _ := at(k.c.Answer.JSON, path)
	list, _ := v.([]any)
	for _, one := range list {
		o, ok := one.(*data.Object)
		if !ok || len(e.Has) >= 5 {
			continue
		}
		m := Member{List: path}
		strong := false
		for key, v := range o.All() {
			text, number := scalar(v)
			_, isString := v.(string)
			if _, isList := v.([]any); isList || v == nil || text == "" || outlet.Secretive(key) {
				continue
			}
			if _, isObject := v.(*data.Object); isObject {
				continue
			}
			var want Text
			if known := k.idOf(key, text, number); known != nil {
				want, strong = Text{{Var: known}}, true
			} else if known := k.fresh(text); known != nil {
				want, strong = Text{{Var: known}}, true
			} else if k.flowSent([]any{key}, text) {
				want = literal(text)
				strong = strong || isString && len(text) >= 3
			}
			if want != nil {
				m.Keys, m.Want, m.kind = append(m.Keys, key), append(m.Want, want), append(m.kind, isString)
			}
		}
		if strong && k.everywhere(m) {
			e.Has = append(e.Has, m)
		}
	}
}

// idOf is the variable that an object of a list is known by.
func (k *knower) idOf(key, text string, number bool) *Variable {
	if !idName().MatchString(key) {
		return nil
	}
	for i := len(k.vars) - 1; i >= 0; i-- {
		v := k.vars[i]
		if v.Value == text && !v.Secret && v.From != nil && v.Number == number && (opaque(text) || k.c.collection(nil) == v.From.collection(nil) || words(v.Name) == words(key)) {
			return v
		}
	}
	return nil
}

// fresh is the variable that is another value each time, and was this one.
func (k *knower) fresh(text string) *Variable {
	for _, v := range k.vars {
		if v.Fresh && v.Value == text {
			return v
		}
	}
	return nil
}

// everywhere says whether each other recording has such an object.
func (k *knower) everywhere(m Member) bool {
	twins := 0
	for i, t := range k.c.twins {
		if t == nil || t.Answer.Status != k.c.Answer.Status {
			continue
		}
		twins++
		v, _ := at(t.Answer.JSON, m.List)
		list, _ := v.([]any)
		if !slices.ContainsFunc(list, func(one any) bool {
			o, ok := one.(*data.Object)
			if !ok {
				return false
			}
			for n, key := range m.Keys {
				want := m.Want[n].plain()
				if v := m.Want[n].alone(); v != nil && v.From != nil && v.From.twins[i] != nil {
					want, _ = v.From.twins[i].Answer.lookup(v.Source)
				} else if v != nil && v.Fresh {
					want = k.d.sentIn(i, v)
				}
				got, _ := o.Get(key)
				if text, _ := scalar(got); text != want {
					return false
				}
			}
			return true
		}) {
			return false
		}
	}
	return twins > 0 || slices.ContainsFunc(m.Want, func(t Text) bool { return t.alone() != nil })
}

// lacks finds what was deleted, and is in a list no more.
func (d *deriver) lacks(c *Call, vars []*Variable, before []*Call, e *Expect) {
	for _, v := range vars {
		if v.From == nil || v.Secret {
			continue
		}
		deleted := slices.ContainsFunc(before, func(b *Call) bool {
			return b.ID > v.From.ID && b.Answer.Status < 300 && (b.Method == "DELETE" || removing().MatchString(b.pathShape())) &&
				slices.ContainsFunc(b.slots(), func(s slot) bool { return slices.Contains(s.text.variables(), v) })
		})
		key := (leaf{path: v.Source.Path}).key()
		if !deleted || key == "" {
			continue
		}
		e.Schema.all(nil, func(path []any, s *Schema) {
			if !s.List || slices.Contains(path, any(0)) {
				return
			}
			same := s.Items != nil && s.Items.Props[key] != nil && c.collection(nil) == v.From.collection(nil)
			if same || hadBefore(before, c.shape, path, key, v) {
				if list, _ := at(c.Answer.JSON, path); !holds(list, key, v) {
					e.Lacks = append(e.Lacks, Absent{List: path, Key: key, Var: v})
				}
			}
		})
	}
}

// hadBefore says whether the same call was expected to have an object earlier.
func hadBefore(before []*Call, shape string, path []any, key string, v *Variable) bool {
	return slices.ContainsFunc(before, func(b *Call) bool {
		return b.shape == shape && slices.ContainsFunc(b.Expect.Has, func(m Member) bool {
			i := slices.Index(m.Keys, key)
			return i >= 0 && m.Want[i].alone() == v && slices.Equal(m.List, path)
		})
	})
}

// holds says whether an object of a list has a value under a key, or one of
// another type, of which nothing can be said.
func holds(list any, key string, v *Variable) bool {
	all, _ := list.([]any)
	return slices.ContainsFunc(all, func(one any) bool {
		o, ok := one.(*data.Object)
		if !ok {
			return true
		}
		value, _ := o.Get(key)
		text, number := scalar(value)
		return text == v.Value || value != nil && number != v.Number
	})
}

var removing = pattern(`(?i)/(delete|remove|destroy)(/|$)`)
