package session

import (
	"runtime"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// refusal is what a call on a session is refused with.
func refusal(t *testing.T, c *Conversation, name string) error {
	t.Helper()
	call := c.Call(name)
	defer call.End()
	_, err := call.Session(t.Context())
	return err
}

func TestMemoryLimit(t *testing.T) {
	for _, own := range []bool{false, true} {
		f := &farm{}
		m := manager(t, f, Options{MaxMemory: 100 << 20, Own: own})
		c := m.Conversation("")
		use(t, c, "a")
		f.last().memory = 100 << 20
		use(t, c, "b")
		f.last().memory += 40 << 20
		err := refusal(t, c, "c")
		if code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "140 MiB of memory already, and 100 MiB are allowed") {
			t.Errorf("own %v: %v", own, err)
		}
		use(t, c, "a") // those that are there go on
		f.last().memory = -1
		if err := refusal(t, c, "c"); code(err) != rove.CodeUnsupported {
			t.Errorf("a system that does not tell: %v", err)
		}
		if n := len(c.Sessions()); n != 2 {
			t.Errorf("%d sessions", n)
		}
	}
}

func TestMemoryLimitOfARealBrowser(t *testing.T) {
	testkit.NeedsBrowser(t)
	if runtime.GOOS != "linux" {
		t.Skip("this system does not tell how much memory a browser has")
	}
	m := NewManager(Options{MaxMemory: 1 << 20})
	defer m.Close()
	c := m.Conversation("")
	use(t, c, "a")
	if err := refusal(t, c, "b"); code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "1 MiB are allowed") {
		t.Errorf("a browser in one MiB: %v", err)
	}
	m.opts.MaxMemory = 1 << 40
	use(t, c, "b")
}

func TestProfileHasOneSession(t *testing.T) {
	m := manager(t, &farm{}, Options{Browser: rove.Options{Profile: "/some/profile"}})
	c := m.Conversation("")
	use(t, c, "a")
	if err := refusal(t, m.Conversation(""), "b"); code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "the profile /some/profile has a session already") {
		t.Errorf("a second session: %v", err)
	}
	if err := c.EndSession("a"); err != nil {
		t.Fatal(err)
	}
	use(t, c, "b")
}

// A session that follows another in its profile waits for that one's browser to
// let go.
func TestProfileIsPassedOn(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := NewManager(Options{Browser: rove.Options{Profile: t.TempDir()}})
	defer m.Close()
	c := m.Conversation("")
	use(t, c, "a")
	ended := make(chan error)
	go func() { ended <- c.EndSession("a") }()
	for len(c.Sessions()) > 0 {
		runtime.Gosched()
	}
	use(t, c, "b")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
