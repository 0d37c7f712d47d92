package perceive_test

import (
	"context"
	"flag"
	"os"
	"testing"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
	"rove/internal/testkit/drive"
	"rove/perceive"
)

var update = flag.Bool("update", false, "write what is seen into the golden files")

// shared is the browser of all tests. Each has a context in it.
var shared backend.Browser

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(testkit.Main(m, testkit.Share(&shared, drive.Launch)))
}

// visit is somebody at a real browser, in a test.
type visit struct {
	*testing.T
	*perceive.Visitor
	page   *perceive.Page
	driver *driver.Driver
	ctx    context.Context
	url    string
}

// open opens a browser for a test, which serves pages by their path. "/" is gone
// to if it is there.
func open(t *testing.T, pages map[string]string) visit {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx, d := drive.Open(t, shared)
	page := perceive.Drive(d)
	v := visit{T: t, Visitor: perceive.NewVisitor(page, nil), page: page, driver: d, ctx: ctx, url: testkit.Pages(t, pages)}
	t.Cleanup(func() { _ = v.Close() })
	if _, ok := pages["/"]; ok {
		v.navigate("/")
	}
	return v
}

// one opens a browser with one page.
func one(t *testing.T, html string) visit {
	t.Helper()
	return open(t, map[string]string{"/": "<!doctype html><title>Test</title>" + html})
}

func (v visit) navigate(path string) {
	v.Helper()
	if _, err := v.Visitor.Navigate(v.ctx, v.url+path); err != nil {
		v.Fatal(err)
	}
}

func (v visit) observe() *perceive.Observed {
	v.Helper()
	o, err := v.Visitor.Observe(v.ctx, perceive.ObserveOptions{})
	if err != nil {
		v.Fatal(err)
	}
	return o
}

// id is the id of the one interactive element with a name.
func (v visit) id(o *perceive.Observed, name string) string {
	v.Helper()
	found := ""
	for _, e := range o.Map.InteractiveElements() {
		if e.Name == name {
			if found != "" {
				v.Fatalf("%q is there twice:\n%s", name, o.UIMap)
			}
			found = e.ID
		}
	}
	if found == "" {
		v.Fatalf("%q is not there:\n%s", name, o.UIMap)
	}
	return found
}

// js is what a script gives, for what a test has to know of the page.
func (v visit) js(script string) any {
	v.Helper()
	got, err := v.driver.Script(v.ctx, script)
	if err != nil {
		v.Fatal(err)
	}
	return got
}

func (v visit) ok(err error) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
}

// fails fails the test unless the error has the code and all the texts.
var fails = drive.Fails
