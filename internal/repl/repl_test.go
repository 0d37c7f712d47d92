package repl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
	"rove/internal/tool"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// play runs lines from a pipe and gives what was printed.
func play(t *testing.T, opts Options, lines ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	opts.In, opts.Out = strings.NewReader(strings.Join(lines, "\n")), &out
	opts.Pictures = t.TempDir()
	err := Run(t.Context(), opts)
	return out.String(), err
}

func TestLinesFromAPipe(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Form</title><label>Name <input id=name></label><button onclick="document.title = document.getElementById('name').value">Set title</button>`),
	})
	out, err := play(t, Options{URL: site},
		`e1 "Name" input Ada Lovelace`, "e9 click", "", "# nothing", "e2 click", "eval document.title", "look screenshot", "screenshot", "help act", "quit", "eval 1")
	for _, want := range []string{`textbox "Name"`, "failed click e9", "ok click e2", `"Ada Lovelace"`, "rove-1.png", "rove-2.png", "steps"} {
		if !strings.Contains(out, want) {
			t.Errorf("misses %q:\n%s", want, out)
		}
	}
	var e *rove.Error
	if !errors.As(err, &e) || e.Code != rove.CodeNotFound {
		t.Errorf("the error of the first line that failed: %v", err)
	}
	if strings.HasSuffix(strings.TrimSpace(out), "\n1") {
		t.Errorf("a line after quit was done:\n%s", out)
	}
}

func TestCompletion(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<label>Name <input></label><button onclick="this.remove()">Sign in</button><a href=#>Signal "x"</a>`),
	})
	m := session.NewManager(session.Options{})
	defer m.Close()
	r := &repl{opts: Options{Out: io.Discard}, talk: m.Conversation("")}
	r.elements.reset()
	if err := r.do(t.Context(), "go "+site); err != nil {
		t.Fatal(err)
	}
	check := func(line string, want ...string) {
		t.Helper()
		if got := r.elements.complete(line); !slices.Equal(got, want) {
			t.Errorf("%q is completed to %q, want %q", line, got, want)
		}
	}
	check("lo", "look ")
	check("e1", `e1 "Name" `)
	check("sign", `e2 "Sign in" `, `e3 "Signal \"x\"" `)
	check("act nam", `act e1 "Name" `)
	check("look e2", "look e2 ")
	check(`e2 "Sign in" cl`, `e2 "Sign in" click `, `e2 "Sign in" clear `)
	check("e1 inp", "e1 input ")
	check("_page ba", "_page back ")
	check("e1 input x")
	if got := r.elements.complete("e1 "); len(got) == 0 || got[0] != "e1 input " {
		t.Errorf("the likely operation does not come first: %q", got)
	}
	if err := r.do(t.Context(), "e2 click"); err != nil {
		t.Fatal(err)
	}
	check("e2") // it is gone
}

func TestEndsWithItsContext(t *testing.T) {
	testkit.NeedsBrowser(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	in, feed := io.Pipe() // nobody ever types
	defer feed.Close()
	if err := Run(ctx, Options{In: in, Out: io.Discard}); err != nil {
		t.Error(err)
	}
}

func TestPicturesAreNotOverwritten(t *testing.T) {
	r := &repl{opts: Options{Pictures: t.TempDir()}}
	taken := filepath.Join(r.opts.Pictures, "rove-1.png")
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	name, err := r.save(tool.Image{Type: "image/png", Data: []byte("new")})
	if err != nil || filepath.Base(name) != "rove-2.png" {
		t.Errorf("%s, %v", name, err)
	}
	if text, _ := os.ReadFile(taken); string(text) != "mine" {
		t.Errorf("%s was overwritten", taken)
	}
}
