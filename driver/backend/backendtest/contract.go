package backendtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"rove/driver/backend"
	"rove/internal/wire"
)

// tab opens a tab of its own, as the driver does not: what follows is asked of the
// backend itself.
func (s *suite) tab(path string) backend.Tab {
	s.Helper()
	t, err := s.d.BrowserContext().NewTab(s.ctx)
	s.must(err)
	_, err = t.Navigate(s.ctx, s.url+path, backend.NavigateOptions{})
	s.must(err)
	return t
}

// bigAnswers come whole, from either world.
func bigAnswers(s *suite) {
	t := s.tab("/")
	const size = 1 << 20
	b, err := t.Eval(s.ctx, "", "'ä'.repeat("+strconv.Itoa(size)+")")
	s.must(err)
	var text string
	s.must(wire.Unmarshal(b, &text)) // which characters are written as what, is open
	s.same("bytes", len(text), 2*size)
	s.must(t.Close(s.ctx))
}

// twoTabs are asked at once: none gets the other's answers, none waits for the other's
// script where tabs do not share a turn.
func twoTabs(s *suite) {
	tabs := []backend.Tab{s.tab("/"), s.tab("/second")}
	var wait sync.WaitGroup
	for i, t := range tabs {
		wait.Go(func() {
			for n := range 10 {
				b, err := t.Eval(s.ctx, "", "new Promise(done => setTimeout(() => done(document.title + "+strconv.Itoa(n)+"), 5))")
				if want := strconv.Quote([]string{"Home", "Second"}[i] + strconv.Itoa(n)); err != nil || string(b) != want {
					s.Errorf("%s: %v, want %s", b, err, want)
				}
			}
		})
	}
	wait.Wait()
	s.same("tabs", len(s.d.BrowserContext().Tabs()) >= 3, true)
	for _, t := range tabs {
		s.must(t.Close(s.ctx))
		if t.Err() == nil {
			s.Error("a tab that was closed does not say so")
		}
		if _, err := t.Eval(s.ctx, "", "1"); backend.KindOf(err) != backend.KindClosed {
			s.Errorf("asked of a tab that is closed: %v", err)
		}
	}
}

// hangs: a call whose time is up ends, and the tab goes on.
func hangs(s *suite) {
	t := s.tab("/")
	ctx, cancel := context.WithTimeout(s.ctx, 300*time.Millisecond)
	defer cancel()
	if _, err := t.Eval(ctx, "", "new Promise(() => {})"); !errors.Is(err, context.DeadlineExceeded) {
		s.Errorf("a promise that is never kept: %v", err)
	}
	b, err := t.Eval(s.ctx, "", "6*7")
	s.must(err)
	s.same("afterwards", string(b), "42")
	s.must(t.Close(s.ctx))
}

// uploads: a file input gets files, and the page is told.
func uploads(s *suite) {
	path := filepath.Join(s.TempDir(), "notes.txt")
	s.must(os.WriteFile(path, []byte("some notes"), 0o600))
	s.js("document.body.innerHTML = '<input type=file id=file onchange=\"this.files[0].text().then(t => document.title = this.files[0].name + t)\">'")
	_, err := s.d.InputFile(s.ctx, "#file", path)
	s.must(err)
	s.must(s.d.WaitUntil(s.ctx, "document.title == 'notes.txtsome notes'"))
}

// order: what a page does is told in order, and before the answer to the call that had it
// done, where anything is told at all.
func order(s *suite) {
	t := s.tab("/")
	var mu sync.Mutex
	var told []string
	stop := t.Watch(func(ev backend.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e, ok := ev.(backend.URLChanged); ok && e.Main {
			_, hash, _ := strings.Cut(e.URL, "#")
			told = append(told, hash)
		}
	})
	for _, hash := range []string{"a", "b", "c"} {
		_, err := t.Eval(s.ctx, "", "void (location.hash = '"+hash+"')")
		s.must(err)
	}
	_, err := t.Eval(s.ctx, "", "new Promise(done => setTimeout(done, 50))")
	s.must(err)
	stop()
	mu.Lock()
	s.same("told", strings.Join(told, ""), "abc")
	mu.Unlock()
	s.must(t.Close(s.ctx))
}
