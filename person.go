package rove

import (
	"context"
	"strings"
	"sync"
	"time"

	"rove/aria"
	"rove/driver"
	"rove/recording"
)

// personQuiet is for how long nothing is done before a page counts as the outcome.
const personQuiet = 400 * time.Millisecond

// Watch records what a person does in the session's tab, beginning with the page
// that is open, until the context ends. tell is told of each step; nil keeps silent.
// What is pointed at with Alt and a click must be there in what is derived.
func (s *Session) Watch(ctx context.Context, tell func(recording.Step)) error {
	w := &watching{session: s, tell: tell}
	tab := s.driver.Tab()
	w.tree, _ = tab.Snapshot(ctx, driver.SnapshotOptions{})
	did := make(chan driver.PersonAction, 64)
	var over sync.WaitGroup
	over.Go(func() {
		_ = tab.WatchPerson(ctx, func(d driver.PersonAction) {
			select {
			case did <- d:
			case <-ctx.Done():
			}
		})
	})
	defer over.Wait()
	for {
		select {
		case d := <-did:
			w.add(d)
		case <-time.After(personQuiet):
			w.settle(ctx)
		case <-ctx.Done():
			for len(did) > 0 {
				w.add(<-did)
			}
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
			w.settle(last)
			cancel()
			return nil
		}
	}
}

type watching struct {
	session *Session
	tell    func(recording.Step)
	tree    *aria.Tree
	pending []recording.Step
	seen    int // requests that were told
}

func (w *watching) add(d driver.PersonAction) {
	s := w.session
	s.histMu.Lock()
	s.histories++
	n := s.histories
	s.histMu.Unlock()
	st := recording.Step{N: n, Time: time.Now(), Verb: "act", Ref: "person", Op: d.Op, Value: d.Value, OK: true, Who: d.Who, Effect: &recording.Effect{Changed: true}}
	if d.Who.Secret {
		st.Value, st.Param = mask, "password"
	}
	s.recorder.enter(&st) // what the field had before is not known: it is emptied first when this is done again
	w.pending = append(w.pending, st)
}

// typedAddress is a script that says whether somebody came to a page by the window and not by
// a page: by its address, or back and forth.
const typedAddress = `(function(){var n=performance.getEntriesByType('navigation')[0];return !!n&&(n.type=='back_forward'||n.type=='navigate'&&document.referrer=='')})()`

// recordNavigation records that a person went to another page by its address.
func (w *watching) recordNavigation(ctx context.Context) {
	s, tab := w.session, w.session.driver.Tab()
	at := tab.URL()
	if w.tree == nil || withoutHash(at) == withoutHash(w.tree.URL) || !strings.HasPrefix(at, "http") {
		return
	}
	_ = tab.WaitIdle(ctx)
	tree, err := tab.Snapshot(ctx, driver.SnapshotOptions{})
	typed, e := tab.Script(ctx, typedAddress)
	if err != nil || e != nil || withoutHash(tree.URL) != withoutHash(at) {
		return
	}
	cleanTree(s.out, tree)
	if w.tree = tree; typed != "true" {
		return
	}
	s.histMu.Lock()
	s.histories++
	st := recording.Step{N: s.histories, Time: time.Now(), Verb: "go", Value: at, OK: true, Page: pageOf(nil, tree, at, s.recorder.entered)}
	s.histMu.Unlock()
	w.keep(st)
}

func withoutHash(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

// keep records a step, and tells of it.
func (w *watching) keep(st recording.Step) {
	s := w.session
	cleanResult(s.out, &st)
	s.recorder.clean(&st)
	s.recorder.ring.Add(st)
	if w.tell != nil {
		w.tell(st)
	}
}

// settle ends the steps that are pending: what the page is now is what they led to.
func (w *watching) settle(ctx context.Context) {
	s := w.session
	if len(w.pending) == 0 {
		w.recordNavigation(ctx)
		return
	}
	tab := s.driver.Tab()
	_ = tab.WaitIdle(ctx)
	tree, err := tab.Snapshot(ctx, driver.SnapshotOptions{})
	last := &w.pending[len(w.pending)-1]
	if err == nil {
		cleanTree(s.out, tree)
		last.Page = pageOf(w.tree, tree, tab.URL(), s.recorder.entered)
		last.Effect.Navigated = w.tree != nil && !strings.EqualFold(w.tree.URL, tree.URL)
		w.tree = tree
	}
	if s.network != nil {
		if all, err := s.network.Requests(RequestFilter{}); err == nil {
			for _, q := range all.Requests {
				if q.Number > w.seen && (recording.Writing(q.Method) || q.Type == "fetch" || q.Type == "xhr") && len(last.Effect.Requests) < mostWrites {
					last.Effect.Requests = append(last.Effect.Requests, recording.Request{Method: q.Method, URL: q.URL, Status: q.Status, Type: q.Type})
				}
				w.seen = max(w.seen, q.Number)
			}
		}
	}
	for _, st := range w.pending {
		w.keep(st)
	}
	w.pending = nil
}
