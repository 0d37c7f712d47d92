package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove"
	"rove/internal/mcp"
	"rove/internal/testkit"
	"rove/internal/tool"
)

// TestEveryToolIsOffered holds this door to the table.
func TestEveryToolIsOffered(t *testing.T) {
	all, err := tool.Set("all")
	if err != nil {
		t.Fatal(err)
	}
	conn, _ := connect(t, mcp.Options{Tools: all})
	list, err := conn.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	offered := map[string]*sdk.Tool{}
	for _, o := range list.Tools {
		offered[o.Name] = o
	}
	if len(offered) != len(all) {
		t.Errorf("%d tools are offered, the table has %d", len(offered), len(all))
	}
	for _, tl := range all {
		o := offered[tl.Name]
		if o == nil {
			t.Errorf("%s is not offered", tl.Name)
			continue
		}
		want, _ := json.Marshal(tl.Input())
		got, _ := json.Marshal(o.InputSchema)
		var a, b any
		_, _ = json.Unmarshal(want, &a), json.Unmarshal(got, &b)
		if fmt.Sprint(a) != fmt.Sprint(b) || o.Description != tl.Help {
			t.Errorf("%s is offered as %s %s", tl.Name, o.Description, got)
		}
		if o.Annotations == nil || o.Annotations.ReadOnlyHint != tl.ReadOnly || o.OutputSchema != nil {
			t.Errorf("%s has the annotations %+v", tl.Name, o.Annotations)
			continue
		}
		// What is not said counts as true.
		destroys := o.Annotations.DestructiveHint == nil || *o.Annotations.DestructiveHint
		abroad := o.Annotations.OpenWorldHint == nil || *o.Annotations.OpenWorldHint
		if destroys != (!tl.ReadOnly && !tl.Gentle) || abroad == tl.Local {
			t.Errorf("%s: destructive %v, open world %v", tl.Name, destroys, abroad)
		}
	}
}

func TestInstructionsAreShort(t *testing.T) {
	conn, _ := connect(t, mcp.Options{})
	got := conn.InitializeResult().Instructions
	if got != mcp.Instructions {
		t.Errorf("the client is told %q", got)
	}
	if n := rove.Tokens(got); n > 90 { // by o200k_base 64
		t.Errorf("the instructions cost an estimated %d tokens", n)
	}
	for _, verb := range []string{"go opens a page", "look shows it", "act operates", "wait waits", "eval runs JavaScript", "what can be done next"} {
		if !strings.Contains(got, verb) {
			t.Errorf("%q is not in %q", verb, got)
		}
	}
}

// TestInstructionsSpeakOfWhatIsThere: whatever is offered, no other tool is named.
func TestInstructionsSpeakOfWhatIsThere(t *testing.T) {
	all, err := tool.Set("all")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ set, off, want string }{
		{"agent", "", "look shows it"},
		{"agent", "-eval", "look shows it"},
		{"browser", "", "browser_snapshot"},
		{"browser", "-screenshot", "browser_snapshot"},
		{"browse", "", "browse_observe shows it"},
		{"browser,browse", "", "browser_snapshot"},
		{"all", "", "look shows it"},
	} {
		tools, err := tool.Set(c.set)
		if err == nil && c.off != "" {
			tools, err = tool.Able(tools, []string{c.off})
		}
		if err != nil {
			t.Fatal(err)
		}
		conn, _ := connect(t, mcp.Options{Tools: tools})
		got := conn.InitializeResult().Instructions
		if !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %q", c.set, c.off, got)
		}
		for _, tl := range all {
			// The verbs are words of English, too: of them what they do counts.
			named := regexp.MustCompile(`\b` + tl.Name + `\b`).MatchString(got)
			if tl.Set == "agent" {
				named = regexp.MustCompile(`(: |, )` + tl.Name + ` (opens|shows|operates|waits|runs)`).MatchString(got)
			}
			if named && !slices.Contains(tools, tl) {
				t.Errorf("%s %s speaks of %s: %q", c.set, c.off, tl.Name, got)
			}
		}
	}
}

func TestFailuresAreForTheModelToRead(t *testing.T) {
	conn, _ := connect(t, mcp.Options{})
	site := site(t)
	fails(t, conn, "look", args{"selector": "#a"}, `there is no parameter "selector"; it takes ref, find`)
	fails(t, conn, "go", args{}, "url is missing")
	fails(t, conn, "look", args{"budget": "much"}, "budget takes a whole number")
	fails(t, conn, "go", args{"url": "http://127.0.0.1:1/"}, "127.0.0.1:1")
	says(t, conn, "go", args{"url": site})
	fails(t, conn, "act", args{"ref": "e999", "op": "click"}, "e999")
	fails(t, conn, "act", args{"ref": "e1"}, "both ref and op")
	fails(t, conn, "wait", args{"for": "text:never", "timeout": 250}, "not so after 250ms")
	fails(t, conn, "eval", args{"js": "nonsense()"}, "nonsense is not defined")
	fails(t, conn, "look", args{"session": strings.Repeat("x", 200)}, "at most 100 bytes")
	says(t, conn, "look", args{}, "Welcome") // none the worse for it

	// A tool that there is not is no business of a model.
	if _, err := conn.CallTool(t.Context(), &sdk.CallToolParams{Name: "nope"}); err == nil {
		t.Error("a tool that there is not was called")
	}
}

func TestTextAloneUnlessAsked(t *testing.T) {
	site := site(t)
	plain, _ := connect(t, mcp.Options{})
	if r := call(t, plain, "go", args{"url": site}); r.StructuredContent != nil || len(r.Content) != 1 {
		t.Errorf("an answer with %d contents and structure %v", len(r.Content), r.StructuredContent)
	}
	both, _ := connect(t, mcp.Options{Structured: true})
	r := call(t, both, "go", args{"url": site})
	data, ok := r.StructuredContent.(map[string]any)
	if !ok || data["title"] != "Shop" || data["actions"] == nil {
		t.Errorf("the data form is %v", r.StructuredContent)
	}
	r = call(t, both, "act", args{"ref": "e999", "op": "click"})
	if data, ok = r.StructuredContent.(map[string]any); !ok || !r.IsError || data["ok"] != false {
		t.Errorf("the data form of a failed act is %v", r.StructuredContent)
	}
	r = call(t, both, "go", args{"url": "http://127.0.0.1:1/"})
	if data, ok = r.StructuredContent.(map[string]any); !ok || data["code"] != "navigation" || data["error"] == "" {
		t.Errorf("the data form of a failed go is %v", r.StructuredContent)
	}
}

func TestScreenshotIsAnImage(t *testing.T) {
	conn, _ := connect(t, mcp.Options{Structured: true})
	says(t, conn, "go", args{"url": site(t)})
	for name, in := range map[string]args{"look": {"screenshot": true}, "act": {"ref": "_page", "op": "screenshot"}} {
		r := call(t, conn, name, in)
		if len(r.Content) != 2 {
			t.Fatalf("%s: %d contents, want a text and an image: %s", name, len(r.Content), text(t, r))
		}
		i, ok := r.Content[1].(*sdk.ImageContent)
		if !ok || i.MIMEType != "image/png" {
			t.Fatalf("%s: the second content is %T", name, r.Content[1])
		}
		p, err := png.Decode(bytes.NewReader(i.Data))
		if err != nil || p.Bounds().Dx() != 1280 || p.Bounds().Dy() != 720 {
			t.Errorf("%s: the picture: %v, %v", name, err, p.Bounds())
		}
		if data := r.StructuredContent.(map[string]any); data["screenshot"] != nil {
			t.Errorf("%s: the picture is in the data as well", name)
		}
	}
}

func TestBudget(t *testing.T) {
	conn, _ := connect(t, mcp.Options{Defaults: tool.Defaults{Budget: new(100)}})
	says(t, conn, "go", args{"url": site(t)})
	says(t, conn, "eval", args{"js": "document.body.innerHTML = Array.from({length: 300}, (_, i) => `<p>Paragraph number ${i}</p><button>B${i}</button>`).join('')"})
	if n := rove.Tokens(says(t, conn, "look", args{})); n > 100 {
		t.Errorf("a look costs %d tokens, the default is 100", n)
	}
	if n := rove.Tokens(says(t, conn, "look", args{"budget": 400})); n > 400 || n <= 100 {
		t.Errorf("a look of 400 tokens costs %d", n)
	}
	says(t, conn, "look", args{"budget": 0}, "Paragraph number 299")
	fails(t, conn, "look", args{"budget": -1}, "budget -1")
}

func TestSessionsByName(t *testing.T) {
	conn, _ := connect(t, mcp.Options{})
	site := site(t)
	var wg sync.WaitGroup
	for _, name := range []string{"", "a", "b", "c"} {
		wg.Go(func() {
			if r, err := conn.CallTool(t.Context(), &sdk.CallToolParams{Name: "go", Arguments: args{"url": site + "/who", "session": name}}); err != nil || !strings.Contains(text(t, r), "cookie of nobody") {
				t.Errorf("session %q is not new: %v", name, err)
			}
		})
	}
	wg.Wait()
	says(t, conn, "go", args{"url": site + "/who", "session": "a"}, "cookie of ")
	if n := len(testkit.Browsers(t)); n != 1 {
		t.Errorf("%d browsers for four sessions", n)
	}

	// They run side by side.
	ctx, cancel := context.WithCancel(t.Context())
	wg.Go(func() {
		_, _ = conn.CallTool(ctx, &sdk.CallToolParams{Name: "wait", Arguments: args{"for": "text:never", "session": "a", "timeout": 60000}})
	})
	says(t, conn, "eval", args{"js": "6 * 7", "session": "b"}, "42")
	cancel()
	wg.Wait()
}

func TestDefaultSessionHasTheNameGiven(t *testing.T) {
	conn, _ := connect(t, mcp.Options{Session: "work"})
	site := site(t)
	says(t, conn, "go", args{"url": site + "/who"}, "cookie of nobody")
	says(t, conn, "look", args{"session": "work"}, "cookie of nobody")
	says(t, conn, "look", args{"session": "other"}, "about:blank")
}

func TestKilledBrowserIsTold(t *testing.T) {
	conn, _ := connect(t, mcp.Options{})
	asked := make(chan struct{}, 1)
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Shop</title><h1>Welcome</h1><button>Order</button>`),
		"/held": func(_ http.ResponseWriter, r *http.Request) {
			asked <- struct{}{}
			<-r.Context().Done()
		},
	})
	says(t, conn, "go", args{"url": site})
	says(t, conn, "look", args{"session": "other"})
	pids := testkit.Browsers(t)
	if len(pids) != 1 {
		t.Fatalf("browsers %v, want one", pids)
	}
	failed := make(chan *sdk.CallToolResult, 1)
	go func() {
		r, err := conn.CallTool(context.Background(), &sdk.CallToolParams{Name: "eval", Arguments: args{"js": "fetch('/held')"}})
		if err != nil {
			t.Error(err)
		}
		failed <- r
	}()
	<-asked // the call is at work
	if p, err := os.FindProcess(pids[0]); err != nil || p.Kill() != nil {
		t.Fatal("the browser cannot be killed")
	}
	if r := <-failed; r != nil {
		check(t, true, r, "eval", nil, []string{"the browser ended unexpectedly", "the next call starts a new session"})
	}
	says(t, conn, "go", args{"url": site}, "note: the browser ended unexpectedly", "Welcome")
	fails(t, conn, "act", args{"ref": "e1", "op": "click", "session": "other"}, "note: the browser ended unexpectedly", "e1")
	if got := says(t, conn, "look", args{}, "Welcome"); strings.Contains(got, "note:") {
		t.Errorf("it is told again:\n%s", got)
	}
}

func TestProgress(t *testing.T) {
	testkit.NeedsBrowser(t)
	told := make(chan *sdk.ProgressNotificationParams, 10)
	conn := client(t, &sdk.CommandTransport{Command: program()}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { told <- r.Params },
	})
	p := &sdk.CallToolParams{Name: "wait", Arguments: args{"for": "2500"}}
	p.SetProgressToken("mine")
	if _, err := conn.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	select {
	case n := <-told:
		if n.ProgressToken != "mine" || n.Progress < 1 || !strings.Contains(n.Message, "wait") {
			t.Errorf("progress %+v", n)
		}
	case <-time.After(5 * time.Second):
		t.Error("no progress was told of a long wait")
	}
}

func TestWarm(t *testing.T) {
	connect(t, mcp.Options{Warm: true})
	testkit.Eventually(t, "a browser was started ahead of the first call", func() bool { return len(testkit.Browsers(t)) > 0 })
}
