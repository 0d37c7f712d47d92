package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove"
	"rove/internal/mcp"
	"rove/internal/session"
	"rove/internal/testkit"
	"rove/internal/tool"
)

// asked is a client's user, who answers questions.
type asked struct {
	mu        sync.Mutex
	questions []string
	answers   []string // accept, decline, cancel; the last goes on
	content   map[string]any
}

func (a *asked) handler(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.questions = append(a.questions, r.Params.Message)
	action := a.answers[min(len(a.questions), len(a.answers))-1]
	return &sdk.ElicitResult{Action: action, Content: a.content}, nil
}

func (a *asked) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := a.questions
	a.questions = nil
	return q
}

func till(t *testing.T) string {
	return testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(`<title>Till</title><p id=p>0</p>
		<button onclick="p.textContent = parseInt(p.textContent) + 1">Count</button><button onclick="p.textContent += ' bought'">Buy now</button>
		<button onclick="p.textContent += ' paid'">Pay</button>`)})
}

// TestConsentOverMCP asks in the middle of a call, in both ways that the protocol
// has had, and over both transports. What was done before the question is not done
// again.
func TestConsentOverMCP(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := till(t)
	opts := mcp.Options{Sessions: session.Options{Browser: rove.Options{Confirm: []string{"click:Buy", "click:Pay"}}}}
	steps := args{"steps": []args{{"ref": "{button}Count", "op": "click"}, {"ref": "{button}Buy now", "op": "click"}, {"ref": "{button}Pay", "op": "click"}}}
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28", "http"} {
		t.Run(version, func(t *testing.T) {
			s := mcp.New(opts)
			defer s.Close()
			user := &asked{content: map[string]any{}, answers: []string{"accept"}}
			c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{ElicitationHandler: user.handler})
			var transport sdk.Transport
			options := &sdk.ClientSessionOptions{ProtocolVersion: version}
			if version == "http" {
				server := httptest.NewServer(s.Handler())
				defer server.Close()
				transport, options = &sdk.StreamableClientTransport{Endpoint: server.URL}, nil
			} else {
				here, there := sdk.NewInMemoryTransports()
				transport = here
				go func() { _ = mcp.ServeTransport(s, context.Background(), there) }()
			}
			conn, err := c.Connect(t.Context(), transport, options)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			says(t, conn, "go", args{"url": site}, `button "Buy now"`)
			says(t, conn, "act", steps, "1 bought paid")
			if q := user.take(); len(q) != 2 || !strings.Contains(q[0], `button "Buy now"`) || !strings.Contains(q[0], site) {
				t.Errorf("asked %q", q)
			}
			user.answers = []string{"accept", "decline"}
			fails(t, conn, "act", steps, "ok click", "did not agree")
			says(t, conn, "look", args{}, "2 bought")
			user.take()
			user.answers = []string{"cancel"}
			fails(t, conn, "act", steps, "did not agree")
			says(t, conn, "act", args{"ref": "{button}Count", "op": "click"}, "ok click")
		})
	}
	t.Run("a client that can't ask", func(t *testing.T) {
		conn, _ := connect(t, opts)
		says(t, conn, "go", args{"url": site}, "Till")
		fails(t, conn, "act", steps, "ok click", "has no way to ask", "without --confirm click:Buy")
		says(t, conn, "look", args{}, `"1"`)
	})
	t.Run("a state that was made up", func(t *testing.T) {
		conn, _ := connect(t, opts)
		r, err := conn.CallTool(t.Context(), &sdk.CallToolParams{Name: "look", Arguments: args{}, RequestState: "made-up"})
		if err != nil || !r.IsError || !strings.Contains(text(t, r), "that call is over") {
			t.Errorf("%v, %v", r, err)
		}
	})
}

// TestCapabilitiesOverMCP: a tool that is switched off is not offered, and refused
// when it is called all the same.
func TestCapabilitiesOverMCP(t *testing.T) {
	caps := []string{"-eval", "-screenshot"}
	tools, err := tool.Set("")
	if err != nil {
		t.Fatal(err)
	}
	able, err := tool.Able(tools, caps)
	if err != nil || len(able) != len(tools)-1 {
		t.Fatalf("%d tools, %v", len(able), err)
	}
	// As a client would find it that knows of eval from elsewhere: it is offered.
	conn, _ := connect(t, mcp.Options{Tools: tools, Sessions: session.Options{Browser: rove.Options{Caps: caps}}})
	says(t, conn, "go", args{"url": till(t)}, "Till")
	fails(t, conn, "eval", args{"js": "1"}, "switched off", "--caps -screenshot")
	fails(t, conn, "wait", args{"for": "1 + 1"}, "switched off")
	fails(t, conn, "look", args{"screenshot": true}, "switched off")
	says(t, conn, "wait", args{"for": "text:Count"}, "ok wait")

	p := start(t, "--caps", "-eval")
	p.send(`{"jsonrpc":"2.0","id":5,"method":"tools/list"}`)
	if got := p.answer(5); strings.Contains(got, `"name":"eval"`) || !strings.Contains(got, `"name":"wait"`) {
		t.Errorf("offered: %s", got)
	}
	p.call(6, "eval", args{"js": "1"})
	if got := p.answer(6); !strings.Contains(got, "unknown tool") {
		t.Errorf("a tool that is not offered: %s", got)
	}
	p.in.Close()
	p.exits()
}

// TestStructuredAnswersAreAsTheirSchema: with --structured every tool says what its
// data is like, and answers so; without, no schema is paid for.
func TestStructuredAnswersAreAsTheirSchema(t *testing.T) {
	plain, _ := connect(t, mcp.Options{})
	list, err := plain.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, offered := range list.Tools {
		if offered.OutputSchema != nil {
			t.Errorf("%s has an output schema that nobody asked for", offered.Name)
		}
	}
	conn, _ := connect(t, mcp.Options{Structured: true})
	if list, err = conn.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	inputs := map[string]args{
		"go": {"url": till(t)}, "look": {}, "act": {"ref": "{button}Count", "op": "click"}, "wait": {"for": "text:Count"}, "eval": {"js": "1+1"},
	}
	for _, name := range []string{"go", "look", "act", "wait", "eval"} {
		for _, offered := range list.Tools {
			if offered.Name != name {
				continue
			}
			schema := schemaOf(t, offered.OutputSchema)
			r := call(t, conn, name, inputs[name])
			if r.StructuredContent == nil {
				t.Errorf("%s has no data", name)
			}
			if err := schema.Validate(r.StructuredContent); err != nil {
				t.Errorf("%s: %v\n%v", name, err, r.StructuredContent)
			}
			data, _ := r.StructuredContent.(map[string]any)
			for key := range data {
				if !strings.Contains(fmt.Sprint(offered.OutputSchema), key) {
					t.Errorf("%s answers with %s, of which its schema does not know", name, key)
				}
			}
		}
	}
}

func schemaOf(t *testing.T, v any) *jsonschema.Resolved {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLongQuestionsOverMCP: what is too long to be shown is not agreed to by
// accepting it; how much is not shown has to be said.
func TestLongQuestionsOverMCP(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.NeedsBrowser(t)
	script := "'" + strings.Repeat("x", 5000) + "'.length"
	unseen := len(script) - 4000
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for _, c := range []struct {
			content map[string]any
			done    bool
		}{
			{map[string]any{}, false},
			{map[string]any{"unseen": "yes"}, false},
			{map[string]any{"unseen": fmt.Sprint(unseen - 1)}, false},
			{map[string]any{"unseen": fmt.Sprint(unseen)}, true},
		} {
			s := mcp.New(mcp.Options{Sessions: session.Options{Browser: rove.Options{Confirm: []string{"eval"}}}})
			user := &asked{answers: []string{"accept"}, content: c.content}
			client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{ElicitationHandler: user.handler})
			here, there := sdk.NewInMemoryTransports()
			go func() { _ = mcp.ServeTransport(s, context.Background(), there) }()
			conn, err := client.Connect(t.Context(), here, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			r, err := conn.CallTool(t.Context(), &sdk.CallToolParams{Name: "eval", Arguments: args{"js": script}})
			q := user.take()
			if len(q) != 1 || !strings.Contains(q[0], fmt.Sprintf("%d more characters that are not shown", unseen)) {
				t.Errorf("%s: asked %.200q", version, q)
			}
			// A client may refuse by itself what is not of the form that was asked for.
			if done := err == nil && !r.IsError; done != c.done {
				t.Errorf("%s, %v: done %v, %v", version, c.content, done, err)
			}
			_ = conn.Close()
			_ = s.Close()
		}
	}
}
