package tool

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rove/driver/advice"
	"rove/internal/session"
	"rove/internal/testkit"
)

// ofTheVerbs are words that only somebody with the agent's tools can follow.
var ofTheVerbs = regexp.MustCompile(`\bact (_page|e\d|REF|\w+ \w+ )|\blook (to see|at what|shows|again|with|e\d)|\bwith look\b|\bwait (download|for the download)|\bgo elsewhere|typed with input\b|\bDriver\.[A-Z]`)

// TestEveryAdviceHasWords: every code is in the table of every set, with all of its
// arguments, and speaks of the tools of that set alone.
func TestEveryAdviceHasWords(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../driver/advice/advice.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []advice.Code
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 {
			return true
		}
		if kind, ok := v.Type.(*ast.Ident); ok && kind.Name == "Code" {
			code, _ := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			codes = append(codes, advice.Code(code))
		}
		return true
	})
	if len(codes) < 20 {
		t.Fatalf("%d codes were found", len(codes))
	}
	sets := map[string]advice.Words{"methods": advice.Methods, "verbs": advice.Verbs, "browser": browserWords, "browse": browseWords}
	for name, words := range sets {
		for _, code := range codes {
			said, ok := words[code]
			switch {
			case !ok:
				t.Errorf("%s has no words for %s", name, code)
			case strings.Count(said, "%s") != strings.Count(advice.Verbs[code], "%s") || strings.Count(said, "%") != strings.Count(said, "%s"):
				t.Errorf("%s says %q for %s, which has other arguments", name, said, code)
			case (name == "browser" || name == "browse") && ofTheVerbs.MatchString(said), name == "browse" && strings.Contains(said, "browser_"):
				t.Errorf("%s says %q for %s, which is of another set", name, said, code)
			}
		}
		if len(words) != len(codes) {
			t.Errorf("%s has %d words for %d codes", name, len(words), len(codes))
		}
	}
}

// notAdvised are texts that look like advice and are none.
var notAdvised = map[string]string{
	"it leads to %s, and somebody has to agree to that (--confirm %s); the page stays as it was": "names the rule that asked, as it was given",
	"it sends a form to %s, and somebody has to agree to that (--confirm %s); nothing was sent":  "the same",
	"wait download":                     "what was being done",
	"it was being replaced; look again": "stands in a view, which has the same words for everybody",
}

// ofTheCommandLine are words that only somebody at the command line can follow. Browsers
// and other programs have flags of their own.
var ofTheCommandLine = regexp.MustCompile(`\brove (browser|session|doctor|daemon) |(^|[ (])--(allow|block|browser|caps|confirm|connect|headed|param|tabs|yes)\b`)

// TestAdviceIsByCode: what only somebody with some of the tools, or at the command line,
// can follow stands in the tables of words alone, and not in a sentence of rove or its
// driver.
func TestAdviceIsByCode(t *testing.T) {
	for _, dir := range []string{"../..", "../../driver", "../launch"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				if text, err := strconv.Unquote(lit.Value); err == nil && notAdvised[text] == "" && (ofTheVerbs.MatchString(text) || ofTheCommandLine.MatchString(text)) {
					t.Errorf("%s: %q: give it a code in driver/advice", filepath.Base(name), text)
				}
				return true
			})
		}
	}
}

// TestPagesKeepTheirWords: advice is put into other words where rove gives it, and
// not where a page says the same.
func TestPagesKeepTheirWords(t *testing.T) {
	testkit.NeedsBrowser(t)
	const said = "look again; act _page upload PATH, act _page dialog accept | dismiss; wait download"
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(`<title>Words</title><p>` + said + `</p><input type=file id=f hidden>
		<button id=b onclick="f.click()">` + said + `</button><button id=d onclick="alert('` + said + `')">Ask</button>`)})
	m := manage(t, session.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	talk := m.Conversation("")
	defer talk.Close()
	for _, c := range []struct {
		call
		want []string
	}{
		{call{"browser_navigate", in{"url": site}}, nil},
		{call{"browser_snapshot", in{}}, []string{`"` + said + `"`, `button "` + said}},
		{call{"browser_click", in{"selector": "#gone"}}, []string{"with browser_snapshot"}},
		{call{"browser_wait_for", in{"text": "never", "timeout": 50}}, []string{"browser_snapshot shows it again"}},
		{call{"browser_click", in{"selector": "#b"}}, []string{said[:40], "file chooser; browser_upload"}},
		{call{"browser_click", in{"selector": "#d"}}, []string{said, "an answer: browser_handle_dialog"}},
		{call{"look", in{}}, []string{said, "an answer: act _page dialog accept | dismiss"}},
	} {
		out, err := c.run(ctx, talk)
		if err != nil && out.Text == "" {
			out.Text = err.Error()
		}
		for _, want := range c.want {
			if !strings.Contains(out.Text, want) {
				t.Errorf("%v: no %q in:\n%s", c.call, want, out.Text)
			}
		}
	}
}
