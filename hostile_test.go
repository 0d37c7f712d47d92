package rove_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"rove"
	"rove/cdp"
	"rove/internal/testkit"
)

// Each page of testdata/pages/hostile begins with a comment that says what is
// done to it and what must be answered, a line each:
//
//	# what is hostile about it
//	bound 2s                     the time that each verb from here on has; where it is
//	                             work that takes time, enough for a busy machine
//	go => heading "Trap"         the verb, and what its answer must match
//	act #b click !timeout => …   it must fail, with this code (or one of a|b)
//	look ~> …                    it may fail or not, and must answer in time
//	shell is enough              it is about rove's own bounds, or about what all browsers
//	                             of the kind do alike
//
// "go" alone opens the page itself. In act, @Name is the ref that was last shown
// with that name. After its steps every page is left for a calm one, which must
// work as if nothing had been.
const hostilePages = "testdata/pages/hostile"

const shellIsEnough = "shell is enough"

// defaultBound is the time a verb has where the page does not say.
const defaultBound = 6 * time.Second

// calmBound is the time a verb has at a calm page: it tells a hang from a busy machine.
const calmBound = time.Minute

const (
	// grace is what an answer may take on top of its bound.
	grace = 5 * time.Second
	// calm is what a visit of a calm page takes. Where it takes longer, because the
	// machine has other things to do, all bounds are longer too.
	calm    = 200 * time.Millisecond
	slowest = 6
)

// together is how many pages are visited at the same time, each in a context of
// its own: most of the time they wait.
const together = 2

// TestHostilePages has a browser of its own: other tests run beside it, and are not to pay
// for these pages.
func TestHostilePages(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	files, err := filepath.Glob(filepath.Join(hostilePages, "*.html"))
	if err != nil || len(files) < 60 {
		t.Fatalf("%d pages: %v", len(files), err)
	}
	site := hostileSite(t)
	b, err := rove.Launch(testkit.Context(t), rove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, b)
	var wg sync.WaitGroup
	turns := make(chan struct{}, together)
	for _, file := range files {
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
				visitHostile(t, b, site, file)
			})
		})
	}
	wg.Wait()
}

// visit is one hostile page being visited.
type visit struct {
	t       *testing.T
	session *rove.Session
	site    *hostileServer
	page    string
	slow    float64 // how much slower the machine is than a calm one
	told    time.Duration
	bound   time.Duration // what was told, with the time that a slow machine needs
	shown   string        // what was answered, the last first
}

func visitHostile(t *testing.T, b *rove.Browser, site *hostileServer, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	script, _, err := splitPage(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(script, shellIsEnough) {
		testkit.ShellIsEnough(t)
	}
	session, err := b.Open(t.Context(), rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := session.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	v := &visit{t: t, session: session, site: site, slow: slowest, told: calmBound, bound: calmBound, page: "/p/" + filepath.Base(file)}
	start := time.Now()
	v.step(`go /calm?before => button "Calm down"`)
	v.slow = min(max(float64(time.Since(start))/float64(calm), 1), slowest)
	v.setBound(defaultBound)
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' || line == shellIsEnough {
			continue
		}
		v.step(line)
	}
	v.bound = calmBound
	v.step(`go /calm?after => button "Calm down"`)
	v.step(`look => button "Calm down"`)
	v.step(`act @Calm click => "as calm as can be"`)
}

// splitPage parts a page from the comment with its script.
func splitPage(text string) (script, html string, err error) {
	head, html, ok := strings.Cut(text, "\n-->\n")
	script, opened := strings.CutPrefix(head, "<!--\n")
	if !ok || !opened {
		return "", "", errors.New("the page does not begin with its script in a comment")
	}
	return script, html, nil
}

func (v *visit) setBound(d time.Duration) { v.told, v.bound = d, v.scaled(d) }

func (v *visit) scaled(d time.Duration) time.Duration { return time.Duration(float64(d) * v.slow) }

var stepShape = regexp.MustCompile(`^(.*?)(?: !([a-z|]+))? ([=~])> ([^>]*(?:[^=~]>[^>]*)*)$`)

func (v *visit) step(line string) {
	v.t.Helper()
	if bound, ok := strings.CutPrefix(line, "bound "); ok {
		d, err := time.ParseDuration(bound)
		if err != nil {
			v.t.Fatal(err)
		}
		v.setBound(d)
		return
	}
	line = v.site.fill(line)
	m := stepShape.FindStringSubmatch(line)
	if m == nil {
		v.t.Fatalf("%q is not a step", line)
	}
	command, wantCode, either, want := m[1], m[2], m[3] == "~", regexp.MustCompile(m[4])

	bound := v.bound
	if wantCode == "timeout" {
		// It has to end, and a page that never gives way is busy all the while: it is given
		// half, and what the machine needs on top.
		bound = v.told/2 + v.scaled(2*calm)
	}
	ctx, cancel := context.WithTimeout(v.t.Context(), bound)
	defer cancel()
	start := time.Now()
	text, err := v.do(ctx, command)
	took := time.Since(start)
	v.shown = text + "\n" + v.shown
	answer := text
	if err != nil {
		answer += "\nerror: " + err.Error()
	}
	v.t.Logf("%s (%d ms)\n%s", command, took.Milliseconds(), clipped(answer))
	if took > bound+v.scaled(grace) {
		v.t.Errorf("%s took %v, more than %v", command, took, bound)
	}
	switch {
	case err != nil:
		v.checkError(command, err)
		if !either && !regexp.MustCompile("^("+wantCode+")$").MatchString(string(code(err))) {
			v.t.Errorf("%s: code %q, want %q: %v", command, code(err), wantCode, err)
		}
	case wantCode != "":
		v.t.Errorf("%s: no error, want %s", command, wantCode)
	}
	if !want.MatchString(answer) {
		v.t.Errorf("%s: the answer does not match %q:\n%s", command, want, clipped(answer))
	}
}

// checkError holds what every error owes the one who reads it.
func (v *visit) checkError(command string, err error) {
	v.t.Helper()
	var e *rove.Error
	if !errors.As(err, &e) {
		v.t.Errorf("%s: not a *rove.Error: %v", command, err)
		return
	}
	if e.Code == "" || e.Code == rove.CodeProtocol {
		v.t.Errorf("%s: code %q: %v", command, e.Code, err)
	}
	if e.Hint == "" && e.Code != rove.CodeInvalid { // which says what would be valid
		v.t.Errorf("%s: says nothing of what to do next: %v", command, err)
	}
	for _, raw := range []string{"context deadline", "context canceled", "(-32", "Runtime.", "Page.", "Input.", "DOM."} {
		if strings.Contains(e.Message, raw) || strings.Contains(e.Hint, raw) {
			v.t.Errorf("%s: a bare protocol message: %v", command, err)
		}
	}
}

// do performs one verb and gives what a model would read.
func (v *visit) do(ctx context.Context, command string) (string, error) {
	verb, rest, _ := strings.Cut(command, " ")
	switch verb {
	case "go":
		url := rest
		if rest == "" {
			url = v.page
		}
		if strings.HasPrefix(url, "/") {
			url = v.site.here + url
		}
		r, err := v.session.Go(ctx, url)
		if r == nil {
			return "", err
		}
		return r.Text(), err
	case "look":
		r, err := v.session.Look(ctx, rove.LookOptions{})
		if r == nil {
			return "", err
		}
		return r.Text(), err
	case "act", "steps":
		var steps []rove.Step
		for part := range strings.SplitSeq(rest, "; ") {
			steps = append(steps, v.read(part))
		}
		r, err := v.session.Act(ctx, steps...)
		if r == nil {
			return "", err
		}
		return r.Text(), err
	case "wait":
		r, err := v.session.Wait(ctx, rest, v.bound)
		if r == nil {
			return "", err
		}
		return r.Text(), err
	case "crash":
		return "", v.crash(ctx, rest)
	case "eval":
		r, err := v.session.Eval(ctx, rest)
		if r == nil {
			return "", err
		}
		return r.Text(), err
	}
	v.t.Fatalf("%q is not a verb", verb)
	return "", nil
}

// crash ends the process of the page, or of its first frame.
func (v *visit) crash(ctx context.Context, what string) error {
	tab := v.session.Driver().Tab()
	_, page := cdp.Of(tab)
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if what == "page" {
		_ = page.Call(short, "Page.crash", nil, nil) // the dead do not answer
		return nil
	}
	_ = page.Call(short, "Page.navigate", map[string]any{"url": "chrome://crash", "frameId": tab.Frames()[1].ID}, nil)
	return nil
}

var refShape = regexp.MustCompile(`\b(?:f\d+)?e\d+\b`)

// read reads "REF OP VALUE".
func (v *visit) read(text string) rove.Step {
	v.t.Helper()
	ref, rest, _ := strings.Cut(text, " ")
	op, value, _ := strings.Cut(rest, " ")
	if name, ok := strings.CutPrefix(ref, "@"); ok {
		ref = ""
		for line := range strings.Lines(v.shown) {
			if strings.Contains(line, `"`+name) && ref == "" {
				ref = refShape.FindString(line)
			}
		}
		if ref == "" {
			v.t.Fatalf("nothing named %s was shown:\n%s", name, v.shown)
		}
	}
	return rove.Step{Ref: ref, Op: op, Value: value}
}

func clipped(s string) string {
	if len(s) > 1200 {
		return s[:1200] + fmt.Sprintf("… (%d bytes)", len(s))
	}
	return s
}
