package mcp_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove/internal/testkit"
)

// TestProgram is an agent's first minute with `rove mcp`.
func TestProgram(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := site(t)
	cmd := program()
	conn := client(t, &sdk.CommandTransport{Command: cmd}, nil)

	says(t, conn, "go", args{"url": site}, `heading "Welcome"`, `textbox "Name"`, `button "Order"`)
	found := says(t, conn, "look", args{"find": "city"}, `textbox "City"`)
	city := regexp.MustCompile(`e\d+`).FindString(found)
	says(t, conn, "act", args{"steps": []args{
		{"ref": "{input}Name", "op": "input", "value": "Ada"},
		{"ref": city, "op": "input", "value": "London"},
		{"ref": "{button}Order", "op": "click"},
	}}, "Thank you, Ada of London")
	says(t, conn, "go", args{"url": site + "/later"}, "not yet")
	says(t, conn, "eval", args{"js": "document.body.click()"})
	says(t, conn, "wait", args{"for": "text:here now", "timeout": 10000}, "ok wait", "here now")
	says(t, conn, "eval", args{"js": "document.title + 1"}, "Later1")

	pids := testkit.Browsers(t)
	if len(pids) != 1 {
		t.Fatalf("browsers %v, want one", pids)
	}
	if err := conn.Close(); err != nil { // ends its input and waits for it
		t.Error(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	testkit.NoBrowsers(t, pids, 0)
}

// raw is the program on bare pipes.
type raw struct {
	t      *testing.T
	in     io.WriteCloser
	lines  *bufio.Scanner
	out    io.Closer
	exited chan error
	signal func(os.Signal) error
}

func start(t *testing.T, args ...string) *raw {
	t.Helper()
	testkit.NeedsBrowser(t)
	cmd := program(args...)
	// Pipes of our own, which only we close.
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout = inR, outW
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	inR.Close()
	outW.Close()
	p := &raw{t: t, in: inW, lines: bufio.NewScanner(outR), out: outR, exited: make(chan error, 1), signal: cmd.Process.Signal}
	p.lines.Buffer(nil, 1<<24)
	go func() { p.exited <- cmd.Wait() }()
	t.Cleanup(func() {
		inW.Close()
		outR.Close()
	})
	p.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	p.answer(0)
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *raw) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

func (p *raw) call(id int, name string, in any) {
	p.t.Helper()
	args, err := json.Marshal(in)
	if err != nil {
		p.t.Fatal(err)
	}
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, name, args))
}

// answer reads until the answer to a call, as one line.
func (p *raw) answer(id int) string {
	p.t.Helper()
	for p.lines.Scan() {
		var m struct{ ID *int }
		if err := json.Unmarshal(p.lines.Bytes(), &m); err != nil {
			p.t.Fatalf("%v: %s", err, p.lines.Text())
		}
		if m.ID != nil && *m.ID == id {
			return p.lines.Text()
		}
	}
	p.t.Fatalf("no answer to call %d: %v", id, p.lines.Err())
	return ""
}

func (p *raw) exits() {
	p.t.Helper()
	select {
	case err := <-p.exited:
		if err != nil {
			p.t.Errorf("the program ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		p.t.Fatal("the program does not end")
	}
}

// TestNothingIsLeft ends the connection in every way that a client can.
func TestNothingIsLeft(t *testing.T) {
	ends := map[string]func(t *testing.T, p *raw){
		"end of input": func(_ *testing.T, p *raw) { p.in.Close() },
		"killed client": func(_ *testing.T, p *raw) {
			p.out.Close()
			p.in.Close()
		},
		"client gone, call at work": func(_ *testing.T, p *raw) {
			p.call(2, "wait", args{"for": "text:never"})
			p.call(3, "look", args{}) // waits for its turn
			p.call(4, "go", args{"url": "about:blank", "session": "another"})
			p.answer(4)
			p.out.Close()
			p.in.Close()
		},
		"told to end": func(t *testing.T, p *raw) {
			if runtime.GOOS == "windows" {
				t.Skip("Windows has no such signal")
			}
			p.call(2, "wait", args{"for": "text:never"})
			if err := p.signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			p := start(t)
			p.call(1, "go", args{"url": "about:blank"})
			p.answer(1)
			pids := testkit.Browsers(t)
			if len(pids) != 1 {
				t.Fatalf("browsers %v, want one", pids)
			}
			end(t, p)
			p.exits()
			testkit.NoBrowsers(t, pids, 0)
		})
	}
}

// TestCancelledCallStops holds that a cancelled call leaves its session to the
// next one at once, and that one behind it need not wait to be cancelled.
func TestCancelledCallStops(t *testing.T) {
	reached := make(chan struct{}, 10)
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page("<title>Here</title>"),
		"/never": func(_ http.ResponseWriter, r *http.Request) { // answered
			reached <- struct{}{}
			<-r.Context().Done()
		},
	})
	tests := []struct {
		name string
		in   args
	}{
		{"wait", args{"for": "(window.f ||= fetch('/never')) && false", "timeout": 60000}},
		{"eval", args{"js": "fetch('/never?eval')"}},
		{"go", args{"url": site + "/never?go"}},
	}
	p := start(t)
	id := 0
	call := func(name string, in args) int {
		id++
		p.call(id, name, in)
		return id
	}
	cancel := func(id int) {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
	}
	for _, tt := range tests {
		p.answer(call("go", args{"url": site}))
		long := call(tt.name, tt.in)
		<-reached // it is at work
		behind := call("eval", args{"js": "window.behind = 1"})
		cancel(behind)
		p.answer(call("eval", args{"js": "1", "session": "another"})) // so that the cancelling is done
		begin := time.Now()
		cancel(long)
		if got := p.answer(call("eval", args{"js": "['then', window.behind]"})); !strings.Contains(got, "then") || strings.Contains(got, "1]") {
			t.Errorf("after a cancelled %s: %s", tt.name, got)
		}
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("the call after a cancelled %s took %v", tt.name, took)
		}
	}
	p.in.Close()
	p.exits()
}

// TestCallsKeepTheirOrder sends calls without waiting for answers, among them
// some that are refused.
func TestCallsKeepTheirOrder(t *testing.T) {
	p := start(t)
	const count = 40
	want := []string{}
	for i := range count {
		switch i % 10 {
		case 3:
			p.call(i+1, "eval", args{"nonsense": i})
		case 6:
			p.call(i+1, "nonsense", args{})
		default:
			p.call(i+1, "eval", args{"js": fmt.Sprintf("(window.seen ||= []).push(%d)", i)})
			want = append(want, fmt.Sprint(i))
		}
	}
	p.call(100, "eval", args{"js": "seen.join()"})
	if got := p.answer(100); !strings.Contains(got, strings.Join(want, ",")) {
		t.Errorf("the calls ran in another order:\n%s", got)
	}
	p.in.Close()
	p.exits()
}

// TestNothingElseOnStandardOutput holds that the client's stream has messages of
// the protocol alone, and that an unused server ends as well.
func TestNothingElseOnStandardOutput(t *testing.T) {
	p := start(t, "--warm=false", "--headed=false", "--viewport", "800x600", "--budget", "200", "--idle", "1m")
	p.call(1, "eval", args{"js": "[innerWidth, innerHeight]"})
	if got := p.answer(1); !strings.Contains(got, "800") || !strings.Contains(got, "600") {
		t.Errorf("--viewport was not heeded: %s", got)
	}
	p.in.Close()
	for p.lines.Scan() {
		if !json.Valid(p.lines.Bytes()) {
			t.Errorf("not a message: %q", p.lines.Text())
		}
	}
	p.exits()
}
