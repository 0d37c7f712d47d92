package backendtest

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
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

// current is the tab that the driver is at.
func (s *suite) current() backend.Tab {
	list := s.d.BrowserContext().Tabs()
	return list[len(list)-1]
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
	_, err = t.Eval(s.ctx, "", "void (document.body.innerHTML = '<button>A button among many</button>'.repeat(5000))")
	s.must(err)
	results, err := t.Call(s.ctx, backend.Call{Frame: t.Frames()[0].ID, Func: "look", Arg: map[string]any{"next": 1}})
	s.must(err)
	s.must(results[0].Err)
	s.same("buttons", strings.Count(results[0].Value, "A button among many"), 5000)
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

// held serves a page that is asked for and does not come until it is let go.
func (s *suite) held() (url string, asked <-chan struct{}, letGo func()) {
	s.Helper()
	began, free := make(chan struct{}), make(chan struct{})
	var once, freed sync.Once
	letGo = func() { freed.Do(func() { close(free) }) }
	url = testkit.Serve(s.T, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		once.Do(func() { close(began) })
		select {
		case <-free:
		case <-r.Context().Done():
		}
	}})
	s.Cleanup(letGo)
	return url, began, letGo
}

// hangs: a call whose time is up ends, though the page does nothing but work, and the
// tab goes on when the page does. Another tab does not wait for that.
func hangs(s *suite) {
	t, other := s.tab("/"), s.tab("/second")
	url, _, letGo := s.held()
	for _, script := range []string{
		"new Promise(() => {})",
		"(x => (x.open('GET', '" + url + "', false), x.send(), 1))(new XMLHttpRequest())",
	} {
		ctx, cancel := context.WithTimeout(s.ctx, 500*time.Millisecond)
		_, err := t.Eval(ctx, "", script)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			s.Errorf("%s: %v", script, err)
		}
	}
	if slices.Contains(s.list, backend.CanAtOnce) {
		b, err := other.Eval(s.ctx, "", "document.title")
		s.must(err)
		s.same("the other", string(b), `"Second"`)
	}
	letGo()
	b, err := t.Eval(s.ctx, "", "6*7")
	s.must(err)
	s.same("afterwards", string(b), "42")
	s.must(t.Close(s.ctx))
	s.must(other.Close(s.ctx))
}

// cancels: a call that is given up while it is under way ends, and the tab goes on.
func cancels(s *suite) {
	t := s.tab("/")
	for _, call := range []func(ctx context.Context, url string) error{
		func(ctx context.Context, url string) error {
			_, err := t.Eval(ctx, "", "fetch('"+url+"').then(() => 1)")
			return err
		},
		func(ctx context.Context, url string) error {
			_, err := t.Navigate(ctx, url, backend.NavigateOptions{})
			return err
		},
	} {
		url, asked, letGo := s.held()
		ctx, cancel := context.WithCancel(s.ctx)
		done := make(chan error, 1)
		go func() { done <- call(ctx, url) }()
		select {
		case <-asked:
		case err := <-done:
			s.Fatalf("it ended before it was given up: %v", err)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			s.Errorf("given up: %v", err)
		}
		letGo()
		b, err := t.Eval(s.ctx, "", "6*7")
		if backend.KindOf(err) == backend.KindNavigated { // what was asked for has come after all
			b, err = t.Eval(s.ctx, "", "6*7")
		}
		s.must(err)
		s.same("afterwards", string(b), "42")
	}
	s.must(t.Close(s.ctx))
}

// carrying: what is pressed, carried and let go of in calls of their own is let go of each time, however soon after the last.
func carrying(s *suite) {
	t := s.tab("/second")
	_, err := t.Eval(s.ctx, "", "told = '', addEventListener('mousedown', () => told += 'down '), addEventListener('mouseup', () => told += 'up '), 1")
	s.must(err)
	for range 3 {
		at := backend.Mouse{Kind: backend.MouseMove, X: 30, Y: 120}
		down := backend.Mouse{Kind: backend.MouseDown, X: 30, Y: 120, Button: backend.LeftButton, Clicks: 1}
		over := backend.Mouse{Kind: backend.MouseMove, X: 90, Y: 150, Button: backend.LeftButton}
		s.must(t.Input(s.ctx, at, down))
		s.must(t.Input(s.ctx, over))
		s.must(t.Input(s.ctx, backend.Mouse{Kind: backend.MouseUp, X: 90, Y: 150, Button: backend.LeftButton, Clicks: 1}))
	}
	b, err := t.Eval(s.ctx, "", "told")
	s.must(err)
	s.same("told", string(b), `"down up down up down up "`)
	s.must(t.Close(s.ctx))
}

// keys: who gives up in the middle of what is typed leaves no half word behind.
func keys(s *suite) {
	t := s.tab("/")
	url, asked, letGo := s.held()
	_, err := t.Eval(s.ctx, "", "field.addEventListener('keydown', () => { const x = new XMLHttpRequest(); x.open('GET', '"+url+"', false); x.send() }, {once: true}), field.focus(), 1")
	s.must(err)
	var events []backend.Input
	for _, r := range "some words" {
		key := backend.Key{Key: string(r), Code: "Key" + strings.ToUpper(string(r)), Text: string(r)}
		if r == ' ' {
			key.Code = "Space"
		}
		down := key
		down.Down, key.Text = true, ""
		events = append(events, down, key)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	done := make(chan error, 1)
	go func() { done <- t.Input(ctx, events...) }()
	select {
	case <-asked:
	case err := <-done:
		s.Fatalf("it ended before the page had handled it: %v", err)
	}
	cancel()
	letGo()
	<-done
	testkit.Eventually(s.T, "all is typed", func() bool {
		b, err := t.Eval(s.ctx, "", "field.value")
		return err == nil && string(b) == `"some words"`
	})
	s.must(t.Close(s.ctx))
}

// crashes: a page whose process ends says so to those who wait and to those who ask, tells
// it, and comes back with the next address where it can. Other tabs go on.
func crashes(crash func(context.Context, backend.Tab) error) func(*suite) {
	return func(s *suite) {
		if crash == nil {
			s.Skip("nothing ends the process of a page here")
		}
		t := s.tab("/")
		told := make(chan struct{})
		var once sync.Once
		stop := t.Watch(func(ev backend.Event) {
			if _, ok := ev.(backend.Crashed); ok {
				once.Do(func() { close(told) })
			}
		})
		defer stop()
		waits := make(chan error, 1)
		go func() {
			_, err := t.Eval(s.ctx, "", "new Promise(() => {})")
			waits <- err
		}()
		s.must(crash(s.ctx, t))
		s.kind("who waits", <-waits, backend.KindCrashed)
		select {
		case <-told:
		case <-s.ctx.Done():
			s.Fatal("it is not told")
		}
		_, err := t.Eval(s.ctx, "", "1")
		s.kind("who asks", err, backend.KindCrashed)
		if _, err = t.Navigate(s.ctx, s.url+"/second", backend.NavigateOptions{}); slices.Contains(s.list, backend.CanRevive) {
			s.must(err)
			b, err := t.Eval(s.ctx, "", "document.title")
			s.must(err)
			s.same("afterwards", string(b), `"Second"`)
		} else {
			s.kind("what does not come back", err, backend.KindCrashed)
		}
		s.same("another tab", s.js("document.title"), "Home")
		s.must(t.Close(s.ctx))
	}
}

// choosers: a file chooser that a page opens is told, and takes files, instead of those that
// were chosen before.
func choosers(s *suite) {
	dir := s.TempDir()
	t := s.current()
	opened := make(chan backend.Chooser, 1)
	stop := t.Watch(func(ev backend.Event) {
		if e, ok := ev.(backend.ChooserOpened); ok {
			opened <- e.Chooser
		}
	})
	defer stop()
	s.js("document.body.innerHTML = `<input type=file multiple id=file hidden oncancel=\"document.title = 'cancelled'\" onchange=\"" + chosen + "\"><button id=choose onclick=\"file.click()\">Choose</button>`, 1")
	for _, name := range []string{"notes", "more"} {
		path := filepath.Join(dir, name)
		s.must(os.WriteFile(path, []byte("some "+name), 0o600))
		_, err := s.d.Click(s.ctx, "#choose")
		s.must(err)
		select {
		case c := <-opened:
			s.same("several", c.Multiple, true)
		case <-s.ctx.Done():
			s.Fatal("it is not told")
		}
		s.same("it is open", t.Chooser() != nil, true)
		s.same("the page hears nothing of it", s.js("document.title") != "cancelled", true)
		s.must(t.AnswerChooser(s.ctx, []string{path}))
		s.must(s.d.WaitUntil(s.ctx, "document.title == '"+name+": some "+name+"'"))
		s.same("it is closed", t.Chooser() == nil, true)
	}
}

// chosen shows the files of a field, as the title.
const chosen = `Promise.all([...this.files].map(f => f.text().then(t => f.name + ': ' + t))).then(all => document.title = all.join())`

// downloads: a file comes to where it is wanted and is told; without a place it does not
// come, and is told as well.
func downloads(s *suite) {
	address := testkit.Serve(s.T, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Files</title><a id=get href="/file">Get</a>`),
		"/file": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
			_, _ = w.Write([]byte("a,b\n"))
		},
	})
	for _, dir := range []string{s.TempDir(), ""} {
		d := s.openIn(backend.ContextOptions{Downloads: dir})
		s.must(d.SetURL(s.ctx, address))
		under := map[backend.FrameID]bool{} // navigations that nobody has told the end of
		var mu sync.Mutex
		stop := d.BrowserContext().Tabs()[0].Watch(func(ev backend.Event) {
			mu.Lock()
			defer mu.Unlock()
			switch e := ev.(type) {
			case backend.NavigationStarted:
				under[e.Frame] = true
			case backend.NavigationStopped:
				delete(under, e.Frame)
			}
		})
		_, err := d.Click(s.ctx, "#get")
		stop()
		s.must(err)
		mu.Lock()
		s.same("navigations that go on, for an action to wait for", len(under), 0)
		mu.Unlock()
		s.must(d.WaitDownloads(s.ctx, func(list []driver.Download) bool { return len(list) == 1 && !list[0].Open }))
		file := d.Downloads()[0]
		s.same("its name", file.Name, "report.csv")
		s.same("its address", file.URL, address+"/file")
		s.same("it failed", file.Failed, dir == "")
		if dir != "" {
			s.same("its folder", filepath.Dir(file.Path), dir)
			text, err := os.ReadFile(file.Path)
			s.must(err)
			s.same("its content", string(text), "a,b\n")
			if info, err := os.Stat(file.Path); runtime.GOOS != "windows" && err == nil {
				s.same("who may read it", info.Mode().Perm(), os.FileMode(0o600))
			}
		}
		s.same("the page stays", d.URL(), address+"/")
	}
}

// uploads: a file input gets files, instead of those that it had, and the page is told.
func uploads(s *suite) {
	dir := s.TempDir()
	s.js("document.body.innerHTML = `<input type=file multiple id=file onchange=\"" + chosen + "\">`, 1")
	for _, names := range [][]string{{"notes"}, {"one", "two"}, {"more"}} {
		var paths, want []string
		for _, name := range names {
			paths, want = append(paths, filepath.Join(dir, name)), append(want, name+": some "+name)
			s.must(os.WriteFile(paths[len(paths)-1], []byte("some "+name), 0o600))
		}
		_, err := s.d.InputFile(s.ctx, "#file", paths...)
		s.must(err)
		s.must(s.d.WaitUntil(s.ctx, "document.title == '"+strings.Join(want, ",")+"'"))
	}
}

// order: what a page does is told in order, and before the answer to the call that had it
// done, where anything is told at all.
func order(s *suite) {
	t := s.tab("/second")
	var mu sync.Mutex
	var told []string
	document := ""
	stop := t.Watch(func(ev backend.Event) {
		mu.Lock()
		defer mu.Unlock()
		switch e := ev.(type) {
		case backend.URLChanged:
			if _, hash, _ := strings.Cut(e.URL, "#"); e.Main {
				told = append(told, hash)
			}
		case backend.FrameNavigated:
			if e.Main {
				told, document = append(told, "new "), e.Document
			}
		case backend.Loaded:
			if e.Main && e.Document == document {
				told = append(told, "loaded ")
			}
		}
	})
	nav, err := t.Navigate(s.ctx, s.url, backend.NavigateOptions{})
	s.must(err)
	mu.Lock()
	s.same("told before the answer", strings.Join(told, ""), "new loaded ")
	s.same("the document", nav.Document, document)
	told = nil
	mu.Unlock()
	for _, hash := range []string{"a", "b", "c"} {
		_, err := t.Eval(s.ctx, "", "void (location.hash = '"+hash+"')")
		s.must(err)
	}
	_, err = t.Eval(s.ctx, "", "new Promise(done => setTimeout(done, 50))")
	s.must(err)
	stop()
	mu.Lock()
	s.same("told", strings.Join(told, ""), "abc")
	mu.Unlock()
	s.must(t.Close(s.ctx))
}
