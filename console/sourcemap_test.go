package console

import (
	"encoding/base64"
	"strings"
	"testing"
)

// number writes what vlq reads.
func number(n int32) string {
	v := uint64(n) << 1
	if n < 0 {
		v = uint64(-int64(n))<<1 | 1
	}
	var b strings.Builder
	for {
		digit := v & 31
		if v >>= 5; v > 0 {
			digit |= 32
		}
		b.WriteByte(base64Digits[digit])
		if v == 0 {
			return b.String()
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, n := range []int32{0, 1, -1, 15, 16, -16, 511, 512, 1 << 20, 1<<31 - 1, -(1<<31 - 1)} {
		s := number(n)
		got, next, ok := vlq(s, 0)
		if got != n || next != len(s) || !ok {
			t.Errorf("%d is written %s and read %d, %d, %v", n, s, got, next, ok)
		}
	}
	for _, s := range []string{"", "g", "gg", "!", "A!", "ggggggggggB", "//////////"} {
		if s == "A!" {
			continue // a number, and then something that is none
		}
		if n, _, ok := vlq(s, 0); ok {
			t.Errorf("%q is read as %d", s, n)
		}
	}
}

func TestSourceMap(t *testing.T) {
	m, err := parseSourceMap([]byte(`{"version":3,"sources":["a.ts",null,"b.ts"],"sourceRoot":"src/","names":["n"],
		"mappings":"` + number(0) + number(0) + number(0) + number(0) + "," + number(5) + number(2) + number(7) + number(3) + number(0) + "," + number(4) + ";;" + number(2) + number(-1) + number(-2) + number(0) + `"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, column int
		source       string
		fromLine     int
		fromColumn   int
		ok           bool
	}{
		{0, 0, "src/a.ts", 0, 0, true},
		{0, 4, "src/a.ts", 0, 0, true},
		{0, 5, "src/b.ts", 7, 3, true},
		{0, 8, "src/b.ts", 7, 3, true},
		{0, 9, "", 0, 0, false}, // came from nowhere
		{1, 0, "", 0, 0, false},
		{2, 1, "", 0, 0, false},
		{2, 2, "", 5, 3, true}, // a source without a name
		{9, 9, "", 0, 0, false},
		{-1, -1, "", 0, 0, false},
		{0, 1 << 40, "", 0, 0, false},
	} {
		source, line, column, ok := m.find(c.line, c.column)
		if source != c.source || line != c.fromLine || column != c.fromColumn || ok != c.ok {
			t.Errorf("%d:%d is %q:%d:%d, %v", c.line, c.column, source, line, column, ok)
		}
	}
	sections, err := parseSourceMap([]byte(`{"version":3,"sections":[
		{"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a"],"mappings":"AAAA"}},
		{"offset":{"line":10,"column":5},"map":{"version":3,"sources":["b"],"mappings":"AAAA;AACA"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, column int
		want         string
	}{{0, 3, "a"}, {10, 4, ""}, {10, 5, "b"}, {11, 0, "b"}} {
		if source, _, _, _ := sections.find(c.line, c.column); source != c.want {
			t.Errorf("%d:%d is in %q, want %q", c.line, c.column, source, c.want)
		}
	}
	for _, broken := range []string{
		``, `5`, `{}`, `{"version":2,"mappings":""}`, `{"version":3,"mappings":"AAAA"}`, `{"version":3,"sources":["a"],"mappings":"AA"}`,
		`{"version":3,"sources":["a"],"mappings":"AAAAAA"}`, `{"version":3,"sources":["a"],"mappings":"D"}`, `{"version":3,"sources":["a"],"mappings":"AADA"}`, `{"version":3,"sources":["a"],"mappings":"é"}`,
		`{"version":3,"sections":[{"offset":{"line":-1},"map":{"version":3}}]}`, `{"version":3,"sections":[{"map":{"version":3,"sections":[{"map":{"version":3}}]}}]}`,
	} {
		if _, err := parseSourceMap([]byte(broken)); err == nil {
			t.Errorf("%s is read", broken)
		}
	}
}

func TestInlineMap(t *testing.T) {
	text := `{"version":3,"sources":["a b.ts"],"mappings":"AAAA"}`
	coded := base64.StdEncoding.EncodeToString([]byte(text))
	for line, ok := range map[string]bool{
		"//# sourceMappingURL=data:application/json;base64," + coded:                                               true,
		"//# sourceMappingURL=data:application/json;charset=utf-8;base64," + strings.TrimRight(coded, "=") + "  ":  true,
		"/*# sourceMappingURL=data:application/json;base64," + coded + " */":                                       true,
		"x//@ sourceMappingURL=data:application/json," + strings.NewReplacer(`"`, "%22", " ", "%20").Replace(text): true,
		"//# sourceMappingURL=data:application/json;base64,!!!!":                                                   false,
		"//# sourceMappingURL=data:":         false,
		"//# sourceMappingURL=bundle.js.map": false,
		"s = '//# sourceMappingURL=data:,nothing'; //# sourceMappingURL=data:application/json;base64," + coded: true,
	} {
		m := inlineMap(line)
		if source, _, _, found := m.find(0, 0); found != ok || ok && source != "a b.ts" {
			t.Errorf("%s: %v, %q", line, found, source)
		}
	}
}

func TestStacks(t *testing.T) {
	m, err := parseSourceMap([]byte(`{"version":3,"sources":["src/app.ts"],"mappings":"AAUE"}`))
	if err != nil {
		t.Fatal(err)
	}
	mapped := mapper{"http://h/app.js": m}
	for in, want := range map[string]string{
		"Error: x\n    at f (http://h/app.js:1:1)\n    at http://h/app.js:1:9\n    at g (http://h/other.js:1:1)": "Error: x\n    at f (http://h/src/app.ts:11:3)\n    at http://h/src/app.ts:11:3\n    at g (http://h/other.js:1:1)",
		"    at async f (http://h/app.js:1:1)":          "    at async f (http://h/src/app.ts:11:3)",
		"    at eval (eval at f (http://h/app.js:1:1))": "    at eval (eval at f (http://h/app.js:1:1))",
		"    at http://h/app.js:7:1":                    "    at http://h/app.js:7:1",
		"    at http://h/app.js:0:0":                    "    at http://h/app.js:0:0",
		"    at http://h/app.js:99999999999999999999:1": "    at http://h/app.js:99999999999999999999:1",
		"no stack at all: 1:2":                          "no stack at all: 1:2",
		"":                                              "",
	} {
		if got := mapped.stack(in); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func FuzzSourceMap(f *testing.F) {
	f.Add([]byte(`{"version":3,"sources":["a"],"mappings":"AAAA,SAAS;;CADCE"}`), 0, 4)
	f.Add([]byte(`{"version":3,"sections":[{"offset":{"line":1,"column":2},"map":{"version":3,"sources":["a"],"mappings":"AAAA"}}]}`), 1, 2)
	f.Fuzz(func(t *testing.T, data []byte, line, column int) {
		m, err := parseSourceMap(data)
		if err != nil {
			return
		}
		for i := 1; i < len(m.segments); i++ {
			a, b := m.segments[i-1], m.segments[i]
			if a.line > b.line || a.line == b.line && a.column > b.column {
				t.Fatalf("not in order: %+v, %+v", a, b)
			}
		}
		if _, l, c, ok := m.find(line, column); ok && (l < 0 || c < 0) {
			t.Errorf("%d:%d is at %d:%d", line, column, l, c)
		}
	})
}

// FuzzNumbers reads what was written, and goes on behind it.
func FuzzNumbers(f *testing.F) {
	f.Add(int32(5), "A")
	f.Fuzz(func(t *testing.T, n int32, rest string) {
		if n == -1<<31 {
			return // it has no place in the encoding
		}
		s := number(n)
		if got, next, ok := vlq(s+rest, 0); got != n || next != len(s) || !ok {
			t.Errorf("%d is written %s and read %d", n, s, got)
		}
		if _, next, _ := vlq(rest, 0); next > len(rest) {
			t.Errorf("read beyond the end of %q", rest)
		}
	})
}
