package cdp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// The order rule under load: several queues with several sessions each, calls
// from many goroutines, and a browser that mixes events and replies at random.
// Each reply says how many events its queue had been sent before it; when the
// call returns, that many must have been handled, in order.
func TestOrder(t *testing.T) {
	const queues, perQueue, callers, calls = 4, 3, 4, 100
	conn, p := newPeer(t)

	type tab struct {
		handled  atomic.Int64
		sessions []*Session
	}
	tabs := make(map[string]*tab) // by the first letter of the session id
	for q := range queues {
		tb := &tab{}
		queue := conn.NewQueue()
		for s := range perQueue {
			id := fmt.Sprintf("%c%d", 'a'+q, s)
			tb.sessions = append(tb.sessions, conn.Attach(id, queue, func(e Event) {
				var v struct{ N int64 }
				if err := e.Decode(&v); err != nil {
					t.Error(err)
				}
				if e.Session.ID() != id {
					t.Errorf("event of %s handled for %s", e.Session.ID(), id)
				}
				if got := tb.handled.Add(1); got != v.N {
					t.Errorf("queue %c: event %d handled as number %d", id[0], v.N, got)
				}
			}))
		}
		tabs[string(rune('a'+q))] = tb
	}

	stop := make(chan struct{})
	var browser sync.WaitGroup
	browser.Go(func() {
		rnd := rand.New(rand.NewPCG(7, 7))
		sent := make(map[string]int64)
		var open []command
		for {
			select {
			case batch := <-p.batches:
				open = append(open, p.parse(batch)...)
			case <-stop:
				return
			}
			for len(open) > 0 && (len(open) > 20 || len(p.batches) == 0) {
				for range rnd.IntN(8) {
					q := string(rune('a' + rnd.IntN(queues)))
					sent[q]++
					p.send(event(fmt.Sprintf("%s%d", q, rnd.IntN(perQueue)), "Test.event", fmt.Sprintf(`{"N":%d}`, sent[q])))
				}
				i := rnd.IntN(len(open))
				cmd := open[i]
				open = append(open[:i], open[i+1:]...)
				result := fmt.Sprintf(`{"Before":%d}`, sent[cmd.Session[:1]])
				if rnd.IntN(2) == 0 { // another shape goes another way
					p.send(fmt.Sprintf(`{"sessionId":%q, "result":%s, "id":%d}`, cmd.Session, result, cmd.ID))
				} else {
					p.send(cmd.reply(result))
				}
			}
		}
	})

	var work sync.WaitGroup
	for _, tb := range tabs {
		for i := range callers {
			work.Go(func() {
				for n := range calls {
					s := tb.sessions[(i+n)%perQueue]
					var v struct{ Before int64 }
					if err := s.Call(t.Context(), "Test.call", nil, &v); err != nil {
						t.Error(err)
						return
					}
					if got := tb.handled.Load(); got < v.Before {
						t.Errorf("call returned after %d events, %d were sent before its reply", got, v.Before)
					}
				}
			})
		}
	}
	work.Wait()
	close(stop)
	browser.Wait()

	st := conn.Stats()
	if want := int64(queues * callers * calls); st.Commands != want || st.Replies != want || st.Writes > want {
		t.Errorf("%+v, want %d commands and replies", st, want)
	}
}

// A queue that is held up by its handler holds up no other, nor the reader.
func TestSlowHandler(t *testing.T) {
	conn, p := newPeer(t)
	enter, leave := make(chan struct{}), make(chan struct{})
	slow := conn.Attach("slow", conn.NewQueue(), func(Event) {
		enter <- struct{}{}
		<-leave
	})
	quick := conn.Attach("quick", conn.NewQueue(), nil)

	p.send(event("slow", "Test.event", `{}`))
	<-enter
	for range 1000 {
		p.send(event("quick", "Test.event", `{}`))
	}
	calls := conn.Start(slow.Command("A.b", nil), quick.Command("A.b", nil))
	for _, c := range p.next() {
		p.send(c.reply(`{}`))
	}
	ended(t, nil, calls[1])
	select {
	case <-calls[0].Done():
		t.Error("the call overtook the event before its reply")
	default:
	}
	close(leave)
	ended(t, nil, calls[0])
}

// Events that are read before Attach is called are kept, and stay in order
// with those that come after it.
func TestAttachLosesNothing(t *testing.T) {
	conn, p := newPeer(t)
	var mu sync.Mutex
	var got []string
	all := make(chan struct{})
	attaching, read := make(chan struct{}), make(chan struct{})
	conn.Root().OnEvent(func(e Event) {
		if e.Method != "Target.attachedToTarget" {
			return
		}
		close(attaching)
		<-read // the browser's next messages have been read by now
		conn.Attach("S", conn.NewQueue(), func(e Event) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, e.Method)
			if e.Method == "last" {
				close(all)
			}
		})
	})
	p.send(event("", "Target.attachedToTarget", `{"sessionId":"S","targetInfo":{},"waitingForDebugger":true}`))
	p.send(event("stranger", "never", `{}`))
	p.send(event("S", "first", `{}`), event("S", "second", `{}`))
	<-attaching
	waitFor(t, conn, func(s Stats) bool { return s.Events == 4 })
	// Another message has been read after the four, so they have been routed.
	done := conn.Attach("sync", conn.NewQueue(), nil).Start("A.b", nil)
	p.send(p.next()[0].reply(`{}`))
	ended(t, nil, done)
	close(read)
	p.send(event("S", "third", `{}`), event("S", "last", `{}`))
	<-all
	mu.Lock()
	defer mu.Unlock()
	if s := strings.Join(got, " "); s != "first second third last" {
		t.Errorf("handled %s", s)
	}
}

// A session that comes and goes before anyone attaches leaves nothing behind.
func TestUnclaimedIsDropped(t *testing.T) {
	conn, p := newPeer(t)
	p.send(
		event("", "Target.attachedToTarget", `{"sessionId":"S"}`),
		event("S", "A.b", `{}`),
		event("", "Target.detachedFromTarget", `{"sessionId":"S"}`),
		event("", "Target.attachedToTarget", `{"sessionId":7}`),
		event("", "Target.attachedToTarget", `{}`),
	)
	call := conn.Root().Start("A.b", nil)
	p.send(p.next()[0].reply(`{}`))
	ended(t, nil, call)
	conn.mu.Lock()
	defer conn.mu.Unlock()
	if n := len(conn.unclaimed); n != 0 {
		t.Errorf("%d sessions kept", n)
	}
}

// A handler may start commands, attach and detach, set handlers, close its
// queue, and close the connection.
func TestHandlerMayDoAnythingButWait(t *testing.T) {
	conn, p := newPeer(t)
	started := make(chan *Pending, 1)
	conn.Root().OnEvent(func(e Event) {
		q := conn.NewQueue()
		s := conn.Attach("S", q, nil)
		started <- s.Start("A.b", nil)
		s.Detach()
		q.Close()
		e.Session.OnEvent(func(Event) { conn.Close() })
	})
	p.send(event("", "go", `{}`), event("", "go", `{}`))
	ended(t, ErrSessionGone, <-started)
	<-conn.Done()
}

// Waiting for one's own queue is a mistake that ends with the context.
func TestWaitInHandlerEndsWithContext(t *testing.T) {
	conn, p := newPeer(t)
	got := make(chan error)
	conn.Root().OnEvent(func(e Event) {
		ctx, cancel := context.WithCancel(t.Context())
		call := e.Session.Start("A.b", nil)
		p.send(p.next()[0].reply(`{}`))
		waitFor(t, conn, func(s Stats) bool { return s.Replies == 1 })
		cancel()
		got <- call.Wait(ctx, nil)
	})
	p.send(event("", "go", `{}`))
	if err := <-got; err == nil {
		t.Error("waited on its own queue and got an answer")
	}
}
