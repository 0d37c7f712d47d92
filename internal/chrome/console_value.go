package chrome

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"rove/driver/backend"
)

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
func (r *remote) value() backend.Value {
	switch r.Type {
	case "string":
		s, _ := r.Value.(string)
		return backend.Value{Kind: backend.ValueString, Text: s}
	case "object":
		if r.Subtype == "null" || r.Subtype == "" && r.ID == "" && r.Preview == nil && r.Description == "" {
			return backend.Value{Text: "null"}
		}
	case "undefined":
		return backend.Value{Text: "undefined"}
	case "boolean":
		b, _ := r.Value.(bool)
		return backend.Value{Text: strconv.FormatBool(b)}
	}
	p := r.Preview
	if p == nil {
		p = &preview{Type: r.Type, Subtype: r.Subtype, Overflow: r.Type == "object"}
	}
	text := cmp.Or(r.Description, r.Unwritable)
	v := p.value(r.Type, r.Subtype, text)
	if v.Kind == backend.ValueObject && r.Class != "" && r.Subtype != "proxy" {
		v.Text = r.Class
	}
	return v
}

// cutMark is what a preview has in the middle of a string that is too long for it.
const cutMark = "…"

// previewLimit is how long a string is in a preview at most.
const previewLimit = 100

func wasCut(text string) bool { return len(text) >= previewLimit && strings.Contains(text, cutMark) }

// value reads a preview. p is nil where only the description is there.
func (p *preview) value(typ, subtype, text string) backend.Value {
	v := backend.Value{Kind: backend.ValueObject, Text: text, Size: -1}
	switch typ {
	case "string":
		return backend.Value{Kind: backend.ValueString, Text: text, More: wasCut(text)}
	case "function":
		return backend.Value{Kind: backend.ValueFunction, Text: text, More: text == ""}
	case "accessor":
		return backend.Value{Text: "[Getter]"}
	case "object":
	default:
		if text == "" {
			text = typ
		}
		return backend.Value{Text: text}
	}
	switch subtype {
	case "null":
		return backend.Value{Text: "null"}
	case "node":
		return backend.Value{Text: nodeText(text, p)}
	case "regexp", "date", "arraybuffer", "trustedtype":
		return backend.Value{Text: text}
	case "array", "typedarray":
		v.Kind = backend.ValueArray
		v.Text, v.Size = sized(text)
	case "map", "weakmap":
		v.Kind = backend.ValueMap
		v.Text, v.Size = sized(text)
	case "set", "weakset":
		v.Kind = backend.ValueSet
		v.Text, v.Size = sized(text)
	case "error":
		v.Kind = backend.ValueError
	}
	if p == nil {
		v.More = v.Size != 0
		if v.Kind == backend.ValueError {
			v.More = wasCut(text)
		}
		return v
	}
	v.More = p.Overflow
	p.properties(&v, subtype)
	for _, e := range p.Entries {
		if e.Value == nil {
			continue
		}
		it := backend.Item{Value: e.Value.value(e.Value.Type, e.Value.Subtype, e.Value.Description)}
		if e.Key != nil {
			key := e.Key.value(e.Key.Type, e.Key.Subtype, e.Key.Description)
			it.Key = &key
		}
		v.Items = append(v.Items, it)
	}
	if v.Kind == backend.ValueArray && !v.More {
		pad(&v, v.Size)
	}
	if v.Kind != backend.ValueObject && v.Kind != backend.ValueError {
		v.More = v.More || len(v.Items) < v.Size
	}
	return v
}

// properties adds what a preview tells by name: properties, or elements by their
// numbers.
func (p *preview) properties(v *backend.Value, subtype string) {
	for _, e := range p.Properties {
		it := backend.Item{Name: e.Name, Value: e.Preview.value(e.Type, e.Subtype, e.Value)}
		switch {
		case v.Kind == backend.ValueMap || v.Kind == backend.ValueSet:
			continue // its size
		case v.Kind == backend.ValueError && (e.Name == "stack" || e.Name == "message" || e.Name == "name"):
			continue
		case v.Kind == backend.ValueArray:
			n, err := strconv.Atoi(e.Name)
			if err != nil {
				if subtype == "array" {
					v.Items = append(v.Items, it)
				}
				continue
			}
			pad(v, n)
			it.Name = ""
		}
		v.Items = append(v.Items, it)
	}
}

// pad fills an array with holes up to n, or as many as are worth showing.
func pad(v *backend.Value, n int) {
	for len(v.Items) < min(n, 100) {
		v.Items = append(v.Items, backend.Item{Value: backend.Value{Kind: backend.ValueHole}})
	}
}

var nodeQuoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// nodeText writes a node of a document: <p#id.class>, #text "its text".
func nodeText(text string, p *preview) string {
	if !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "<") {
		return "<" + text + ">"
	}
	if p != nil && (text == "#text" || text == "#comment") {
		for _, e := range p.Properties {
			if e.Name == "data" || e.Name == "wholeText" {
				return text + " " + `"` + nodeQuoting.Replace(e.Value) + `"`
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

// isIncomplete says whether asking for the object would tell more than its preview.
func isIncomplete(v *backend.Value) bool {
	switch v.Kind {
	case backend.ValueObject, backend.ValueArray, backend.ValueMap, backend.ValueSet, backend.ValueError:
		return v.More || slices.ContainsFunc(v.Items, func(it backend.Item) bool { return isIncomplete(&it.Value) || it.Key != nil && isIncomplete(it.Key) })
	case backend.ValueString, backend.ValueFunction:
		return v.More
	}
	return false
}

// fill adds what was found when the object was asked for to what its preview told.
// What the preview told stands: it was so when the object was logged.
func fill(v, found *backend.Value) {
	if !maybeSame(v, found) {
		// A getter may have a setter; an object may be one of those around it, or one
		// that is better told by a text.
		if v.Text == "[Getter]" && strings.HasPrefix(found.Text, "[Getter") ||
			v.More && len(v.Items) == 0 && found.Text == "[Circular]" ||
			v.Kind == backend.ValueObject && found.Kind == backend.ValueText && strings.HasPrefix(found.Text, v.Text+" ") {
			*v = *found
		}
		return
	}
	switch v.Kind {
	case backend.ValueString, backend.ValueFunction:
		if v.More && continues(v.Text, found.Text) {
			*v = *found
		}
		return
	case backend.ValueError:
		if v.More && continues(v.Text, found.Text) {
			v.Text = found.Text
		}
	case backend.ValueMap, backend.ValueSet:
		// Entries have no names by which they could be told apart: all or none.
		if len(found.Items) >= len(v.Items) {
			v.Items, v.More = found.Items, found.More
		}
		return
	}
	for i := range v.Items { // of a preview: they are few
		it := &v.Items[i]
		if with := itemAt(found, i, it.Name, v.Kind); with != nil {
			fill(&it.Value, with)
		}
	}
	there := make(map[string]bool, len(v.Items))
	for i := range v.Items {
		there[v.Items[i].Name] = true
	}
	for i, it := range found.Items {
		if v.Kind == backend.ValueArray && it.Name == "" {
			if i >= len(v.Items) {
				v.Items = append(v.Items, it)
			}
		} else if !there[it.Name] {
			there[it.Name] = true
			v.Items = append(v.Items, it)
		}
	}
	// An object of the browser's own has properties that are not found this way.
	v.More = found.More || v.More && len(found.Items) == 0
}

// maybeSame says whether two values can be the same object.
func maybeSame(v, o *backend.Value) bool {
	return v.Kind == o.Kind && v.Kind != backend.ValueText && (v.Kind == backend.ValueString || v.Kind == backend.ValueFunction || v.Kind == backend.ValueError || v.Text == o.Text || v.Text == "" || o.Text == "" || v.Text == "Object")
}

// at is the item at a place or of a name.
func itemAt(v *backend.Value, i int, name string, in backend.ValueKind) *backend.Value {
	if in == backend.ValueArray && name == "" {
		if i < 0 || i >= len(v.Items) || v.Items[i].Name != "" {
			return nil
		}
		return &v.Items[i].Value
	}
	for k := range v.Items {
		if v.Items[k].Name == name {
			return &v.Items[k].Value
		}
	}
	return nil
}

// continues says whether a text is the whole of one that was cut in the middle.
func continues(cut, whole string) bool {
	begin, end, ok := strings.Cut(cut, cutMark)
	return cut == "" || ok && len(whole) >= len(begin) && strings.HasPrefix(whole, begin) && (strings.HasSuffix(whole, end) || len(whole) > 1000)
}

// foundValue reads what deep.js answered. It is the page's word: whatever it is, it is
// taken as far as it makes sense.
func foundValue(node any) backend.Value {
	n, _ := node.(map[string]any)
	text, _ := n["v"].(string)
	v := backend.Value{Text: text, Size: -1}
	v.More, _ = n["m"].(bool)
	if size, ok := n["n"].(float64); ok && size >= 0 && size < 1<<53 {
		v.Size = int(size)
	}
	switch n["t"] {
	case "s":
		v.Kind = backend.ValueString
	case "f":
		v.Kind = backend.ValueFunction
		v.More = false
	case "o":
		v.Kind = backend.ValueObject
	case "a":
		v.Kind = backend.ValueArray
	case "m":
		v.Kind = backend.ValueMap
	case "t":
		v.Kind = backend.ValueSet
	case "e":
		v.Kind = backend.ValueError
	case "h":
		v.Kind = backend.ValueHole
	case "p":
	default:
		return backend.Value{Kind: backend.ValueUnknown}
	}
	items, _ := n["p"].([]any)
	for _, one := range items {
		pair, _ := one.([]any)
		if len(pair) != 2 {
			continue
		}
		it := backend.Item{Value: foundValue(pair[1])}
		if name, ok := pair[0].(string); ok {
			it.Name = name
		} else {
			key := foundValue(pair[0])
			it.Key = &key
		}
		v.Items = append(v.Items, it)
	}
	return v
}

// bytes is about how much memory a value takes.
func valueBytes(v *backend.Value) int {
	const each = 120 // of the structs
	n := each + len(v.Text)
	for i := range v.Items {
		it := &v.Items[i]
		n += len(it.Name) + valueBytes(&it.Value)
		if it.Key != nil {
			n += valueBytes(it.Key)
		}
	}
	return n
}
