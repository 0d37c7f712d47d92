package data

import (
	"flag"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what is found into the tables")

// TestFormats holds every line of the tables: a text, an arrow, and what is read
// from it. \N stands for a new line.
func TestFormats(t *testing.T) {
	t.Parallel()
	const path = "testdata/formats.txtar"
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range ar.Files {
		var out strings.Builder
		for line := range strings.Lines(string(f.Data)) {
			in, want, _ := strings.Cut(strings.TrimRight(line, "\n"), " =>")
			if in == "" {
				continue
			}
			want = strings.TrimSpace(want)
			got := strings.ReplaceAll(readAs(f.Name, strings.ReplaceAll(in, `\N`, "\n")), "\n", `\N`)
			if got != want && !*update {
				t.Errorf("%s: %s\n got %s\nwant %s", f.Name, in, got, want)
			}
			out.WriteString(in + " => " + got + "\n")
		}
		ar.Files[i].Data = []byte(out.String())
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readAs(kind, in string) string {
	var v any
	var err error
	switch kind {
	case "relaxed":
		v, err = ParseRelaxed(in)
	case "strict":
		v, err = ParseJSON(in)
	case "yaml":
		v, err = ParseYAML(in)
	case "csv":
		v, err = ParseCSV(in)
	default:
		return onXML(kind, in)
	}
	if err != nil {
		return err.Error()
	}
	return JSON(v)
}

// onXML does one line of XML: the document and what to do with it, between
// semicolons.
func onXML(kind, in string) string {
	parts := strings.Split(in, " ; ")
	x, err := ParseXML(parts[0])
	if err != nil {
		return err.Error()
	}
	show := func(v any) string {
		if x, ok := v.(*XML); ok {
			return x.String()
		}
		return JSON(v)
	}
	switch kind {
	case "xml":
		return x.String()
	case "pretty":
		return x.Pretty()
	case "object":
		return JSON(x.Object(false)) + " " + JSON(x.Object(true))
	case "xpath":
		v, err := x.Get(parts[1])
		if err != nil {
			return err.Error()
		}
		return show(v)
	case "xset":
		var v any = parts[2]
		if in, err := ParseXML(parts[2]); err == nil {
			v = in
		}
		err = x.Set(parts[1], v)
	case "xdelete":
		err = x.Delete(parts[1])
	}
	if err != nil {
		return err.Error()
	}
	return x.String()
}

func TestObject(t *testing.T) {
	t.Parallel()
	o := NewObject("b", int64(1), "a", int64(2))
	for i := range 30 {
		o.Set(strings.Repeat("k", i+1), int64(i))
	}
	o.Delete("a")
	o.Set("b", "again")
	if keys := o.Keys(); len(keys) != 31 || keys[0] != "b" || keys[1] != "k" {
		t.Errorf("keys: %v", keys)
	}
	if v, ok := o.Get("kkk"); !ok || v != int64(2) {
		t.Errorf("kkk: %v, %v", v, ok)
	}
	if _, ok := o.Get("a"); ok || o.Delete("a") {
		t.Error("a is still there")
	}
	c := o.Clone()
	c.Set("b", nil)
	if v, _ := o.Get("b"); v != "again" {
		t.Error("a change of the copy changes the original")
	}
}

func TestEqual(t *testing.T) {
	t.Parallel()
	huge, _ := new(big.Int).SetString("12345678901234567890", 10)
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{int64(1), 1.0, true},
		{int64(1), "1", false},
		{nil, Undefined, true},
		{huge, new(big.Int).Set(huge), true},
		{int64(math.MaxInt64), float64(math.MaxInt64), false}, // the float is one more
		{NewObject("a", int64(1), "b", nil), NewObject("b", nil, "a", 1.0), true},
		{[]any{int64(1)}, []any{int64(1), int64(2)}, false},
		{[]byte("a"), []byte("a"), true},
	} {
		if Equal(c.a, c.b) != c.want || Equal(c.b, c.a) != c.want {
			t.Errorf("%v == %v is %v", c.a, c.b, !c.want)
		}
	}
}

func TestWriting(t *testing.T) {
	t.Parallel()
	circle := NewObject("a", int64(1))
	circle.Set("self", circle)
	if s := JSON(circle); !strings.Contains(s, `"#ref"`) {
		t.Error("a circle has no end")
	}
	for _, c := range []struct {
		v    any
		want string
	}{
		{1e21, "1e+21"},
		{1.5e-9, "1.5e-9"},
		{100000.0, "100000"},
		{math.NaN(), "null"},
		{"a\"\\\n\x01é\xff", `"a\"\\\n\u0001é` + "\ufffd" + `"`},
		{[]byte("abc"), `"YWJj"`},
	} {
		if got := JSON(c.v); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	if got, want := Pretty(NewObject("a", []any{int64(1), NewObject()}, "b", []any{})), "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := CSV([]any{NewObject("a", int64(1), "b", "x,y"), NewObject("a", nil)}); got != "a,b\r\n1,\"x,y\"\r\n,\r\n" {
		t.Errorf("CSV: %q", got)
	}
	x, err := NewXML("r", NewObject("i", []any{int64(1), "a&b"}, "e", NewObject("_", nil, "@", NewObject("x", int64(1)))))
	if err != nil || x.String() != `<r><i>1</i><i>a&amp;b</i><e x="1"/></r>` {
		t.Errorf("%v, %v", x, err)
	}
}

func FuzzRelaxed(f *testing.F) {
	for _, s := range []string{"{ a: 'b', c: [1, , x y] }", `{"a":"\ud83d\ude00"}`, "[-, 1e5, 00]", "{a:1} rest", "{a: {b: [}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseRelaxed(text)
		if err != nil {
			return
		}
		// What is written is read again as the same, by the strict reader.
		again, err := ParseJSON(JSON(v))
		if err != nil {
			t.Fatalf("%q is written as %s: %v", text, JSON(v), err)
		}
		if JSON(again) != JSON(v) {
			t.Errorf("%s, then %s", JSON(v), JSON(again))
		}
	})
}

func FuzzXML(f *testing.F) {
	f.Add("<a b='1'><c/>t<![CDATA[x]]></a>", "/a/c")
	f.Add("<s:a xmlns:s='u'><s:b>1</s:b></s:a>", "count(//b)")
	f.Fuzz(func(t *testing.T, text, path string) {
		x, err := ParseXML(text)
		if err != nil {
			return
		}
		again, err := ParseXML(x.String())
		if err != nil {
			t.Fatalf("%q is written as %s: %v", text, x, err)
		}
		if again.String() != x.String() {
			t.Errorf("%s, then %s", x, again)
		}
		_ = x.Pretty()
		_ = JSON(x.Object(true))
		if len(path) < 100 {
			_, _ = x.Get(path)
			_ = x.Set(path, "v")
			_ = x.Delete(path)
		}
	})
}

func FuzzYAML(f *testing.F) {
	f.Add("a: &x [1, yes]\nb: *x\n<<: {c: 1}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := ParseYAML(text); err == nil {
			_ = JSON(v)
		}
	})
}
