package match

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rove/internal/data"
)

var update = flag.Bool("update", false, "write what is found into the tables")

// tiny knows the few expressions that the tables have.
type tiny struct{}

var tinyValues = map[string]any{
	"part": data.NewObject("a", int64(1)), "all": []any{int64(3), int64(2), int64(1)}, "any": []any{int64(9), int64(1)},
	"schema": data.NewObject("a", "#number", "b", "##string"), "deep": data.NewObject("b", data.NewObject("c", int64(1))),
}

func (tiny) Eval(expr string, vars map[string]any) (any, error) {
	self, _ := vars["_"].(int64)
	switch expr {
	case "_ > 1":
		return self > 1, nil
	case "_ == $.n":
		root, _ := vars["$"].(*data.Object)
		n, _ := root.Get("n")
		return data.Equal(n, vars["_"]), nil
	case "_$.a * 2":
		member, _ := vars["_$"].(*data.Object)
		a, _ := member.Get("a")
		return a.(int64) * 2, nil
	case "(3) == _":
		return self == 3, nil
	case "(1) == _":
		return self == 1, nil
	}
	if v, ok := tinyValues[expr]; ok {
		return v, nil
	}
	return nil, errors.New("ReferenceError: " + expr + " is not defined")
}

// TestMatch holds every line of the tables: a step as it stands behind the
// keyword match, an arrow, and pass or the differences.
func TestMatch(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no tables", err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range ar.Files {
			var out strings.Builder
			for line := range strings.Lines(string(f.Data)) {
				line = strings.TrimSpace(line)
				step, want, _ := strings.Cut(line, " =>")
				want = strings.TrimSpace(want)
				if step == "" {
					out.WriteByte('\n')
					continue
				}
				got := verdict(t, step)
				if got != want && !*update {
					t.Errorf("%s, %s: %s\n got %s\nwant %s", path, f.Name, step, got, want)
				}
				out.WriteString(step + " => " + got + "\n")
			}
			ar.Files[i].Data = []byte(out.String())
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func verdict(t *testing.T, step string) string {
	s, err := ParseStep(step)
	if err != nil {
		return err.Error()
	}
	r := compare(literal(t, s.Actual), literal(t, s.Expected), s.Op, s.Each, tiny{})
	if r.Pass {
		return "pass"
	}
	var all []string
	for _, d := range r.Differences {
		all = append(all, d.Path+": "+d.Reason)
	}
	return strings.Join(all, "; ")
}

func literal(t *testing.T, text string) any {
	if strings.HasPrefix(text, "<") {
		x, err := data.ParseXML(text)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	if text == "nowhere" {
		return data.NotPresent
	}
	v, err := data.ParseRelaxed("[" + text + "]")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	list := v.([]any)
	if len(list) != 1 {
		t.Fatalf("%s is no value", text)
	}
	return list[0]
}

func TestMessage(t *testing.T) {
	t.Parallel()
	actual := literal(t, "{ a: 1, b: { c: 'x', d: [1, 2] }, e: null }")
	expected := literal(t, "{ b: { d: [1, 3], c: 'y' }, a: 1, e: null, f: true }")
	got := compare(actual, expected, Equals, false, nil).Message()
	want := `match failed: EQUALS
  $.b.d[1] | not equal (NUMBER:NUMBER)
  2
  3

  $.b.c | not equal (STRING:STRING)
  'x'
  'y'

  $.f | actual does not contain key - 'f' (STRING:BOOLEAN)
  '#notpresent'
  true
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if m := compare(strings.Repeat("x", 1<<20), "y", Equals, false, nil).Message(); len(m) > 11_000 || !strings.Contains(m, "bytes in all") {
		t.Errorf("a long value has %d bytes", len(m))
	}
	if m := compare(int64(1), int64(1), Equals, false, nil).Message(); m != "" {
		t.Errorf("a pass says %q", m)
	}
}

func TestEmptyEach(t *testing.T) {
	t.Parallel()
	if r := (Matcher{EmptyEach: true}).Match([]any{}, "#number", Equals, true); !r.Pass {
		t.Error(r.Message())
	}
	if r := (Matcher{EmptyEach: true}).Match([]any{}, "#[] #number", Equals, false); !r.Pass {
		t.Error(r.Message())
	}
	if r := (Matcher{}).Match([]any{}, "#number", Equals, true); r.Pass {
		t.Error("each of none passes")
	}
}

func TestBytes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		actual, expected any
		pass             bool
	}{
		{[]byte("ab"), []byte("ab"), true},
		{[]byte("ab"), []byte("ac"), false},
		{[]byte("ab"), []any{int64(97), int64(98)}, true},
		{[]any{int64(97)}, []byte("a"), true},
		{[]byte("ab"), "#array", true},
		{[]byte("ab"), "ab", false},
		{data.Undefined, nil, true},
	} {
		if r := compare(c.actual, c.expected, Equals, false, nil); r.Pass != c.pass {
			t.Errorf("%v == %v: %v", c.actual, c.expected, r.Pass)
		}
	}
}

func FuzzMatch(f *testing.F) {
	for _, s := range []string{"{a:1} == {a:'#number'}", "[1,2] contains only deep ['#[]']", "each [1] == '#? _ > 1'", "'a' == '#regex ('", "[[1]] contains '#(^part)'", "1 == '##('"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, step string) {
		s, err := ParseStep(step)
		if err != nil {
			return
		}
		actual, err := data.ParseRelaxed("[" + s.Actual + "]")
		if err != nil {
			return
		}
		expected, err := data.ParseRelaxed("[" + s.Expected + "]")
		if err != nil {
			return
		}
		r := compare(actual, expected, s.Op, s.Each, tiny{})
		if r.Pass != (len(r.Differences) == 0) || r.Pass != (r.Message() == "") {
			t.Errorf("%s: %+v", step, r)
		}
		if same := compare(actual, data.Clone(actual), Equals, false, tiny{}); !same.Pass && !strings.Contains(s.Actual, "#") && !strings.Contains(s.Actual, "NaN") {
			t.Errorf("%s does not equal itself: %s", s.Actual, same.Message())
		}
	})
}

func compare(actual, expected any, op Op, each bool, env Env) Result {
	return Matcher{Env: env}.Match(actual, expected, op, each)
}
