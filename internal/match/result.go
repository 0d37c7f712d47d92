package match

import (
	"fmt"
	"strconv"
	"strings"

	"rove/internal/data"
)

// Result is what a comparison found.
type Result struct {
	Pass        bool
	Op          Op
	Each        bool
	Differences []Difference
}

// Difference is one thing that is not as expected. Actual is data.NotPresent for
// a key that is missing.
type Difference struct {
	Path             string
	Actual, Expected any
	Reason           string
	xml              bool
}

// Message tells every difference: where, why, and below what is and what was
// expected.
func (r Result) Message() string {
	if r.Pass {
		return ""
	}
	var out strings.Builder
	out.WriteString("match failed: ")
	if r.Each {
		out.WriteString("EACH_")
	}
	out.WriteString(r.Op.String())
	for i, d := range r.Differences {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString("\n  " + d.Path + " | " + d.Reason + " (" + kindOf(plain(d.Actual)) + ":" + kindOf(plain(d.Expected)) + ")")
		out.WriteString("\n  " + bounded(d.show(d.Actual)) + "\n  " + bounded(d.show(sortedLike(d.Expected, d.Actual))))
	}
	out.WriteByte('\n')
	return out.String()
}

// bounded cuts what nobody reads to its end: an answer may have megabytes.
func bounded(text string) string {
	const most = 10_000
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("… (%d bytes in all)", len(text))
}

func (d Difference) show(v any) string {
	switch v := v.(type) {
	case string:
		return "'" + v + "'"
	case *data.XML:
		return v.String()
	case *data.Object:
		if d.xml {
			if x, err := data.FromObject(v); err == nil {
				return x.String()
			}
		}
	case data.Func:
		return v.Source()
	}
	return data.JSON(v)
}

// sortedLike puts the keys of an object in the order of another one, so that the
// eye finds the difference.
func sortedLike(v, other any) any {
	o, ok := v.(*data.Object)
	like, ok2 := other.(*data.Object)
	if !ok || !ok2 {
		return v
	}
	sorted := &data.Object{}
	for key := range like.All() {
		if value, ok := o.Get(key); ok {
			sorted.Set(key, value)
		}
	}
	for key, value := range o.All() {
		sorted.Set(key, value)
	}
	return sorted
}

// place is where in the actual value a comparison stands.
type place struct {
	path string
	xml  bool
}

func (p place) key(name string) place {
	switch {
	case p.path == "":
		return p // nobody reads it
	case p.xml && name == "_":
		// the text of an element that has attributes
	case p.xml && (p.path == "/" || strings.HasSuffix(p.path, "/@")):
		p.path += name
	case p.xml:
		p.path += "/" + name
	case strings.ContainsAny(name, "- .'[]"):
		p.path += "['" + name + "']"
	default:
		p.path += "." + name
	}
	return p
}

func (p place) index(i int) place {
	if p.path == "" {
		return p
	}
	if p.xml {
		i++
	}
	p.path += "[" + strconv.Itoa(i) + "]"
	return p
}
