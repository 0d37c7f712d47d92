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

	"rove/internal/session"
	"rove/internal/testkit"
)

// ofTheVerbs are words that only somebody with the agent's tools can follow.
var ofTheVerbs = regexp.MustCompile(`\bact (_page|e\d|REF|\w+ \w+ )|\blook (to see|at what|shows|again|with|e\d)|\bwith look\b|\bwait (download|for the download)|\bgo elsewhere|typed with input\b|\bDriver\.[A-Z]`)

// TestHintsInOurWords: nothing that rove or its driver advises speaks of the verbs
// once a tool of the set browser or browse has put it into words, nor of the tools of
// another set. A new hint needs its words in inOurWords and inBrowseWords.
func TestHintsInOurWords(t *testing.T) {
	for _, dir := range []string{"../..", "../../driver"} {
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
				text, err := strconv.Unquote(lit.Value)
				if err == nil && ofTheVerbs.MatchString(inOurWords(text)) {
					t.Errorf("%s: %q is told as %q", filepath.Base(name), text, inOurWords(text))
				}
				if said := inBrowseWords(text); err == nil && (ofTheVerbs.MatchString(said) || strings.Contains(said, "browser_")) {
					t.Errorf("%s: %q is told to who browses as %q", filepath.Base(name), text, said)
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
