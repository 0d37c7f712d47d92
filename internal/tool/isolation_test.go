package tool

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
)

// TestAToolKnowsOneSession: a tool's function gets a context that hands out its own
// conversation's session. There is nothing in it that could name another.
func TestAToolKnowsOneSession(t *testing.T) {
	c := reflect.TypeFor[*Context]()
	want := map[string]reflect.Type{
		"Session":  reflect.TypeFor[func(*Context, context.Context) (*rove.Session, error)](),
		"FilePath": reflect.TypeFor[func(*Context, context.Context, string) (string, error)](),
	}
	for m := range c.Methods() {
		if want[m.Name] != m.Type {
			t.Errorf("a tool can call %s, a %v", m.Name, m.Type)
		}
		delete(want, m.Name)
	}
	if len(want) > 0 {
		t.Errorf("it lacks %v", want)
	}
	for f := range c.Elem().Fields() {
		if f.IsExported() && f.Name != "Defaults" {
			t.Errorf("a tool can reach %s", f.Name)
		}
	}
	// And it holds no state: a row is the same for all, and has nowhere to keep any.
	for f := range reflect.TypeFor[Tool]().Fields() {
		if k := f.Type.Kind(); k == reflect.Map || k == reflect.Chan || f.Type == reflect.TypeFor[*rove.Session]() {
			t.Errorf("a tool keeps %s", f.Name)
		}
	}
}

// TestConversationsAreApart: two conversations of one process, with the same tools
// and the same names, see nothing of each other.
func TestConversationsAreApart(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := session.NewManager(session.Options{})
	defer m.Close()
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/{$}": func(w http.ResponseWriter, r *http.Request) {
			was := "nobody"
			if c, err := r.Cookie("who"); err == nil {
				was = c.Value
			}
			testkit.Page(fmt.Sprintf("<title>Shop</title><p id=p>cookie of %s</p><button>Buy</button>", was))(w, r)
		},
	})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	people := map[string]user{}
	for _, name := range []string{"ada", "bob"} {
		talk := m.Conversation("main")
		defer talk.Close()
		people[name] = user{t, ctx, talk, &parametersGiven{}}
	}
	if n := len(testkit.Browsers(t)); n != 0 {
		t.Errorf("%d browsers run before the first call", n)
	}
	// Both at once: the browser is started once.
	var both sync.WaitGroup
	for name, u := range people {
		both.Go(func() {
			for _, named := range []string{"", "cart"} {
				where := in{"session": named}
				with := func(more in) in {
					for k, v := range where {
						more[k] = v
					}
					return more
				}
				mine := name + named
				for _, call := range []struct {
					tool  string
					input in
				}{
					{"browser_navigate", in{"url": url}},
					{"browser_eval", in{"expression": "document.cookie = 'who=" + mine + "'; localStorage.who = '" + mine + "'; console.log('hello from " + mine + "')"}},
					{"browser_navigate", in{"url": url}},
					{"browser_take_screenshot", in{}},
				} {
					if _, err := u.try(call.tool, with(call.input)); err != nil {
						t.Errorf("%s %s: %v", mine, call.tool, err)
					}
				}
			}
		})
	}
	both.Wait()
	if n := len(testkit.Browsers(t)); n != 1 {
		t.Errorf("%d browsers run", n)
	}
	ada, bob := people["ada"], people["bob"]
	var folders []string
	for name, u := range people {
		for _, named := range []string{"", "cart"} {
			mine := name + named
			out := u.says("browser_eval", in{"expression": "[p.textContent, localStorage.who, document.cookie].join()", "session": named})
			if want := fmt.Sprintf(`"cookie of %s,%s,who=%s"`, mine, mine, mine); out.Text != want {
				t.Errorf("%s sees %s", mine, out.Text)
			}
			files := u.says("browser_files", in{"session": named}, "1 files", "screenshot 1-screenshot.png")
			folder := files.Data.(fileList).Folder
			for _, other := range folders {
				if folder == other {
					t.Errorf("%s is in %s, as another is", mine, folder)
				}
			}
			folders = append(folders, folder)
			if log, err := u.try("browser_recent_console_logs", in{"session": named}); err == nil {
				if got := regexp.MustCompile(`hello from \w+`).FindAllString(log.Text, -1); len(got) != 1 || got[0] != "hello from "+mine {
					t.Errorf("%s has in its console %q", mine, log.Text)
				}
			}
		}
	}
	// A ref of one is none of the other.
	ref := regexp.MustCompile(`e\d+`).FindString(ada.says("browser_snapshot", in{"find": "Buy"}).Text)
	ada.says("browser_eval", in{"expression": "for (let i = 0; i < 50; i++) document.body.insertAdjacentHTML('beforeend', '<button>More ' + i + '</button>')"})
	far := regexp.MustCompile(`e\d+`).FindString(ada.says("browser_snapshot", in{"find": "More 49"}).Text)
	if ref == "" || far == "" {
		t.Fatal("no refs to try")
	}
	bob.fails("browser_click", in{"selector": far}, rove.CodeNotFound, "never was")
	// Nor are its files, by name.
	ada.says("browser_pdf", in{})
	bob.fails("read_image", in{"path": "2-page.pdf"}, rove.CodeNotFound, "there is no file")
	// The end of one is not the other's.
	if err := ada.talk.Close(); err != nil {
		t.Error(err)
	}
	if got := bob.says("browser_files", in{}); !strings.Contains(got.Text, "1 files") {
		t.Errorf("bob's files: %s", got.Text)
	}
	left := 0
	for _, f := range folders {
		if files, _ := filepath.Glob(filepath.Join(f, "*")); len(files) > 0 {
			left++
		}
	}
	if left != 2 {
		t.Errorf("%d folders have files in them, want bob's two", left)
	}
	bob.says("browser_eval", in{"expression": "localStorage.who"}, "bob")
	if _, err := ada.try("browser_eval", in{"expression": "1"}); rove.CodeOf(err) != rove.CodeClosed {
		t.Errorf("a conversation that has ended: %v", err)
	}
}
