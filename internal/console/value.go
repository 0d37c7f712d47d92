package console

import (
	"slices"
	"strconv"
	"strings"
)

// value is something that a page logged, as far as it is known.
type value struct {
	kind  kind
	text  string // a string's content, an error's stack, a class, or how it is written
	items []item
	size  int  // of an array, map or set; -1 where it is not known
	more  bool // there is more in it than items or text tell
}

type kind uint8

const (
	written  kind = iota // as text says: numbers, null, dates, nodes
	str                  // text is its content
	function             // text is its source
	object               // text is its class, items its properties
	array
	dict // a Map
	set
	failure // an Error: text is its stack, items what else it has
	hole    // in an array
	unknown // left out
)

// item is a property, an element, or an entry of a map.
type item struct {
	name string // of a property
	key  *value // of an entry of a map
	value
}

// remote is a value as the protocol tells it.
type remote struct {
	Type        string   `json:"type"`
	Subtype     string   `json:"subtype"`
	Class       string   `json:"className"`
	Value       any      `json:"value"`
	Unwritable  string   `json:"unserializableValue"`
	Description string   `json:"description"`
	ID          string   `json:"objectId"`
	Preview     *preview `json:"preview"`
}

// preview is what the protocol tells of an object without being asked: its first
// properties, at the moment it was logged.
type preview struct {
	Type        string `json:"type"`
	Subtype     string `json:"subtype"`
	Description string `json:"description"`
	Overflow    bool   `json:"overflow"`
	Properties  []struct {
		Name    string   `json:"name"`
		Type    string   `json:"type"`
		Subtype string   `json:"subtype"`
		Value   string   `json:"value"`
		Preview *preview `json:"valuePreview"`
	} `json:"properties"`
	Entries []struct {
		Key   *preview `json:"key"`
		Value *preview `json:"value"`
	} `json:"entries"`
}

// value reads an argument.
func (r *remote) value() value {
	switch r.Type {
	case "string":
		s, _ := r.Value.(string)
		return value{kind: str, text: s}
	case "object":
		if r.Subtype == "null" || r.Subtype == "" && r.ID == "" && r.Preview == nil && r.Description == "" {
			return value{text: "null"}
		}
	case "undefined":
		return value{text: "undefined"}
	case "boolean":
		b, _ := r.Value.(bool)
		return value{text: strconv.FormatBool(b)}
	}
	p := r.Preview
	if p == nil {
		p = &preview{Type: r.Type, Subtype: r.Subtype, Overflow: r.Type == "object"}
	}
	text := r.Description
	if text == "" {
		text = r.Unwritable
	}
	v := p.value(r.Type, r.Subtype, text)
	if v.kind == object && r.Class != "" && r.Subtype != "proxy" {
		v.text = r.Class
	}
	return v
}

// cutMark is what a preview has in the middle of a string that is too long for it.
const cutMark = "…"

// previewLimit is how long a string is in a preview at most.
const previewLimit = 100

func cut(text string) bool { return len(text) >= previewLimit && strings.Contains(text, cutMark) }

// value reads a preview. p is nil where only the description is there.
func (p *preview) value(typ, subtype, text string) value {
	v := value{kind: object, text: text, size: -1}
	switch typ {
	case "string":
		return value{kind: str, text: text, more: cut(text)}
	case "function":
		return value{kind: function, text: text, more: text == ""}
	case "accessor":
		return value{text: "[Getter]"}
	case "object":
	default:
		if text == "" {
			text = typ
		}
		return value{text: text}
	}
	switch subtype {
	case "null":
		return value{text: "null"}
	case "node":
		return value{text: nodeText(text, p)}
	case "regexp", "date", "arraybuffer", "trustedtype":
		return value{text: text}
	case "array", "typedarray":
		v.kind = array
		v.text, v.size = sized(text)
	case "map", "weakmap":
		v.kind = dict
		v.text, v.size = sized(text)
	case "set", "weakset":
		v.kind = set
		v.text, v.size = sized(text)
	case "error":
		v.kind = failure
	}
	if p == nil {
		v.more = v.size != 0
		if v.kind == failure {
			v.more = cut(text)
		}
		return v
	}
	v.more = p.Overflow
	p.properties(&v, subtype)
	for _, e := range p.Entries {
		if e.Value == nil {
			continue
		}
		it := item{value: e.Value.value(e.Value.Type, e.Value.Subtype, e.Value.Description)}
		if e.Key != nil {
			key := e.Key.value(e.Key.Type, e.Key.Subtype, e.Key.Description)
			it.key = &key
		}
		v.items = append(v.items, it)
	}
	if v.kind == array && !v.more {
		v.pad(v.size)
	}
	if v.kind != object && v.kind != failure {
		v.more = v.more || len(v.items) < v.size
	}
	return v
}

// properties adds what a preview tells by name: properties, or elements by their
// numbers.
func (p *preview) properties(v *value, subtype string) {
	for _, e := range p.Properties {
		it := item{name: e.Name, value: e.Preview.value(e.Type, e.Subtype, e.Value)}
		switch {
		case v.kind == dict || v.kind == set:
			continue // its size
		case v.kind == failure && (e.Name == "stack" || e.Name == "message" || e.Name == "name"):
			continue
		case v.kind == array:
			n, err := strconv.Atoi(e.Name)
			if err != nil {
				if subtype == "array" {
					v.items = append(v.items, it)
				}
				continue
			}
			v.pad(n)
			it.name = ""
		}
		v.items = append(v.items, it)
	}
}

// pad fills an array with holes up to n, or as many as are worth showing.
func (v *value) pad(n int) {
	for len(v.items) < min(n, 100) {
		v.items = append(v.items, item{value: value{kind: hole}})
	}
}

// nodeText writes a node of a document: <p#id.class>, #text "its text".
func nodeText(text string, p *preview) string {
	if !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "<") {
		return "<" + text + ">"
	}
	if p != nil && (text == "#text" || text == "#comment") {
		for _, e := range p.Properties {
			if e.Name == "data" || e.Name == "wholeText" {
				return text + " " + quote(e.Value)
			}
		}
	}
	return text
}

// sized takes Array(3) apart.
func sized(text string) (class string, size int) {
	class, count, ok := strings.Cut(text, "(")
	if n, err := strconv.Atoi(strings.TrimSuffix(count, ")")); ok && err == nil && n >= 0 {
		return class, n
	}
	return text, -1
}

// lacks says whether asking for the object would tell more than its preview.
func (v *value) lacks() bool {
	switch v.kind {
	case object, array, dict, set, failure:
		return v.more || slices.ContainsFunc(v.items, func(it item) bool { return it.lacks() || it.key != nil && it.key.lacks() })
	case str, function:
		return v.more
	}
	return false
}

// fill adds what was found when the object was asked for to what its preview told.
// What the preview told stands: it was so when the object was logged.
func (v *value) fill(found *value) {
	if !v.alike(found) {
		// A getter may have a setter; an object may be one of those around it, or one
		// that is better told by a text.
		if v.text == "[Getter]" && strings.HasPrefix(found.text, "[Getter") ||
			v.more && len(v.items) == 0 && found.text == "[Circular]" ||
			v.kind == object && found.kind == written && strings.HasPrefix(found.text, v.text+" ") {
			*v = *found
		}
		return
	}
	switch v.kind {
	case str, function:
		if v.more && continues(v.text, found.text) {
			*v = *found
		}
		return
	case failure:
		if v.more && continues(v.text, found.text) {
			v.text = found.text
		}
	case dict, set:
		// Entries have no names by which they could be told apart: all or none.
		if len(found.items) >= len(v.items) {
			v.items, v.more = found.items, found.more
		}
		return
	}
	for i := range v.items { // of a preview: they are few
		it := &v.items[i]
		if with := found.at(i, it.name, v.kind); with != nil {
			it.value.fill(with)
		}
	}
	there := make(map[string]bool, len(v.items))
	for i := range v.items {
		there[v.items[i].name] = true
	}
	for i, it := range found.items {
		if v.kind == array && it.name == "" {
			if i >= len(v.items) {
				v.items = append(v.items, it)
			}
		} else if !there[it.name] {
			there[it.name] = true
			v.items = append(v.items, it)
		}
	}
	// An object of the browser's own has properties that are not found this way.
	v.more = found.more || v.more && len(found.items) == 0
}

// alike says whether two values can be the same object.
func (v *value) alike(o *value) bool {
	return v.kind == o.kind && v.kind != written && (v.kind == str || v.kind == function || v.kind == failure || v.text == o.text || v.text == "" || o.text == "" || v.text == "Object")
}

// at is the item at a place or of a name.
func (v *value) at(i int, name string, in kind) *value {
	if in == array && name == "" {
		if i < 0 || i >= len(v.items) || v.items[i].name != "" {
			return nil
		}
		return &v.items[i].value
	}
	for k := range v.items {
		if v.items[k].name == name {
			return &v.items[k].value
		}
	}
	return nil
}

// continues says whether a text is the whole of one that was cut in the middle.
func continues(cut, whole string) bool {
	begin, end, ok := strings.Cut(cut, cutMark)
	return cut == "" || ok && len(whole) >= len(begin) && strings.HasPrefix(whole, begin) && (strings.HasSuffix(whole, end) || len(whole) > 1000)
}

// found reads what deep.js answered. It is the page's word: whatever it is, it is
// taken as far as it makes sense.
func found(node any) value {
	n, _ := node.(map[string]any)
	text, _ := n["v"].(string)
	v := value{text: text, size: -1}
	v.more, _ = n["m"].(bool)
	if size, ok := n["n"].(float64); ok && size >= 0 && size < 1<<53 {
		v.size = int(size)
	}
	switch n["t"] {
	case "s":
		v.kind = str
	case "f":
		v.kind = function
		v.more = false
	case "o":
		v.kind = object
	case "a":
		v.kind = array
	case "m":
		v.kind = dict
	case "t":
		v.kind = set
	case "e":
		v.kind = failure
	case "h":
		v.kind = hole
	case "p":
	default:
		return value{kind: unknown}
	}
	items, _ := n["p"].([]any)
	for _, one := range items {
		pair, _ := one.([]any)
		if len(pair) != 2 {
			continue
		}
		it := item{value: found(pair[1])}
		if name, ok := pair[0].(string); ok {
			it.name = name
		} else {
			key := found(pair[0])
			it.key = &key
		}
		v.items = append(v.items, it)
	}
	return v
}

// bytes is about how much memory a value takes.
func (v *value) bytes() int {
	const each = 120 // of the structs
	n := each + len(v.text)
	for i := range v.items {
		it := &v.items[i]
		n += len(it.name) + it.bytes()
		if it.key != nil {
			n += it.key.bytes()
		}
	}
	return n
}
