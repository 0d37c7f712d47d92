package daemon

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

// serve runs a daemon in this process and gives a client of it.
func serve(t *testing.T, config Config) *Client {
	t.Helper()
	dir, err := os.MkdirTemp("", "rh")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("ROVE_HOME", dir)
	if config.Place, err = Locate(); err != nil {
		t.Fatal(err)
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	up := make(chan struct{})
	config.Ready = sync.OnceFunc(func() { close(up) })
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, config) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(config.Place.Dir); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	select {
	case <-up:
	case err := <-ended:
		t.Fatal(err)
	}
	return &Client{Place: config.Place, Version: config.Version}
}

func TestStatusAndStop(t *testing.T) {
	c := serve(t, Config{Version: "v1.2.3", Idle: time.Hour})
	s, err := c.Status(t.Context())
	if err != nil || s.Version != "v1.2.3" || s.Pid != os.Getpid() || s.Idle != "1h0m0s" || s.Sessions == nil || len(s.Sessions) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if err := c.End(t.Context(), "nobody"); code(err) != rove.CodeNotFound {
		t.Errorf("the end of a session that is not there: %v", err)
	}
	if err := c.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := c.Status(t.Context()); !errors.Is(err, ErrNone) {
		t.Errorf("after the stop: %v", err)
	}
	if err := c.Stop(t.Context()); !errors.Is(err, ErrNone) {
		t.Errorf("a second stop: %v", err)
	}
}

func code(err error) rove.Code {
	var e *rove.Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

// What a client that is not rove could send.
func TestOddRequests(t *testing.T) {
	c := serve(t, Config{Version: "v1"})
	now := strconv.Itoa(protocol)
	for _, tt := range []struct{ send, want string }{
		{"", ""},
		{"{", ""},
		{"GET / HTTP/1.1\r\n\r\n", `"code":"invalid"`},
		{"[]\n", `"code":"invalid"`},
		{`{"protocol":99,"do":"call"}` + "\n", "a daemon of another rove"},
		{`{"protocol":` + now + `,"do":"dance"}` + "\n", "dance"},
		{`{"protocol":` + now + `,"do":"call","tool":"dance"}` + "\n", "there is no tool"},
		{`{"protocol":` + now + `,"do":"call","tool":"look","input":{"colour":1}}` + "\n", "colour"},
		{`{"protocol":` + now + `,"do":"call","tool":"look","session":"a\u0000b","input":{}}` + "\n", "name"},
	} {
		conn, err := net.Dial("unix", c.Place.Socket)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, tt.send)
		if !strings.HasSuffix(tt.send, "\n") { // else it would be somebody who has left
			_ = conn.(*net.UnixConn).CloseWrite()
		}
		said, err := io.ReadAll(conn)
		if err != nil || !strings.Contains(string(said), tt.want) {
			t.Errorf("%q is answered with %q, %v", tt.send, said, err)
		}
		_ = conn.Close()
	}
	if _, err := c.Status(t.Context()); err != nil {
		t.Errorf("the daemon is no longer well: %v", err)
	}
}

// A daemon that ends before a call has begun is called again; one that ends
// after that may have done it, and is not.
func TestOnlyCallsThatHaveNotBegunAreRepeated(t *testing.T) {
	for _, tt := range []struct {
		name, says string
		again      bool
	}{
		{"nothing", "", true},
		{"it is ending", `{"again":true}` + "\n", true},
		{"begun", `{"begun":true}` + "\n", false},
		{"broken off", `{"begun":true}` + "\n" + `{"answer":{"te`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "rh")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			l, err := net.Listen("unix", dir+"/s")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go func() {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = bufio.NewReader(conn).ReadString('\n')
				_, _ = io.WriteString(conn, tt.says)
				_ = conn.Close()
			}()
			c := &Client{Place: Place{Dir: dir, Socket: dir + "/s"}}
			_, again, err := c.do(t.Context(), &Request{Do: doCall})
			if again != tt.again || !again && code(err) != rove.CodeClosed {
				t.Errorf("again %v, %v", again, err)
			}
		})
	}
}

func TestClientGivesUpInTime(t *testing.T) {
	dir, err := os.MkdirTemp("", "rh")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", dir+"/s") // never answers
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	c := &Client{Place: Place{Dir: dir, Socket: dir + "/s"}}
	if _, err := c.Status(ctx); code(err) != rove.CodeTimeout {
		t.Error(err)
	}
}

func TestIdleWithoutSessions(t *testing.T) {
	c := serve(t, Config{Version: "v1", Idle: 50 * time.Millisecond})
	testkit.Eventually(t, "the daemon has ended", func() bool {
		// Asking is a call, which puts the end off.
		_, err := os.Stat(c.Place.Socket)
		return errors.Is(err, os.ErrNotExist)
	})
}

func TestNewerBuilds(t *testing.T) {
	for _, tt := range []struct {
		a, b Build
		want bool
	}{
		{Build{"v1.2.0", 1}, Build{"v1.1.9", 2}, true},
		{Build{"v1.1.9", 2}, Build{"v1.2.0", 1}, false},
		{Build{"v1.10.0", 1}, Build{"v1.9.0", 1}, true},
		{Build{"v1.2.0", 2}, Build{"v1.2.0", 1}, true},
		{Build{"v1.2.0", 1}, Build{"v1.2.0", 1}, false},
		{Build{"devel abc", 2}, Build{"devel def", 1}, true},
		{Build{"devel abc", 1}, Build{"v1.0.0", 2}, false},
		{Build{"", 0}, Build{"", 0}, false},
	} {
		if got := tt.a.newer(tt.b); got != tt.want {
			t.Errorf("%v newer than %v: %v", tt.a, tt.b, got)
		}
	}
}

func TestConflicts(t *testing.T) {
	plain, window, small := Launch{}, Launch{Headed: true}, Launch{Width: 400, Height: 300}
	for _, tt := range []struct {
		name          string
		asks, running Launch
		want          string // "" for none
	}{
		{"nothing asked", plain, window, ""},
		{"a default that differs", Launch{Browser: "/a", Width: 5}, plain, ""},
		{"the same", Launch{Headed: true, Insisted: []string{"headed"}}, window, ""},
		{"a window", Launch{Headed: true, Insisted: []string{"headed"}}, plain, "without a window"},
		{"no window", Launch{Insisted: []string{"headed"}}, window, "with a window"},
		{"another browser", Launch{Browser: "shell", Insisted: []string{"browser"}}, plain, "the default browser, not shell"},
		{"another size", Launch{Width: 1, Height: 1, Insisted: []string{"viewport"}}, small, "size"},
		{"another profile", Launch{Profile: "/p", Insisted: []string{"profile"}}, plain, "in a profile that is not kept, not /p"},
		{"other rules", Launch{Allow: []string{"a.example"}, Insisted: []string{"allow"}}, plain, "other rules than --allow"},
		{"the same rules", Launch{Allow: []string{"a.example"}, Insisted: []string{"allow"}}, Launch{Allow: []string{"a.example"}}, ""},
		{"other capabilities", Launch{Caps: []string{"-eval"}, Insisted: []string{"caps"}}, plain, "other rules than --caps"},
		{"another consent", Launch{Confirm: []string{"upload"}, Insisted: []string{"confirm"}}, plain, "other rules than --confirm"},
		{"two things", Launch{Headed: true, Width: 1, Height: 1, Insisted: []string{"headed", "viewport"}}, plain, "size, without"},
	} {
		got := tt.asks.conflict(tt.running)
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
