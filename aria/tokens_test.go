package aria

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestTokens holds the estimate against true counts: never below, and close for
// what answers are usually made of.
func TestTokens(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/tokens/samples.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(ar.Files) < 20 {
		t.Fatal("only", len(ar.Files), "samples")
	}
	usual := map[string]bool{"english": true, "table": true, "delta": true, "yaml": true, "markdown": true, "numbers": true, "hex": true}
	for _, f := range ar.Files {
		name, count, _ := strings.Cut(f.Name, " ")
		want, err := strconv.Atoi(count)
		if err != nil {
			t.Fatal(err)
		}
		most := want * 170 / 100
		if usual[name] {
			most = want * 120 / 100
		}
		if got := Tokens(string(f.Data)); got < want || got > most {
			t.Errorf("%s: %d tokens estimated, there are %d", name, got, want)
		}
	}
}

func TestTokensAddUp(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/tokens/samples.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		s, sum := string(f.Data), 0
		for _, line := range strings.SplitAfter(s, "\n") {
			sum += Tokens(line)
		}
		if got := Tokens(s); got != sum {
			t.Errorf("%s: %d, by lines %d", f.Name, got, sum)
		}
	}
	if Tokens("") != 0 {
		t.Error("nothing costs something")
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("e1 link \"Größe\" 12\n\xff\xfe設")
	f.Fuzz(func(t *testing.T, s string) {
		if n := Tokens(s); n < 0 || n > 4*len(s)+1 {
			t.Errorf("%q: %d", s, n)
		}
		cut := cutTo(s, 5)
		if !strings.HasPrefix(s, cut) {
			t.Errorf("%q is no beginning of %q", cut, s)
		}
		if c, _ := lineTokens(cut); c > 5 {
			t.Errorf("%q has %d tokens", cut, c)
		}
	})
}
