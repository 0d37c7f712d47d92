package jsonpath

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rove/internal/data"
)

var rewrite = flag.Bool("update", false, "write what is found into the tables")

// TestPaths holds every line of the tables: a path, or what to do with one, an
// arrow, and the result.
func TestPaths(t *testing.T) {
	t.Parallel()
	const path = "testdata/paths.txtar"
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc string
	for i, f := range ar.Files {
		if f.Name == "document" {
			doc = string(f.Data)
			continue
		}
		var out strings.Builder
		for line := range strings.Lines(string(f.Data)) {
			do, want, _ := strings.Cut(strings.TrimSpace(line), " =>")
			if do == "" {
				continue
			}
			want = strings.TrimSpace(want)
			got := perform(t, f.Name, do, doc)
			if got != want && !*rewrite {
				t.Errorf("%s %s\n got %s\nwant %s", f.Name, do, got, want)
			}
			out.WriteString(do + " => " + got + "\n")
		}
		ar.Files[i].Data = []byte(out.String())
	}
	if *rewrite {
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// perform does one line: "get PATH", or "set JSON PATH VALUE" and "delete JSON
// PATH" with the parts between bars.
func perform(t *testing.T, kind, line, doc string) string {
	parse := func(s string) any {
		v, err := data.ParseRelaxed("[" + s + "]")
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		return v.([]any)[0]
	}
	parts := strings.Split(line, " ; ")
	text := parts[0]
	if kind != "get" {
		doc, text = parts[0], parts[1]
	}
	p, err := Compile(text)
	if err != nil {
		var bad *SyntaxError
		if !errors.As(err, &bad) {
			t.Errorf("%s: %v is no SyntaxError", text, err)
		}
		return err.Error()
	}
	v := parse(doc)
	switch kind {
	case "set":
		v, err = p.Set(v, parse(parts[2]))
	case "delete":
		v, err = p.Delete(v)
	default:
		v, err = p.Get(v)
	}
	if err != nil {
		return err.Error()
	}
	return data.JSON(v)
}

func TestDefinite(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"$": true, "$.a.b[0]": true, "$['a']": true, "$..a": false, "$.a[*]": false, "$.a[0,1]": false, "$.a[1:]": false,
		"$.a[?(@.b)]": false, "$.a.length()": true, "$['a','b']": true,
	} {
		p, err := Compile(path)
		if err != nil {
			t.Fatal(err)
		}
		if p.Definite() != want {
			t.Errorf("%s: definite is %v", path, !want)
		}
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	p, err := Compile("$.a.b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Get(data.NewObject("a", int64(1))); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := p.Delete(data.NewObject()); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func FuzzPath(f *testing.F) {
	for _, s := range []string{"$.a[?(@.b == 'c' && !(@.d in [1,2]))].e", "$..a[-1:]", "$['a','b'].length()", "$.a[?(@ =~ /x/i)]", "$.a[]", "$.sum($.a, 1)"} {
		f.Add(s, `{"a":[{"b":"c"},[1,2]],"d":null}`)
	}
	f.Fuzz(func(t *testing.T, path, doc string) {
		p, err := compile(path)
		if err != nil {
			return
		}
		v, err := data.ParseRelaxed(doc)
		if err != nil {
			return
		}
		before := data.JSON(v)
		got, err := p.Get(v)
		if err == nil && !p.Definite() {
			if _, ok := got.([]any); !ok && p.function == nil {
				t.Errorf("%s is not definite and gives %T", path, got)
			}
		}
		if after := data.JSON(v); after != before {
			t.Errorf("%s changes what it reads: %s, then %s", path, before, after)
		}
		if set, err := p.Set(data.Clone(v), "new"); err == nil && p.definite() && !strings.Contains(path, "[]") {
			if at, err := p.Get(set); err != nil || len(p.tokens[len(p.tokens)-1].names) < 2 && at != "new" {
				t.Errorf("%s set in %s gives %v, %v", path, before, at, err)
			}
		}
		_, _ = p.Delete(data.Clone(v))
	})
}

func BenchmarkGet(b *testing.B) {
	v, err := data.ParseRelaxed(`{a:[{b:1,c:'x'},{b:2,c:'y'},{b:3,c:'z'}]}`)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p, err := Compile("$.a[?(@.b > 1)].c")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.Get(v); err != nil {
			b.Fatal(err)
		}
	}
}
