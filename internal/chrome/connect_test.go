package chrome

import (
	"context"
	"net/url"
	"testing"
	"time"

	"rove/driver"
	"rove/driver/backend"
)

// The address of a tab is for that tab: it is driven as it is, and left as it is.
func TestConnectPage(t *testing.T) {
	s := serve(t, map[string]string{"/": `<title>Mine</title><button onclick="document.title='pressed'">B</button>`})
	host := launch(t, Options{Path: executable(), Home: t.TempDir(), Args: []string{"--remote-debugging-port=0"}})
	ctx := within(t, 30*time.Second)
	c, err := host.NewContext(ctx, backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tab, err := c.NewTab(ctx)
	if err != nil {
		t.Fatal(err)
	}
	visit(t, tab.(*Tab), s.here+"/")
	u, err := url.Parse(endpoint(t, host))
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/devtools/page/" + tab.ID()
	b, own, id, err := ConnectPage(ctx, u.String())
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.Attach(own, id, driver.Options{OnQuit: b.Close})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Click(ctx, "button"); err != nil {
		t.Error(err)
	}
	if err := d.Quit(ctx); err != nil {
		t.Error(err)
	}
	title, err := tab.Eval(ctx, "", "document.title")
	if err != nil || string(title) != `"pressed"` {
		t.Errorf("the tab was not left as it is: %s, %v", title, err)
	}
	for _, address := range []string{u.String() + "x", "ws://" + u.Host + "/devtools/browser/x", "ws://127.0.0.1:9/devtools/page/x"} {
		short, cancel := context.WithTimeout(ctx, time.Second)
		if _, _, _, err := ConnectPage(short, address); err == nil {
			t.Errorf("%s was connected to", address)
		}
		cancel()
	}
}
