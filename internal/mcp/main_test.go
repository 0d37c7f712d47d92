package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove/internal/cli"
	"rove/internal/mcp"
	"rove/internal/testkit"
)

// asProgram makes the test binary the program itself.
const asProgram = "ROVE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(testkit.Main(m))
}

// program is `rove mcp` as a client would start it.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{"mcp"}, args...)...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Stderr = os.Stderr
	return cmd
}

// client connects the SDK's own client.
func client(t *testing.T, transport sdk.Transport, opts *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, opts)
	conn, err := c.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// connect serves a client in memory, and both end with the test.
func connect(t *testing.T, opts mcp.Options) (*sdk.ClientSession, *mcp.Server) {
	t.Helper()
	testkit.NeedsBrowser(t)
	s := mcp.New(opts)
	here, there := sdk.NewInMemoryTransports()
	served := make(chan error, 1)
	go func() { served <- mcp.ServeTransport(s, context.Background(), there) }()
	t.Cleanup(func() {
		select {
		case err := <-served:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(30 * time.Second):
			t.Error("the server goes on after its client ended the connection")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return client(t, here, nil), s
}

// site serves a small shop.
func site(t *testing.T) string {
	var visits atomic.Int32
	return testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Shop</title><h1>Welcome</h1><form action=/done><label>Name <input name=name></label>
			<label>City <input name=city></label><button>Order</button></form><a href=/later>Later</a>`),
		"/done": func(w http.ResponseWriter, r *http.Request) {
			testkit.Page(fmt.Sprintf(`<title>Thanks</title><h1>Thank you, %s of %s</h1>`, r.FormValue("name"), r.FormValue("city")))(w, r)
		},
		"/later": testkit.Page(`<title>Later</title><p id=p>not yet</p><script>onclick = () => setTimeout(() => p.textContent = "here now", 300)</script>`),
		"/who": func(w http.ResponseWriter, r *http.Request) {
			was := "nobody"
			if c, err := r.Cookie("who"); err == nil {
				was = c.Value
			}
			http.SetCookie(w, &http.Cookie{Name: "who", Value: fmt.Sprint(visits.Add(1))})
			testkit.Page("<title>Who</title><p>cookie of "+was+"</p>")(w, r)
		},
	})
}

type args = map[string]any

// call calls a tool and gives its answer.
func call(t *testing.T, conn *sdk.ClientSession, name string, in args) *sdk.CallToolResult {
	t.Helper()
	r, err := conn.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: in})
	if err != nil {
		t.Fatalf("%s %v: %v", name, in, err)
	}
	return r
}

// text is the text of an answer, which comes first.
func text(t *testing.T, r *sdk.CallToolResult) string {
	t.Helper()
	if len(r.Content) == 0 {
		t.Fatal("an answer without content")
	}
	c, ok := r.Content[0].(*sdk.TextContent)
	if !ok {
		t.Fatalf("an answer that begins with %T", r.Content[0])
	}
	return c.Text
}

// says calls a tool and checks that it answers, with all of the words.
func says(t *testing.T, conn *sdk.ClientSession, name string, in args, words ...string) string {
	t.Helper()
	return check(t, false, call(t, conn, name, in), name, in, words)
}

// fails calls a tool and checks that it fails, with all of the words.
func fails(t *testing.T, conn *sdk.ClientSession, name string, in args, words ...string) string {
	t.Helper()
	return check(t, true, call(t, conn, name, in), name, in, words)
}

func check(t *testing.T, isError bool, r *sdk.CallToolResult, name string, in args, words []string) string {
	t.Helper()
	got := text(t, r)
	if r.IsError != isError {
		t.Fatalf("%s %v: error %v:\n%s", name, in, r.IsError, got)
	}
	for _, w := range words {
		if !strings.Contains(got, w) {
			t.Errorf("%s %v: the answer misses %q:\n%s", name, in, w, got)
		}
	}
	return got
}
