package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// waitFor waits until the counters say so.
func waitFor(t testing.TB, c *Conn, ok func(Stats) bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(c.Stats()); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("still waiting at %+v", c.Stats())
		}
	}
}

func TestCall(t *testing.T) {
	conn, p := newPeer(t)
	go func() {
		cmd := p.next()[0]
		if cmd.Method != "Browser.getVersion" || string(cmd.Params) != `{"a":1}` || cmd.Session != "" {
			t.Errorf("sent %+v", cmd)
		}
		p.send(cmd.reply(`{"product":"x"}`))
	}()
	var v struct {
		Product string `json:"product"`
	}
	if err := conn.Root().Call(t.Context(), "Browser.getVersion", map[string]int{"a": 1}, &v); err != nil || v.Product != "x" {
		t.Fatal(v, err)
	}
	if conn.Err() != nil {
		t.Error(conn.Err())
	}
}

// What is sent aside is none of the round trips that are counted.
func TestAside(t *testing.T) {
	conn, p := newPeer(t)
	s := conn.Attach("S", conn.NewQueue(), nil)
	var trips atomic.Int64
	s.Queue().Tally(&trips)
	for _, c := range []struct {
		cmds []Command
		want int64
	}{
		{[]Command{s.Command("A.b", nil).Aside()}, 0},
		{[]Command{s.Command("A.b", nil).Aside(), s.Command("A.b", nil)}, 1},
		{[]Command{s.Command("A.b", nil)}, 2},
	} {
		conn.Start(c.cmds...)
		if got := p.next(); len(got) != len(c.cmds) || trips.Load() != c.want {
			t.Errorf("%d commands in the write, %d round trips counted, want %d", len(got), trips.Load(), c.want)
		}
	}
}

// A batch is one write, whatever its size, and its replies may come in any
// order.
func TestBatchIsOneWrite(t *testing.T) {
	conn, p := newPeer(t)
	s := conn.Attach("S", conn.NewQueue(), nil)
	var trips atomic.Int64
	s.Queue().Tally(&trips)
	for round := int64(1); round <= 50; round++ {
		var cmds []Command
		for i := range 20 {
			cmds = append(cmds, s.Command(fmt.Sprintf("A.b%d", i), nil), conn.Root().Command("C.d", nil))
		}
		calls := conn.Start(cmds...)
		got := p.next()
		if len(got) != len(cmds) {
			t.Fatalf("%d commands in the write, want %d", len(got), len(cmds))
		}
		if n := trips.Load(); n != round {
			t.Fatalf("%d round trips counted after %d writes", n, round)
		}
		for i := len(got) - 1; i >= 0; i-- {
			if got[i].Method != cmds[i].method {
				t.Fatalf("command %d is %s", i, got[i].Method)
			}
			p.send(got[i].reply(fmt.Sprintf(`{"N":%d}`, i)))
		}
		for i, c := range calls {
			var v struct{ N int }
			if err := c.Wait(t.Context(), &v); err != nil || v.N != i {
				t.Fatal(i, v, err)
			}
		}
		if st := conn.Stats(); st.Writes != round || st.Commands != round*40 || st.Replies != round*40 {
			t.Fatalf("round %d: %+v", round, st)
		}
	}
	if calls := conn.Start(); len(calls) != 0 || conn.Stats().Writes != 50 {
		t.Error("an empty batch was sent")
	}
}

func TestProtocolError(t *testing.T) {
	conn, p := newPeer(t)
	for body, want := range map[string]Error{
		`{"code":-32602,"message":"Invalid parameters","data":"url: string value expected"}`: {"A.b", -32602, "Invalid parameters", "url: string value expected"},
		`{"code":-32601,"message":"'A.b' wasn't found"}`:                                     {"A.b", -32601, "'A.b' wasn't found", ""},
		`{"code":1,"message":"m","data":{"k":[1]}}`:                                          {"A.b", 1, "m", `{"k":[1]}`},
	} {
		call := conn.Root().Start("A.b", nil)
		p.send(fmt.Sprintf(`{"id":%d,"error":%s}`, p.next()[0].ID, body))
		err := call.Wait(t.Context(), &struct{}{})
		var e *Error
		if !errors.As(err, &e) || *e != want {
			t.Errorf("%v, want %v", err, &want)
		}
		if errors.Is(err, ErrSessionGone) {
			t.Errorf("%v passes for a session gone", err)
		}
		if _, err2 := call.Result(); err2 != err {
			t.Error(err2)
		}
	}
	call := conn.Root().Start("A.b", nil)
	p.send(fmt.Sprintf(`{"id":%d,"error":{"code":"x"}}`, p.next()[0].ID))
	if err := call.Wait(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "A.b: error reply") {
		t.Error(err)
	}
	call = conn.Attach("S", nil, nil).Start("A.b", nil)
	p.send(fmt.Sprintf(`{"id":%d,"error":{"code":-32001,"message":"Session with given id not found."}}`, p.next()[0].ID))
	ended(t, ErrSessionGone, call)
}

// What cannot be sent says so at Wait; the rest of the batch is sent.
func TestUnsendable(t *testing.T) {
	conn, p := newPeer(t)
	other, _ := newPeer(t)
	gone := conn.Attach("S", nil, nil)
	gone.Detach()
	gone.Detach()
	calls := conn.Start(
		conn.Root().Command("A.bad", 1),
		gone.Command("A.gone", nil),
		other.Root().Command("A.other", nil),
		Command{},
		conn.Root().Command("A.good", nil),
	)
	if got := p.next(); len(got) != 1 || got[0].Method != "A.good" {
		t.Errorf("sent %+v", got)
	} else {
		p.send(got[0].reply(`{}`))
	}
	for i, want := range []string{"A.bad: encode params: int", "A.gone: cdp: session is gone", "another connection", "another connection"} {
		if err := calls[i].Wait(t.Context(), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v, want %s", i, err, want)
		}
	}
	ended(t, nil, calls[4])
}

func TestUndecodableResult(t *testing.T) {
	conn, p := newPeer(t)
	for _, result := range []string{`{"N":"text"}`, `{"N":x}`, `{"N"}`} {
		call := conn.Root().Start("A.b", nil)
		p.send(p.next()[0].reply(result))
		var v struct{ N int }
		if err := call.Wait(t.Context(), &v); err == nil || !strings.Contains(err.Error(), "A.b: decode result: ") {
			t.Errorf("%s: %v", result, err)
		}
		if raw, err := call.Result(); string(raw) != result || err != nil {
			t.Errorf("%s, %v", raw, err)
		}
	}
	var v struct{ N int }
	if err := (Event{Method: "A.c", Params: []byte(`{`)}).Decode(&v); err == nil || !strings.Contains(err.Error(), "A.c: decode params: ") {
		t.Error(err)
	}
}

func TestCancel(t *testing.T) {
	conn, p := newPeer(t)
	why := errors.New("a dialog opened")
	ctx, cancel := context.WithCancelCause(t.Context())
	call := conn.Root().Start("A.b", nil)
	late := p.next()[0]
	if _, err := call.Result(); err == nil {
		t.Error("a result before the reply")
	}
	if _, ok := call.Text(); ok {
		t.Error("a text before the reply")
	}
	cancel(why)
	err := call.Wait(ctx, nil)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, why) || !strings.HasPrefix(err.Error(), "A.b: ") {
		t.Errorf("ended with %v", err)
	}
	<-call.Done()
	ended(t, why, call) // and stays ended
	conn.mu.Lock()
	if len(conn.pending) != 0 {
		t.Error("the call is still remembered")
	}
	conn.mu.Unlock()

	// A context that has ended sends nothing.
	if err := conn.Root().Call(ctx, "A.c", nil, nil); !errors.Is(err, why) {
		t.Error(err)
	}
	// A late reply, and replies to nothing, are dropped.
	next := conn.Root().Start("A.d", nil)
	cmd := p.next()[0]
	if cmd.Method != "A.d" {
		t.Errorf("sent %s", cmd.Method)
	}
	p.send(late.reply(`{}`), `{"id":99999,"result":{}}`, cmd.reply(`{}`))
	ended(t, nil, next)
	// A call that has its reply returns it, whatever the context.
	if err := next.Wait(ctx, nil); err != nil {
		t.Error(err)
	}
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, _ := newPeer(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		err := conn.Root().Call(ctx, "A.b", nil, nil)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		conn.Close()
	})
}

// Calls and cancellations that race with their replies end either way.
func TestCancelRace(t *testing.T) {
	conn, p := newPeer(t)
	go func() {
		for {
			select {
			case b := <-p.batches:
				for _, c := range p.parse(b) {
					p.send(c.reply(`{}`))
				}
			case <-conn.Done():
				return
			}
		}
	}()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				ctx, cancel := context.WithCancel(t.Context())
				call := conn.Root().Start("A.b", nil)
				wg.Go(cancel)
				if err := call.Wait(ctx, nil); err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				<-call.Done()
			}
		})
	}
	wg.Wait()
	conn.mu.Lock()
	defer conn.mu.Unlock()
	if len(conn.pending) != 0 {
		t.Errorf("%d calls remembered", len(conn.pending))
	}
}

func TestDetach(t *testing.T) {
	conn, p := newPeer(t)
	var seen []string
	q := conn.NewQueue()
	record := func(e Event) { seen = append(seen, e.Session.ID()+" "+e.Method) }
	a, b := conn.Attach("A", q, record), conn.Attach("B", q, record)
	calls := conn.Start(a.Command("X.y", nil), b.Command("X.y", nil))
	cmds := p.next()
	p.send(event("A", "before", `{}`))
	waitFor(t, conn, func(s Stats) bool { return s.Events == 1 })
	a.Detach()
	ended(t, ErrSessionGone, calls[0])
	ended(t, ErrSessionGone, a.Start("X.z", nil))
	p.send(cmds[0].reply(`{}`), event("A", "after", `{}`), event("B", "alive", `{}`), cmds[1].reply(`{}`))
	ended(t, nil, calls[1]) // and seen is settled, by the order rule
	for _, s := range seen {
		if s != "A before" && s != "B alive" {
			t.Errorf("handled %q", s)
		}
	}
	if len(seen) == 0 || seen[len(seen)-1] != "B alive" {
		t.Errorf("handled %q", seen)
	}
	// The browser's own session stays.
	conn.Root().Detach()
	call := conn.Root().Start("X.y", nil)
	p.send(p.next()[0].reply(`{}`))
	ended(t, nil, call)
}

// Abort is for a crashed page: what was asked ends, what is asked next works.
func TestAbort(t *testing.T) {
	conn, p := newPeer(t)
	crashed := errors.New("page crashed")
	s := conn.Attach("S", conn.NewQueue(), func(e Event) { e.Session.Abort(crashed) })
	calls := conn.Start(s.Command("A.b", nil), s.Command("A.c", nil), conn.Root().Command("A.d", nil))
	cmds := p.next()
	p.send(event("S", "Inspector.targetCrashed", `{}`))
	ended(t, crashed, calls[0], calls[1])
	p.send(cmds[2].reply(`{}`), cmds[0].reply(`{}`))
	ended(t, nil, calls[2])
	again := s.Start("Page.reload", nil)
	p.send(p.next()[0].reply(`{}`))
	ended(t, nil, again)
}

func TestQueueClose(t *testing.T) {
	conn, p := newPeer(t)
	q := conn.NewQueue()
	s := conn.Attach("S", q, func(Event) { t.Error("handled after Close") })
	call := s.Start("A.b", nil)
	cmd := p.next()[0]
	q.Close()
	q.Close()
	p.send(event("S", "A.c", `{}`), cmd.reply(`{}`))
	ended(t, nil, call)
	after := s.Start("A.d", nil)
	p.send(p.next()[0].reply(`{}`))
	ended(t, nil, after)
	conn.Close()
	ended(t, ErrClosed, s.Start("A.e", nil))
	conn.NewQueue().Close()
}

// However a connection ends, every call ends with it, and the reason is told.
func TestEnds(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name string
		end  func(*Conn, *peer)
		is   error
		says string
	}{
		{"closed here", func(c *Conn, _ *peer) { c.Close() }, ErrClosed, "connection closed"},
		{"closed by the browser", func(_ *Conn, p *peer) { p.hangUp(nil) }, io.EOF, "connection closed: EOF"},
		{"cut off", func(_ *Conn, p *peer) { p.hangUp(io.ErrUnexpectedEOF) }, io.ErrUnexpectedEOF, "unexpected EOF"},
		{"read error", func(_ *Conn, p *peer) { p.hangUp(broken) }, broken, "broken"},
		{"write error", func(c *Conn, p *peer) {
			p.failWrites(broken)
			c.Root().Start("A.b", nil)
		}, broken, "write: broken"},
		{"no JSON", func(_ *Conn, p *peer) { p.send(`<html>`) }, ErrClosed, `malformed message "<html>"`},
		{"an empty message", func(_ *Conn, p *peer) { p.send(``) }, ErrClosed, `malformed message ""`},
		{"half a message", func(_ *Conn, p *peer) { p.send(`{"id":1,"result":{"a":`) }, ErrClosed, "malformed message"},
		{"a command", func(_ *Conn, p *peer) { p.send(`{"id":1,"method":"A.b"}`) }, ErrClosed, "a command"},
		{"a command not understood", func(_ *Conn, p *peer) {
			p.send(`{"error":{"code":-32700,"message":"JSON: string literal expected"}}`)
		}, ErrClosed, "could not read a command"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, p := newPeer(t)
			s := conn.Attach("S", conn.NewQueue(), nil)
			closed := conn.NewQueue()
			orphan := conn.Attach("T", closed, nil)
			calls := conn.Start(conn.Root().Command("A.b", nil), s.Command("A.b", nil), orphan.Command("A.b", nil))
			p.next()
			closed.Close()
			c.end(conn, p)
			<-conn.Done()
			for _, want := range []error{ErrClosed, c.is} {
				ended(t, want, calls...)
				if !errors.Is(conn.Err(), want) {
					t.Errorf("the connection ended with %v", conn.Err())
				}
			}
			if err := conn.Err(); !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
			before := conn.Err()
			for range 2 {
				if err := conn.Close(); err != nil {
					t.Error(err)
				}
			}
			if conn.Err() != before {
				t.Errorf("the reason changed to %v", conn.Err())
			}
			ended(t, ErrClosed, s.Start("A.c", nil))
			ended(t, ErrClosed, conn.Attach("U", conn.NewQueue(), nil).Start("A.c", nil))
			if err := s.Call(t.Context(), "A.c", nil, nil); !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		})
	}
}

// What came before the end is handled before the calls end.
func TestEndKeepsOrder(t *testing.T) {
	conn, p := newPeer(t)
	handled := 0
	s := conn.Attach("S", conn.NewQueue(), func(Event) { handled++ })
	calls := conn.Start(s.Command("A.b", nil), s.Command("A.c", nil))
	cmds := p.next()
	for range 1000 {
		p.send(event("S", "A.e", `{}`))
	}
	p.send(cmds[0].reply(`{}`))
	p.hangUp(nil)
	ended(t, ErrClosed, calls[1])
	ended(t, nil, calls[0])
	if handled != 1000 {
		t.Errorf("%d events handled, want 1000", handled)
	}
}

// Closing while everything is under way, from many sides at once.
func TestCloseHalfWay(t *testing.T) {
	for round := range 50 {
		conn, p := newPeer(t)
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := range 200 {
				p.send(event("S", "A.e", `{}`), fmt.Sprintf(`{"id":%d,"result":{}}`, i+1))
			}
		})
		s := conn.Attach("S", conn.NewQueue(), func(e Event) { e.Session.Start("A.h", nil) })
		for range 4 {
			wg.Go(func() {
				for range 50 {
					calls := conn.Start(s.Command("A.b", nil), s.Command("A.c", nil))
					for _, c := range calls {
						if err := c.Wait(t.Context(), nil); err != nil && !errors.Is(err, ErrClosed) && !errors.Is(err, ErrSessionGone) {
							t.Error(err)
						}
					}
				}
			})
		}
		wg.Go(func() {
			for range round {
				runtime.Gosched()
			}
			if round%2 == 0 {
				s.Detach()
			}
			conn.Close()
		})
		wg.Go(func() { conn.Close() })
		wg.Wait()
	}
}

// A large reply passes untouched: the result is a part of the message read.
func TestLargeReply(t *testing.T) {
	conn, p := newPeer(t)
	call := conn.Root().Start("Runtime.evaluate", nil)
	text := strings.Repeat(`words \"and\" \\ more `, 5<<20/20)
	msg := p.next()[0].reply(`{"result":{"type":"string","value":"` + text + `"}}`)
	p.send(msg)
	var v struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	if err := call.Wait(t.Context(), &v); err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text)
	if v.Result.Value != want {
		t.Error("came out wrong")
	}
	if got, ok := call.Text(); !ok || got != want {
		t.Error("came out wrong as Text")
	}
	if n := conn.Stats().BytesIn; n != int64(len(msg)) {
		t.Errorf("counted %d bytes of %d", n, len(msg))
	}
}
