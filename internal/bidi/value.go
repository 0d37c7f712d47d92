package bidi

import (
	"bytes"

	"rove/driver/backend"
	"rove/internal/wire"
)

// value is what a script gave, in the form that BiDi has for it.
type value struct {
	Type     string   `json:"type"`
	SharedID string   `json:"sharedId"`
	Value    rawValue `json:"value"`
}

// rawValue is decoded when its type is known.
type rawValue []byte

func (r *rawValue) UnmarshalJSON(b []byte) error {
	*r = bytes.Clone(b)
	return nil
}

// result is the answer to script.evaluate and callFunction.
type result struct {
	Type      string `json:"type"` // success or exception
	Result    value  `json:"result"`
	Exception struct {
		Text      string `json:"text"`
		Exception value  `json:"exception"`
	} `json:"exceptionDetails"`
}

// err is what the script threw.
func (r *result) err() error {
	if r.Type != "exception" {
		return nil
	}
	text := r.Exception.Text
	if v := r.Exception.Exception; v.Type != "error" && v.Type != "" {
		text = "Uncaught " + string(v.json())
	}
	return backend.Fail(backend.KindScript, text)
}

// json is a value as JSON. What JSON cannot say (NaN, a bigint) becomes a string, what
// is no data (a node, a function) an empty object; undefined, windows and symbols null.
func (v *value) json() []byte {
	switch v.Type {
	case "number":
		if string(v.Value) == `"-0"` { // what JSON cannot say is a text
			return []byte("0")
		}
		return orNull(v.Value)
	case "string", "boolean", "bigint", "date":
		return orNull(v.Value)
	case "undefined", "null", "", "window", "symbol":
		return []byte("null")
	case "array", "set", "nodelist", "htmlcollection":
		var list []value
		if wire.Unmarshal(orNull(v.Value), &list) != nil {
			return []byte("[]")
		}
		out := []byte{'['}
		for i := range list {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, list[i].json()...)
		}
		return append(out, ']')
	case "object", "map":
		return v.members()
	}
	return []byte("{}")
}

// members are those of an object, which come as pairs.
func (v *value) members() []byte {
	var pairs [][2]rawValue
	if wire.Unmarshal(orNull(v.Value), &pairs) != nil {
		return []byte("{}")
	}
	out := []byte{'{'}
	for _, pair := range pairs {
		var name string
		var member value
		if wire.Unmarshal(pair[0], &name) != nil { // that of a map may be anything
			var key value
			if wire.Unmarshal(pair[0], &key) != nil {
				continue
			}
			name = string(key.json())
		}
		if wire.Unmarshal(pair[1], &member) != nil || member.Type == "undefined" || member.Type == "function" {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		key, err := wire.Marshal(name)
		if err != nil {
			continue
		}
		out = append(append(append(out, key...), ':'), member.json()...)
	}
	return append(out, '}')
}

func orNull(b []byte) []byte {
	if len(b) == 0 {
		return []byte("null")
	}
	return b
}

// text is a string as it is, anything else as JSON.
func (v *value) text() string {
	var s string
	if v.Type == "string" && wire.Unmarshal(v.Value, &s) == nil {
		return s
	}
	if v.Type == "undefined" || v.Type == "null" {
		return ""
	}
	return string(v.json())
}

// nodes are the nodes in a list.
func (v *value) nodes() (list []value) {
	var all []value
	if wire.Unmarshal(orNull(v.Value), &all) != nil {
		return nil
	}
	for _, one := range all {
		if one.Type == "node" {
			list = append(list, one)
		}
	}
	return list
}
