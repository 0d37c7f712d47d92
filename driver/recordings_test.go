package driver_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
)

// Files that pages give: by a link, by an attribute, by a script, into a new tab.
func TestDownloads(t *testing.T) {
	testkit.OnEveryBrowser(t)
	testkit.NeedsBrowser(t)
	ctx := testkit.Context(t)
	release := make(chan struct{})
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/{$}": testkit.Page(`<title>Files</title><a id=plain href="/file">a</a><a id=named download="named.txt" href="/text">b</a><a id=blob download=made.txt>c</a><a id=tab href="/file" target=_blank>d</a><a id=slow href="/slow">s</a>
			<script>blob.href = URL.createObjectURL(new Blob(['made here']))</script>`),
		"/file": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
			fmt.Fprint(w, "a,b\n")
		},
		"/text": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "text") },
		"/slow": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Disposition", "attachment; filename=slow.bin")
			w.Header().Set("Content-Type", "application/octet-stream")
			fmt.Fprint(w, strings.Repeat("x", 1<<16))
			w.(http.Flusher).Flush()
			select {
			case <-release:
			case <-r.Context().Done():
			}
			fmt.Fprint(w, "end")
		},
	})
	dir := t.TempDir()
	d, err := driver.Open(ctx, shared, driver.Options{Context: driver.ContextOptions{Downloads: dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Quit(ctx)
	if err := d.SetURL(ctx, url); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ id, name, content string }{
		{"#plain", "report.csv", "a,b\n"}, {"#named", "named.txt", "text"}, {"#blob", "made.txt", "made here"}, {"#tab", "report-2.csv", "a,b\n"},
	} {
		if _, err := d.Click(ctx, c.id); err != nil {
			t.Fatal(err)
		}
		err := d.WaitDownloads(ctx, func(list []driver.Download) bool { return len(list) == i+1 && !list[i].Open })
		if err != nil {
			t.Fatalf("%s: %v", c.id, err)
		}
		got := d.Downloads()[i]
		same(t, c.id, filepath.Base(got.Path), c.name)
		content, err := os.ReadFile(got.Path)
		same(t, c.id, fmt.Sprintf("%s %v", content, err), c.content+" <nil>")
		ownerOnly(t, got.Path)
		if got.Failed || got.Size != int64(len(c.content)) || filepath.Dir(got.Path) != dir {
			t.Errorf("%s: %+v", c.id, got)
		}
	}
	title, err := d.Title(ctx)
	same(t, "the page stays", fmt.Sprint(title, err), "Files<nil>")

	if _, err := d.Click(ctx, "#slow"); err != nil {
		t.Fatal(err)
	}
	if err := d.WaitDownloads(ctx, func(list []driver.Download) bool { return len(list) == 5 }); err != nil {
		t.Fatal(err)
	}
	same(t, "on its way", d.Downloads()[4].Open, true)
	short, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	fails(t, d.WaitDownloads(short, func(list []driver.Download) bool { return !list[4].Open }), driver.CodeTimeout)
	// Going to a file waits for all of it, longer than for a request that a server
	// holds open.
	time.AfterFunc(3500*time.Millisecond, func() { close(release) })
	nav, err := d.Tab().Navigate(ctx, url+"/slow", driver.NavigateOptions{})
	if err != nil || nav.File == nil || nav.File.Open || nav.File.Size != 1<<16+3 {
		t.Errorf("%+v, %v", nav, err)
	}
	if err := d.WaitDownloads(ctx, func(list []driver.Download) bool { return !list[4].Open }); err != nil {
		t.Fatal(err)
	}
	same(t, "there", d.Downloads()[4].Size, 1<<16+3)
}

// A ref is its element's for as long as that lives, over trees and changes, and is
// never given to another, not on another page either.
func TestRefsLive(t *testing.T) {
	p := open(t, map[string]string{"/": `<title>Refs</title><div id=d><button id=a>Alpha</button><button id=b>Beta</button></div>`, "/next": `<button>Gamma</button>`})
	given := map[string]bool{}
	tree := func() string {
		t.Helper()
		text, err := p.AriaTree(p.ctx)
		p.ok(err)
		return text
	}
	first := tree()
	alpha, beta := refIn(t, first, "Alpha"), refIn(t, first, "Beta")
	given[alpha], given[beta] = true, true
	same(t, "refs", alpha+beta, "e1e2")
	p.js("d.prepend(b); a.textContent = 'Alpha again'")
	same(t, "after a change", refIn(t, tree(), "Alpha again")+refIn(t, tree(), "Beta"), alpha+beta)
	p.js("b.remove(); d.insertAdjacentHTML('beforeend', '<button>Beta</button>')")
	fresh := refIn(t, tree(), "Beta")
	if given[fresh] {
		t.Errorf("a new element has %s, which was another's", fresh)
	}
	given[fresh] = true
	_, err := p.Click(p.ctx, "ref:"+beta)
	fails(t, err, driver.CodeStale, beta+" is stale")
	p.visit("/next")
	if next := refIn(t, tree(), "Gamma"); given[next] {
		t.Errorf("a new page gave %s again", next)
	}
	_, err = p.Click(p.ctx, "ref:"+alpha)
	fails(t, err, driver.CodeStale, alpha+" is stale")
}

// Tree and page go to a model, which answers once with what to do by refs.
func TestOneShot(t *testing.T) {
	p := one(t, formPage)
	tree, err := p.AriaTree(p.ctx)
	p.ok(err)
	title, err := p.Title(p.ctx)
	p.ok(err)
	type doing struct{ op, locator, value string }
	model := func(task, url, title, tree string) []doing {
		if task == "" || url != p.url+"/" || title != "Test" {
			t.Errorf("the model was told of %s, %s", url, title)
		}
		return []doing{{"input", "ref:" + refIn(t, tree, "Name"), "Ann"}, {"input", "ref:" + refIn(t, tree, "Password"), "pw"}, {"click", "ref:" + refIn(t, tree, "Send"), ""}}
	}
	for _, s := range model("Log in as Ann", p.URL(), title, tree) {
		if s.op == "input" {
			_, err = p.Input(p.ctx, s.locator, s.value)
		} else {
			_, err = p.Click(p.ctx, s.locator)
		}
		p.ok(err)
	}
	same(t, "result", p.js("document.title + ' ' + document.getElementById('name').value"), "sent Ann")
}

// container is a provider of one's own: it decides where browsers come from and how
// each driver is made, and hears how each piece of work went.
type container struct {
	browser backend.Browser
	log     []string
}

func (c *container) Acquire(ctx context.Context, _ driver.Options) (*driver.Driver, error) {
	if c.browser == nil {
		b, err := launch(ctx)
		if err != nil {
			return nil, err
		}
		c.browser = b
	}
	opts := driver.Options{Timeouts: driver.Timeouts{Element: 321 * time.Millisecond}}
	opts.Context.Viewport = backend.Viewport{Width: 432, Height: 321}
	return driver.Open(ctx, c.browser, opts)
}

func (c *container) Release(ctx context.Context, d *driver.Driver) error {
	title, _ := d.Title(ctx)
	c.log = append(c.log, title)
	return d.Quit(ctx)
}

func (c *container) Shutdown(context.Context) error { return c.browser.Close() }

func TestCustomProvider(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx := testkit.Context(t)
	own := &container{}
	var provider driver.Provider = own
	for _, title := range []string{"one", "two"} {
		d, err := provider.Acquire(ctx, driver.Options{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "begins at", d.URL(), "about:blank")
		if err := d.SetURL(ctx, "data:text/html,<title>"+title+"</title>"); err != nil {
			t.Error(err)
		}
		// It is the one that the provider made, in the browser that it started.
		size, err := d.Script(ctx, "[innerWidth, innerHeight]")
		if err != nil {
			t.Error(err)
		}
		same(t, "size", size, "[432 321]")
		_, err = d.WaitFor(ctx, "#never")
		fails(t, err, driver.CodeTimeout, "waited ", " ms; ") // and not for seconds, as others do
		if err := provider.Release(ctx, d); err != nil {
			t.Error(err)
		}
		same(t, "terminated", d.IsTerminated(), true)
	}
	if err := provider.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	select {
	case <-own.browser.Done():
	case <-ctx.Done():
		t.Error("its browser lives on")
	}
	same(t, "provider", strings.Join(own.log, " "), "one two")
}
