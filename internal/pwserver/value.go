package pwserver

import (
	"encoding/json"

	"rove/internal/anypage"
	"rove/internal/wire"
)

// value is what a script gave, in the form that Playwright has for it.
type value struct {
	N  *float64 `json:"n"`
	B  *bool    `json:"b"`
	S  *string  `json:"s"`
	V  string   `json:"v"`  // null, undefined, NaN, Infinity, -Infinity, -0
	D  *string  `json:"d"`  // a date
	U  *string  `json:"u"`  // a URL
	BI *string  `json:"bi"` // a bigint
	E  *struct {
		M string `json:"m"`
		N string `json:"n"`
	} `json:"e"`
	A   *[]value  `json:"a"`
	O   *[]member `json:"o"`
	ID  int       `json:"id"`
	Ref int       `json:"ref"` // a list or object that came before
}

type member struct {
	K string `json:"k"`
	V value  `json:"v"`
}

type plainValue value

func (v *value) UnmarshalJSON(b []byte) error { return wire.Unmarshal(b, (*plainValue)(v)) }

var _ json.Unmarshaler = (*value)(nil)

// json is a value as JSON. What JSON cannot say (NaN, a bigint) becomes a string, what
// is no data an empty object, undefined null.
func (v *value) json() []byte { return v.append(nil, map[int]*value{}) }

func (v *value) append(out []byte, known map[int]*value) []byte {
	switch {
	case v.N != nil:
		return append(out, anypage.Encode(*v.N)...)
	case v.B != nil:
		return append(out, anypage.Encode(*v.B)...)
	case v.S != nil && *v.S == "ref: <Window>": // what Playwright says in its stead
		return append(out, "null"...)
	case v.S != nil:
		return append(out, anypage.Encode(*v.S)...)
	case v.D != nil:
		return append(out, anypage.Encode(*v.D)...)
	case v.U != nil:
		return append(out, anypage.Encode(*v.U)...)
	case v.BI != nil:
		return append(out, anypage.Encode(*v.BI+"n")...)
	case v.V == "-0":
		return append(out, '0')
	case v.V == "NaN", v.V == "Infinity", v.V == "-Infinity":
		return append(out, anypage.Encode(v.V)...)
	case v.Ref != 0:
		// The same again, unless it is inside itself.
		same := known[v.Ref]
		if same == nil {
			return append(out, "null"...)
		}
		known[v.Ref] = nil
		out = same.append(out, known)
		known[v.Ref] = same
		return out
	case v.A != nil:
		return v.list(out, known)
	case v.O != nil:
		return v.members(out, known)
	case v.E != nil:
		return append(out, "{}"...)
	}
	return append(out, "null"...)
}

func (v *value) list(out []byte, known map[int]*value) []byte {
	known[v.ID] = nil
	out = append(out, '[')
	for i := range *v.A {
		if i > 0 {
			out = append(out, ',')
		}
		out = (*v.A)[i].append(out, known)
	}
	known[v.ID] = v
	return append(out, ']')
}

func (v *value) members(out []byte, known map[int]*value) []byte {
	known[v.ID] = nil
	out = append(out, '{')
	first := true
	for i := range *v.O {
		m := &(*v.O)[i]
		if m.V.V == "undefined" {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(append(out, anypage.Encode(m.K)...), ':')
		out = m.V.append(out, known)
	}
	known[v.ID] = v
	return append(out, '}')
}

// text is a string as it is, anything else as JSON.
func (v *value) text() string {
	switch {
	case v.S != nil:
		return *v.S
	case v.V == "undefined", v.V == "null":
		return ""
	}
	return string(v.json())
}

// argument is the one that a script is called with: handles, by their guids, as a list.
func argument(handles ...string) object {
	list, refs := make([]object, len(handles)), make([]ref, len(handles))
	for i, h := range handles {
		list[i], refs[i] = object{"h": i}, ref{h}
	}
	return object{"value": object{"a": list, "id": 1}, "handles": refs}
}
