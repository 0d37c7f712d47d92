package console

import (
	"cmp"
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"

	"rove/internal/wire"
)

// sourceMap says where the text of a script came from.
type sourceMap struct {
	sources  []string
	segments []segment // by place in the script
}

// segment is a place in a script and where that came from, counted from 0. A
// source of -1 came from nowhere.
type segment struct {
	line, column             int32
	source, fromLine, fromCo int32
}

// compare puts segments in the order of their places in the script.
func (s segment) compare(o segment) int {
	return cmp.Or(cmp.Compare(s.line, o.line), cmp.Compare(s.column, o.column))
}

// mapLimit is how many segments of a map are kept: five to ten million bytes of
// script.
const mapLimit = 2 << 20

var errMap = errors.New("not a source map")

// parseSourceMap reads a source map, version 3.
func parseSourceMap(data []byte) (*sourceMap, error) {
	m := &sourceMap{}
	if err := m.read(data, 0, 0, 0); err != nil {
		return nil, err
	}
	slices.SortStableFunc(m.segments, segment.compare)
	return m, nil
}

func (m *sourceMap) read(data []byte, line, column int32, depth int) error {
	var raw struct {
		Version  int       `json:"version"`
		Root     string    `json:"sourceRoot"`
		Sources  []*string `json:"sources"`
		Mappings string    `json:"mappings"`
		Sections []struct {
			Offset struct {
				Line   int32 `json:"line"`
				Column int32 `json:"column"`
			} `json:"offset"`
			Map rawJSON `json:"map"`
		} `json:"sections"`
	}
	if wire.Unmarshal(data, &raw) != nil || raw.Version != 3 {
		return errMap
	}
	for _, s := range raw.Sections {
		if depth > 0 || s.Offset.Line < 0 || s.Offset.Column < 0 {
			return errMap // a map of sections within a section is not allowed
		}
		if err := m.read(s.Map, s.Offset.Line, s.Offset.Column, depth+1); err != nil {
			return err
		}
	}
	first := int32(len(m.sources))
	for _, s := range raw.Sources {
		name := ""
		if s != nil {
			name = *s
			if raw.Root != "" {
				name = strings.TrimSuffix(raw.Root, "/") + "/" + name
			}
		}
		m.sources = append(m.sources, name)
	}
	return m.decode(raw.Mappings, line, column, first, int32(len(raw.Sources)))
}

// rawJSON is JSON that is read later.
type rawJSON []byte

func (r *rawJSON) UnmarshalJSON(b []byte) error {
	*r = slices.Clone(b)
	return nil
}

// decode reads mappings: lines with a semicolon between them, segments with a
// comma, each of one, four or five numbers that count on from the one before.
func (m *sourceMap) decode(mappings string, line, column, first, count int32) error {
	at := segment{line: line, column: column}
	var source, fromLine, fromCo int32
	for i := 0; i < len(mappings); {
		switch mappings[i] {
		case ';':
			at.line++
			at.column = 0
			i++
			continue
		case ',':
			i++
			continue
		}
		var n [5]int32
		k := 0
		for i < len(mappings) && mappings[i] != ',' && mappings[i] != ';' {
			if k == len(n) {
				return errMap
			}
			var ok bool
			if n[k], i, ok = vlq(mappings, i); !ok {
				return errMap
			}
			k++
		}
		at.column += n[0]
		at.source = -1
		switch k {
		case 1:
		case 4, 5:
			source += n[1]
			fromLine += n[2]
			fromCo += n[3]
			if source < 0 || source >= count || fromLine < 0 || fromCo < 0 {
				return errMap
			}
			at.source, at.fromLine, at.fromCo = first+source, fromLine, fromCo
		default:
			return errMap
		}
		if at.column < 0 {
			return errMap
		}
		if len(m.segments) == mapLimit {
			return errMap
		}
		m.segments = append(m.segments, at)
	}
	return nil
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

var base64Values = func() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for i := range len(base64Digits) {
		t[base64Digits[i]] = int8(i)
	}
	return t
}()

// vlq reads a number: groups of five bits, the lowest first, the lowest bit of all
// being its sign.
func vlq(s string, i int) (n int32, next int, ok bool) {
	var v uint64
	for shift := 0; i < len(s) && shift <= 30; shift += 5 {
		digit := base64Values[s[i]]
		i++
		if digit < 0 {
			return 0, i, false
		}
		v |= uint64(digit&31) << shift
		if digit&32 == 0 {
			if v>>1 > 1<<31-1 {
				return 0, i, false
			}
			n = int32(v >> 1)
			if v&1 != 0 {
				n = -n
			}
			return n, i, true
		}
	}
	return 0, i, false
}

// find gives the place that a place in the script came from, counted from 0.
func (m *sourceMap) find(line, column int) (source string, fromLine, fromColumn int, ok bool) {
	if m == nil || line < 0 || line >= 1<<31 || column < 0 || column >= 1<<31 {
		return "", 0, 0, false
	}
	i, exact := slices.BinarySearchFunc(m.segments, segment{line: int32(line), column: int32(column)}, segment.compare)
	if !exact {
		i--
	}
	if i < 0 || int(m.segments[i].line) != line || m.segments[i].source < 0 {
		return "", 0, 0, false
	}
	s := m.segments[i]
	return m.sources[s.source], int(s.fromLine), int(s.fromCo), true
}

// inlineMap gives the source map that stands in a line of a script, or nil.
func inlineMap(line string) *sourceMap {
	const mark = "sourceMappingURL=data:"
	i := strings.LastIndex(line, mark)
	if i < 0 {
		return nil
	}
	head, data, ok := strings.Cut(line[i+len(mark):], ",")
	if !ok {
		return nil
	}
	data = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(data), "*/"))
	var text []byte
	var err error
	if strings.HasSuffix(head, ";base64") {
		text, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(data, "="))
	} else {
		var plain string
		plain, err = url.PathUnescape(data)
		text = []byte(plain)
	}
	if err != nil {
		return nil
	}
	m, err := parseSourceMap(text)
	if err != nil {
		return nil
	}
	return m
}
