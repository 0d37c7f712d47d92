package backendtest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"rove/driver/backend"
	"rove/internal/testkit"
	"rove/internal/wire"
)

// nodes: elements go between the page's world and the page script's by numbers that stay
// theirs, and are refused when they are gone.
func nodes(s *suite) {
	t := s.tab("/")
	refs, free, err := t.Refer(s.ctx, "", nil, "() => document.querySelectorAll('button')", 5)
	s.must(err)
	s.same("refs", refs, []int{5, 6, 7})
	s.same("the next", free, 8)
	again, free, err := t.Refer(s.ctx, "", refs[:1], "(b) => [b, document.body]", free)
	s.must(err)
	s.same("once more, and another", again, []int{5, 8})
	s.same("the next", free, 9)
	none, _, err := t.Refer(s.ctx, "", nil, "() => null", free)
	s.must(err)
	s.same("nothing", len(none), 0)
	ids, err := t.EvalOn(s.ctx, backend.Function{Refs: []int{7, 5}, Text: "async (a, b) => ({a: a.id, b: b.id})"})
	s.must(err)
	s.same("their ids", string(ids), `{"a":"off","b":"press"}`)
	_, err = t.EvalOn(s.ctx, backend.Function{Refs: refs[:1], Text: "(b) => b.nothing.there"})
	s.kind("what throws", err, backend.KindScript)
	_, err = t.EvalOn(s.ctx, backend.Function{Refs: refs[:1], Text: "(b) => b.remove()"})
	s.must(err)
	_, err = t.Navigate(s.ctx, s.url+"/second", backend.NavigateOptions{})
	s.must(err)
	_, err = t.EvalOn(s.ctx, backend.Function{Refs: refs[1:], Text: "(...list) => list.length"})
	s.kind("elements of the page before", err, backend.KindNavigated)
	_, err = t.Call(s.ctx, backend.Call{Func: "no such(", Arg: 1})
	s.must(err)
	s.must(t.Close(s.ctx))
}

// worlds: the page script is called in one write for many, keeps what it knows from call
// to call, is not known to the page by its name, and begins anew with a document.
func worlds(s *suite) {
	t := s.tab("/")
	frames := s.framed(t, 2)
	results, err := t.Call(s.ctx, backend.Call{Frame: frames[0].ID, Func: "look", Arg: map[string]any{"next": 1}},
		backend.Call{Frame: frames[1].ID, Func: "look", Arg: map[string]any{"next": 100}}, backend.Call{Frame: "nobody", Func: "look"})
	s.must(err)
	s.has(results[0].Value, "Press")
	s.has(results[1].Value, "inside")
	s.kind("a frame that there is none of", results[2].Err, backend.KindNavigated)
	b, err := t.Eval(s.ctx, "", "typeof rove")
	s.must(err)
	s.same("the page sees", string(b), `"undefined"`)
	_, err = t.Navigate(s.ctx, s.url+"/second", backend.NavigateOptions{})
	s.must(err)
	results, err = t.Call(s.ctx, backend.Call{Frame: frames[0].ID, Func: "look", Arg: map[string]any{"next": 1}})
	s.must(err)
	s.must(results[0].Err)
	s.has(results[0].Value, "Second")
	s.must(t.Close(s.ctx))
}

// unseen: a page cannot see the page script, nor keep it from its work by what it does to
// its own world.
func unseen(s *suite) {
	t := s.tab("/")
	b, err := t.Eval(s.ctx, "", "(window.names = Object.getOwnPropertyNames(window), document.querySelectorAll = document.createTreeWalker = () => { throw 1 }, JSON.stringify = () => 'x', 1)")
	s.must(err)
	s.same("made", string(b), "1")
	results, err := t.Call(s.ctx, backend.Call{Frame: t.Frames()[0].ID, Func: "look", Arg: map[string]any{"next": 1}})
	s.must(err)
	s.must(results[0].Err)
	s.has(results[0].Value, "Press")
	b, err = t.Eval(s.ctx, "", "Object.getOwnPropertyNames(window).filter(n => n != 'names' && !names.includes(n)).join()")
	s.must(err)
	s.same("new names", string(b), `""`)
	s.must(t.Close(s.ctx))
}

// roots: what is in a closed shadow root is seen.
func roots(s *suite) {
	s.js("document.body.innerHTML = '<div id=host></div>', host.attachShadow({mode: 'closed'}).innerHTML = '<button>Within</button>', 1")
	tree, err := s.d.AriaTree(s.ctx)
	s.must(err)
	s.has(tree, "Within")
}

// listened: what only a listener makes clickable gets a ref.
func listened(s *suite) {
	s.js("document.body.innerHTML = '<div id=thing>Thing</div>', thing.addEventListener('click', () => document.title = 'heard'), 1")
	tree, err := s.d.AriaTree(s.ctx)
	s.must(err)
	_, rest, found := strings.Cut(tree, `"Thing" [ref=`)
	if !found {
		s.Fatalf("it has no ref:\n%s", tree)
	}
	ref, _, _ := strings.Cut(rest, "]")
	_, err = s.d.Click(s.ctx, "ref:"+ref)
	s.must(err)
	s.same("clicked", s.js("document.title"), "heard")
}

// owners: frames in frames are listed parents first, each with a number of its own by
// which the page script of its parent knows its element; one that is gone is not listed.
func owners(s *suite) {
	there := strings.Replace(s.url, "127.0.0.1", "localhost", 1)
	outer := testkit.Serve(s.T, map[string]http.HandlerFunc{
		"/":       testkit.Page(`<title>Nest</title><p>Around</p><iframe id=outer src="/middle"></iframe>`),
		"/middle": testkit.Page(`<p>Middle</p><iframe src="` + there + `/frame"></iframe>`),
	})
	t := s.tab("/second")
	var mu sync.Mutex
	removed := map[backend.FrameID]bool{}
	stop := t.Watch(func(ev backend.Event) {
		if e, ok := ev.(backend.FrameRemoved); ok {
			mu.Lock()
			removed[e.Frame] = true
			mu.Unlock()
		}
	})
	defer stop()
	_, err := t.Navigate(s.ctx, outer, backend.NavigateOptions{})
	s.must(err)
	frames := s.framed(t, 3)
	for i, f := range frames {
		if i > 0 && (f.Owner == 0 || f.Parent != frames[i-1].ID) {
			s.Errorf("frame %d is %+v, after %+v", i, f, frames[i-1])
		}
	}
	s.same("owners differ", frames[1].Owner != frames[2].Owner, true)
	for i, want := range []string{"Around", "Middle", "inside"} {
		var text string
		b, err := t.Eval(s.ctx, frames[i].ID, "document.querySelector('p').textContent")
		s.must(err)
		s.must(wire.Unmarshal(b, &text))
		s.same("the text of a frame", text, want)
	}
	results, err := t.Call(s.ctx, backend.Call{Frame: frames[0].ID, Func: "look", Arg: map[string]any{"next": 1}}, backend.Call{Frame: frames[1].ID, Func: "look", Arg: map[string]any{"next": 9}})
	s.must(err)
	for i := range 2 {
		s.must(results[i].Err)
		s.has(results[i].Value, "f="+strconv.Itoa(frames[i+1].Owner))
	}
	_, err = t.Eval(s.ctx, "", "document.getElementById('outer').remove()")
	s.must(err)
	testkit.Eventually(s.T, "the frames are gone, and that is told", func() bool {
		_, _ = t.Eval(s.ctx, "", "1") // who tells nothing by itself looks then
		mu.Lock()
		defer mu.Unlock()
		return len(t.Frames()) == 1 && removed[frames[1].ID] && removed[frames[2].ID]
	})
	_, err = t.Eval(s.ctx, frames[2].ID, "1")
	s.kind("asked of a frame that is gone", err, backend.KindNavigated)
	s.must(t.Close(s.ctx))
}

// framed waits until a tab has so many frames, loaded.
func (s *suite) framed(t backend.Tab, n int) (frames []backend.Frame) {
	s.Helper()
	testkit.Eventually(s.T, "all frames are there", func() bool {
		frames = t.Frames()
		return len(frames) == n && !slices.ContainsFunc(frames, func(f backend.Frame) bool {
			b, err := t.Eval(s.ctx, f.ID, "document.readyState == 'complete' && location.href != 'about:blank'")
			return err != nil || string(b) != "true"
		})
	})
	return t.Frames()
}

// kind sees that something was refused as it should be.
func (s *suite) kind(what string, err error, want backend.Kind) {
	s.Helper()
	if backend.KindOf(err) != want {
		s.Errorf("%s: %v, want the kind %s", what, err, want)
	}
}
