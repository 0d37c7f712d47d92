package chrome

import (
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"rove/cdp"
	"rove/driver/backend"
)

// frame is a frame of a tab. It lives from the moment it is put into the page
// until it is taken out: documents, processes and sessions come and go.
type frame struct {
	id       backend.FrameID
	parent   *frame
	children []*frame
	owner    int // see backend.Frame

	// session is the one whose renderer shows the frame; nil while the frame is
	// between two.
	session *cdp.Session

	url, name   string
	unreachable bool // see backend.Frame

	load    loading // of the document that is there
	early   loading // of a document that has not been announced yet
	world   *world  // the page script's; nil while there is none
	global  *world  // the page's own
	making  bool    // a world for it is being asked for
	crashed bool    // its process died; until the next document
	why     string  // it was ended, if it was
	gone    bool    // taken out of the page
	earlier bool    // known from its target, before its parent announced it
}

// loading is how far a document has come.
type loading struct {
	loader       string
	parsed, done bool
}

// reached says whether a document has come as far as is waited for.
func (l loading) reached(until backend.WaitUntil) bool {
	switch until {
	case backend.WaitCommit:
		return true
	case backend.WaitDOMContentLoaded:
		return l.parsed || l.done
	default:
		return l.done
	}
}

// tree is the frames of a tab, kept true by the events of several sessions that
// know nothing of each other. It has no lock and no I/O of its own.
//
// A frame's id is the same in all sessions, and for the root of an
// out-of-process subtree it is the id of its target. The rules:
//
//   - A frame belongs to one session at a time. What any other session says
//     about it is late, and is dropped (owns).
//   - When a frame changes process, its object stays and all that was in it
//     goes (handOver, swapOut). This holds for the main frame too.
//   - A frame that comes back to its parent's process is announced there with
//     frameAttached, and its target goes away, in either order (attach,
//     release).
//   - A new document has none of the old one's frames, even if nobody said
//     that they went (navigate).
type tree struct {
	main   *frame
	byID   map[backend.FrameID]*frame
	owners int // the last number given out

	removed func(*frame) // told of every frame that leaves the tree
}

func newTree(id backend.FrameID, s *cdp.Session) *tree {
	main := &frame{id: id, session: s, url: blank}
	return &tree{main: main, byID: map[backend.FrameID]*frame{id: main}}
}

// owns finds a frame that the session may speak about.
func (t *tree) owns(s *cdp.Session, id backend.FrameID) *frame {
	if f := t.byID[id]; f != nil && f.session == s {
		return f
	}
	return nil
}

// attach is frameAttached: a frame is new in its parent, or it has come back to
// the parent's process. It returns the frame if it is new.
func (t *tree) attach(s *cdp.Session, id, parent backend.FrameID) *frame {
	p := t.owns(s, parent)
	if p == nil {
		return nil
	}
	if f := t.byID[id]; f != nil {
		switch {
		case f.earlier:
			f.earlier = false
		case f.session != s && f.parent == p:
			t.empty(f)
			f.session = s
		}
		return nil
	}
	t.owners++
	f := &frame{id: id, parent: p, owner: t.owners, session: s, url: blank}
	p.children = append(p.children, f)
	t.byID[id] = f
	return f
}

// handOver gives a frame to the session of its new process.
func (t *tree) handOver(id backend.FrameID, s *cdp.Session) {
	if f := t.byID[id]; f != nil && f.session != s {
		t.empty(f)
		f.session = s
	}
}

// swapOut is frameDetached because of a swap: the frame's next session is on
// its way, or already there.
func (t *tree) swapOut(s *cdp.Session, id backend.FrameID) {
	if f := t.owns(s, id); f != nil && f != t.main {
		t.empty(f)
		f.session = nil
	}
}

// release takes the frames from a session that has ended. It returns the one
// that was the session's root, if it still was: it has either gone or come back
// to its parent's process, and only the parent's session knows.
func (t *tree) release(s *cdp.Session, id backend.FrameID) *frame {
	f := t.owns(s, id)
	if f == nil || f == t.main {
		return nil
	}
	t.empty(f)
	f.session = nil
	return f
}

// detach is frameDetached because of a removal. The frame's own session may
// say so, or its parent's.
func (t *tree) detach(s *cdp.Session, id backend.FrameID) {
	f := t.byID[id]
	if f == nil || f == t.main || (f.session != s && f.parent.session != s) {
		return
	}
	t.remove(f)
}

// navigate is frameNavigated: there is a new document. It returns the frame, or
// nil if the session may not say so.
func (t *tree) navigate(s *cdp.Session, doc *proto.Frame) *frame {
	id := backend.FrameID(doc.ID)
	f := t.byID[id]
	switch {
	case f == nil && doc.ParentID == "" && t.main.session == s:
		// The page was replaced by one that was loaded elsewhere.
		delete(t.byID, t.main.id)
		f, t.main.id = t.main, id
		t.byID[id] = f
	case f == nil:
		if f = t.attach(s, id, backend.FrameID(doc.ParentID)); f == nil {
			return nil
		}
	case f.session != s:
		return nil
	}
	for len(f.children) > 0 {
		t.remove(f.children[len(f.children)-1])
	}
	f.crashed = false
	t.describe(f, doc)
	return f
}

// describe takes over what the browser says about a frame's document.
func (t *tree) describe(f *frame, doc *proto.Frame) {
	f.url, f.name = backend.WithoutLogin(doc.URL+doc.URLFragment), doc.Name
	f.unreachable = doc.UnreachableURL != ""
	if f.unreachable {
		f.url = backend.WithoutLogin(doc.UnreachableURL)
	}
	if f.url == "" {
		f.url = blank
	}
	if loader := string(doc.LoaderID); loader != f.load.loader {
		if f.load = f.early; f.load.loader != loader {
			f.load = loading{loader: loader}
		}
	}
}

// lifecycle notes how far a document has come. Documents are known by their
// loaders: the stages of a document that is not there yet wait for it.
func (t *tree) lifecycle(s *cdp.Session, ev *page.EventLifecycleEvent) *frame {
	f := t.owns(s, backend.FrameID(ev.FrameID))
	if f == nil {
		return nil
	}
	l := &f.load
	if loader := string(ev.LoaderID); l.loader != loader {
		if l = &f.early; l.loader != loader {
			*l = loading{loader: loader}
		}
	}
	switch ev.Name {
	case "init":
		// A document that is opened to be written anew loads anew.
		l.parsed, l.done = false, false
	case "DOMContentLoaded":
		l.parsed = true
	case "load":
		l.parsed, l.done = true, true
	}
	return f
}

// adopt merges what a session's frame tree says into the tree. Frames that are
// not known are added; added is told of them.
func (t *tree) adopt(s *cdp.Session, ft *page.FrameTree, added func(*frame)) {
	if ft == nil || ft.Frame == nil {
		return
	}
	id := backend.FrameID(ft.Frame.ID)
	f := t.owns(s, id)
	if f == nil {
		if t.byID[id] != nil {
			return // it has moved on in the meantime
		}
		if f = t.attach(s, id, backend.FrameID(ft.Frame.ParentID)); f == nil {
			return
		}
		added(f)
	}
	t.describe(f, ft.Frame)
	for _, child := range ft.ChildFrames {
		t.adopt(s, child, added)
	}
}

// place puts the root of an out-of-process subtree into the tree, should its
// session have been quicker than its parent's. It returns the frame if it is
// new.
func (t *tree) place(id, parent backend.FrameID, s *cdp.Session) *frame {
	if t.byID[id] != nil {
		t.handOver(id, s)
		return nil
	}
	p := t.byID[parent]
	if p == nil || p.session == nil {
		return nil
	}
	f := t.attach(p.session, id, parent)
	f.session, f.earlier = s, true
	return f
}

// empty takes out all that a frame's old process knew.
func (t *tree) empty(f *frame) {
	for len(f.children) > 0 {
		t.remove(f.children[len(f.children)-1])
	}
	f.world, f.global = nil, nil
}

func (t *tree) remove(f *frame) {
	t.empty(f)
	siblings := f.parent.children
	for i, c := range siblings {
		if c == f {
			f.parent.children = append(siblings[:i:i], siblings[i+1:]...)
			break
		}
	}
	f.session, f.gone = nil, true
	delete(t.byID, f.id)
	if t.removed != nil {
		t.removed(f)
	}
}

// walk visits the frames, parents before children.
func (t *tree) walk(visit func(*frame)) { walk(t.main, visit) }

func walk(f *frame, visit func(*frame)) {
	visit(f)
	for _, c := range f.children {
		walk(c, visit)
	}
}
