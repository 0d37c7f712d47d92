package data

import (
	"encoding/base64"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"
	"unsafe"
)

// JSON writes a value as JSON in one line. What JSON has no form for is written
// as what people expect to read: bytes as base64, dates in ISO form, XML and
// functions as their text, a circle as "#ref".
func JSON(v any) string {
	w := writer{}
	w.value(v, 0)
	return string(w.out)
}

// Pretty writes a value as JSON with two spaces for each level.
func Pretty(v any) string {
	w := writer{pretty: true}
	w.value(v, 0)
	return string(w.out)
}

// Text writes a value as features see it where they want a string: strings as
// they are, XML as XML, all else as JSON.
func Text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case *XML:
		return v.String()
	case Func:
		return v.Source()
	case time.Time:
		return v.UTC().Format(dateForm)
	}
	return JSON(v)
}

const dateForm = "2006-01-02T15:04:05.000Z"

// Number writes a float as JavaScript does.
func Number(f float64) string { return string(appendFloat(nil, f)) }

type writer struct {
	out    []byte
	pretty bool
	above  []unsafe.Pointer // the containers around, from a depth on where a circle is likely
}

// deep is the depth from which circles are looked for.
const deep = 60

func (w *writer) value(v any, depth int) {
	switch v := v.(type) {
	case nil, undefined:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case int:
		w.out = strconv.AppendInt(w.out, int64(v), 10)
	case int64:
		w.out = strconv.AppendInt(w.out, v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			w.out = append(w.out, "null"...)
			return
		}
		w.out = appendFloat(w.out, v)
	case *big.Int:
		w.out = v.Append(w.out, 10)
	case string:
		w.string(v)
	case []byte:
		w.string(base64.StdEncoding.EncodeToString(v))
	case time.Time:
		w.string(v.UTC().Format(dateForm))
	case []any:
		if len(v) > 0 && !w.enter(unsafe.Pointer(&v[0]), depth) {
			return
		}
		w.list(v, depth)
		w.leave(depth, len(v) > 0)
	case *Object:
		if !w.enter(unsafe.Pointer(v), depth) {
			return
		}
		w.object(v, depth)
		w.leave(depth, true)
	case *XML:
		w.string(v.String())
	case Func:
		w.string(v.Source())
	default:
		w.string("#" + TypeOf(v))
	}
}

// enter says whether a container may be written: not where it is inside itself.
func (w *writer) enter(p unsafe.Pointer, depth int) bool {
	if depth < deep {
		return true
	}
	for _, q := range w.above {
		if p == q {
			w.string("#ref")
			return false
		}
	}
	w.above = append(w.above, p)
	return true
}

func (w *writer) leave(depth int, entered bool) {
	if depth >= deep && entered {
		w.above = w.above[:len(w.above)-1]
	}
}

func (w *writer) line(depth int) {
	if w.pretty {
		w.out = append(w.out, '\n')
		for range depth {
			w.out = append(w.out, "  "...)
		}
	}
}

func (w *writer) list(list []any, depth int) {
	w.out = append(w.out, '[')
	for i, v := range list {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.line(depth + 1)
		w.value(v, depth+1)
	}
	if len(list) > 0 {
		w.line(depth)
	}
	w.out = append(w.out, ']')
}

func (w *writer) object(o *Object, depth int) {
	w.out = append(w.out, '{')
	for i, key := range o.keys {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.line(depth + 1)
		w.string(key)
		w.out = append(w.out, ':')
		if w.pretty {
			w.out = append(w.out, ' ')
		}
		w.value(o.values[i], depth+1)
	}
	if o.Len() > 0 {
		w.line(depth)
	}
	w.out = append(w.out, '}')
}

const hex = "0123456789abcdef"

func (w *writer) string(s string) {
	w.out = append(w.out, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				w.out = append(append(w.out, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += n
			continue
		}
		w.out = append(w.out, s[start:i]...)
		switch c {
		case '"', '\\':
			w.out = append(w.out, '\\', c)
		case '\n':
			w.out = append(w.out, '\\', 'n')
		case '\r':
			w.out = append(w.out, '\\', 'r')
		case '\t':
			w.out = append(w.out, '\\', 't')
		case '\b':
			w.out = append(w.out, '\\', 'b')
		case '\f':
			w.out = append(w.out, '\\', 'f')
		default:
			w.out = append(w.out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	w.out = append(append(w.out, s[start:]...), '"')
}

// appendFloat writes as JavaScript does: digits up to 1e21, then an exponent.
func appendFloat(out []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(out, "NaN"...)
	case math.IsInf(f, 1):
		return append(out, "Infinity"...)
	case math.IsInf(f, -1):
		return append(out, "-Infinity"...)
	case f == 0:
		return append(out, '0')
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	start := len(out)
	out = strconv.AppendFloat(out, f, 'e', -1, 64)
	// Go writes at least two digits of an exponent, JavaScript as many as it has.
	if n := len(out); out[n-2] == '0' && (out[n-3] == '-' || out[n-3] == '+') && n-3 > start {
		out[n-2] = out[n-1]
		out = out[:n-1]
	}
	return out
}
