package chrome

import (
	"strings"
	"testing"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"rove/cdp"
	"rove/driver/backend"
)

// drawing is a tree as text: ids with the session that owns each, children in
// brackets.
func drawing(f *frame, names map[*cdp.Session]string) string {
	s := string(f.id)
	if f.session == nil {
		s += "?"
	} else {
		s += names[f.session]
	}
	if len(f.children) > 0 {
		var parts []string
		for _, c := range f.children {
			parts = append(parts, drawing(c, names))
		}
		s += "(" + strings.Join(parts, " ") + ")"
	}
	return s
}

// What sessions say comes in orders that a real browser shows once in a
// thousand times. Here are all that matter. P is the page's session, S and T
// are those of frames in processes of their own.
func TestTree(t *testing.T) {
	type script struct {
		name  string
		steps string
		want  string
	}
	for _, c := range []script{
		{"attached", "P+a/m P+b/a P+c/m", "mP(aP(bP) cP)"},
		{"attached twice", "P+a/m P+a/m", "mP(aP)"},
		{"attached to nobody", "P+a/x", "mP"},
		{"attached by a stranger", "S+a/m", "mP"},
		{"removed", "P+a/m P+b/a P-a", "mP"},
		{"removed by a stranger", "P+a/m T-a", "mP(aP)"},
		{"the main frame is not removed", "P-m P~m", "mP"},

		{"swapped out, then attached to", "P+a/m P+b/a P~a S!a/m", "mP(aS)"},
		{"attached to, then swapped out", "P+a/m P+b/a S!a/m P~a", "mP(aS)"},
		{"attached to before the parent knows", "S!a/m P+a/m", "mP(aS)"},
		{"between two processes", "P+a/m P~a", "mP(a?)"},
		{"frames of the new process", "P+a/m S!a/m S+b/a", "mP(aS(bS))"},
		{"late frames of the old process", "P+a/m S!a/m P+b/a", "mP(aS)"},
		{"late navigation in the old process", "P+a/m S!a/m S+b/a P>a", "mP(aS(bS))"},

		{"back: announced, then released", "P+a/m S!a/m S+b/a P+a/m S.a", "mP(aP)"},
		{"back: released, then announced", "P+a/m S!a/m S+b/a S.a P+a/m", "mP(aP)"},
		{"gone: released, then removed", "P+a/m S!a/m S.a P-a", "mP"},
		{"gone: removed, then released", "P+a/m S!a/m P-a S.a", "mP"},
		{"gone: only released", "P+a/m S!a/m S.a", "mP(a?)"},
		{"from one process to another", "P+a/m S!a/m S+b/a T!a/m", "mP(aT)"},
		{"the old one released late", "P+a/m S!a/m T!a/m S.a", "mP(aT)"},

		{"navigated", "P+a/m P+b/a P>a", "mP(aP)"},
		{"navigated, with frames elsewhere", "P+a/m S!a/m S+b/a P>m", "mP"},
		{"navigated before it was announced", "P>a/m", "mP(aP)"},
		{"a new main frame", "P+a/m P>n", "nP"},
		{"removed with all below", "P+a/m S!a/m S+b/a T!b/a P-a", "mP"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sessions := map[byte]*cdp.Session{'P': {}, 'S': {}, 'T': {}}
			names := make(map[*cdp.Session]string)
			for n, s := range sessions {
				names[s] = string(n)
			}
			tr := newTree("m", sessions['P'])
			gone := 0
			tr.removed = func(f *frame) {
				gone++
				if !f.gone || tr.byID[f.id] == f {
					t.Errorf("%s was removed and is there", f.id)
				}
			}
			for _, step := range strings.Fields(c.steps) {
				s, op := sessions[step[0]], step[1]
				name, parent, _ := strings.Cut(step[2:], "/")
				id, in := backend.FrameID(name), backend.FrameID(parent)
				switch op {
				case '+':
					tr.attach(s, id, in)
				case '-':
					tr.detach(s, id)
				case '~':
					tr.swapOut(s, id)
				case '!':
					tr.place(id, in, s)
				case '.':
					tr.release(s, id)
				case '>':
					tr.navigate(s, &proto.Frame{ID: proto.FrameID(id), ParentID: proto.FrameID(in)})
				}
			}
			if got := drawing(tr.main, names); got != c.want {
				t.Errorf("%s: got %s, want %s", c.steps, got, c.want)
			}
			count := 0
			owners := make(map[int]bool)
			tr.walk(func(f *frame) {
				count++
				owners[f.owner] = true
				if tr.byID[f.id] != f {
					t.Errorf("%s is not found by its id", f.id)
				}
			})
			if count != len(tr.byID) || count != len(owners) {
				t.Errorf("%d frames, %d ids, %d owners", count, len(tr.byID), len(owners))
			}
		})
	}
}

// The stages of a document count for its loader alone, whenever they come.
func TestLifecycle(t *testing.T) {
	s := new(cdp.Session)
	tr := newTree("m", s)
	stage := func(loader, name string) {
		tr.lifecycle(s, &page.EventLifecycleEvent{FrameID: "m", LoaderID: proto.LoaderID(loader), Name: name})
	}
	commit := func(loader string) {
		tr.navigate(s, &proto.Frame{ID: "m", LoaderID: proto.LoaderID(loader)})
	}
	check := func(what, loader string, parsed, done bool) {
		t.Helper()
		if got, want := tr.main.load, (loading{loader, parsed, done}); got != want {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	commit("1")
	check("committed", "1", false, false)
	stage("1", "DOMContentLoaded")
	check("parsed", "1", true, false)
	stage("2", "load")
	check("the next one's load", "1", true, false)
	stage("1", "load")
	check("loaded", "1", true, true)
	commit("2")
	check("the next one, already loaded", "2", true, true)
	stage("1", "load")
	check("the last one's load, late", "2", true, true)
	commit("3")
	check("a third", "3", false, false)
	stage("3", "load")
	stage("3", "init")
	check("written anew", "3", false, false)
	tr.lifecycle(new(cdp.Session), &page.EventLifecycleEvent{FrameID: "m", LoaderID: "3", Name: "load"})
	check("a stranger's load", "3", false, false)
}

func TestRefusals(t *testing.T) {
	for message, want := range map[string]backend.Kind{
		"uniqueContextId not found":               backend.KindNavigated,
		"Execution context was destroyed.":        backend.KindNavigated,
		"Target crashed":                          backend.KindCrashed,
		"'Page.fly' wasn't found":                 backend.KindUnsupported,
		"something nobody has ever heard of here": backend.KindProtocol,
	} {
		if err := fault(&cdp.Error{Method: "X.y", Message: message}); !isKind(err, want) {
			t.Errorf("%s: %v, want %s", message, err, want)
		}
	}
}
