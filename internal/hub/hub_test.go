package hub_test

import (
	"context"
	"os"
	"sync"
	"testing"

	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/internal/hub"
	"rove/internal/testkit"
	"rove/internal/testkit/person"
	"rove/internal/wire"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// TestClientsAreApart: clients that work at once over one connection have answers,
// events and tabs of their own; one that drops its connection leaves no tab, and the
// end of the hub ends all.
func TestClientsAreApart(t *testing.T) {
	testkit.NeedsBrowser(t)
	origin := testkit.Pages(t, map[string]string{"/mine": `<title>Mine</title>`, "/work": `<title>Work</title><iframe src=THERE/mine></iframe>`})
	p := person.Start(t, t.TempDir(), nil, origin+"/mine")
	ctx := testkit.Context(t)
	h := hub.New()
	defer h.Close()
	const many = 3
	browsers := make([]*chrome.Browser, many)
	cut := make([]func() error, many)
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			conn, err := h.Dial(ctx, p.Port)
			if err != nil {
				t.Error(err)
				return
			}
			cut[i] = conn.Close
			b, err := chrome.Join(ctx, wire.NewPipe(conn, conn))
			if err != nil {
				t.Error(err)
				return
			}
			browsers[i] = b
			if err := work(ctx, b, origin+"/work"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	if n := len(p.Tabs()); n != 1+many {
		t.Errorf("%d tabs: %q", n, p.URLs())
	}
	_ = cut[0]()
	testkit.Eventually(t, "the tab of a client that is gone is closed", func() bool { return len(p.Tabs()) == many })
	if err := browsers[1].Close(); err != nil {
		t.Error(err)
	}
	testkit.Eventually(t, "the tab of a client that left is closed", func() bool { return len(p.Tabs()) == many-1 })
	if err := work(ctx, browsers[2], origin+"/work"); err != nil {
		t.Error(err)
	}
	h.Close()
	<-browsers[2].Done()
	_, _ = browsers[0].Close(), browsers[2].Close()
}

// work opens a tab and reads it several times.
func work(ctx context.Context, b *chrome.Browser, url string) error {
	c, err := b.NewContext(ctx, backend.ContextOptions{})
	if err != nil {
		return err
	}
	tab, err := c.NewTab(ctx)
	if err != nil {
		return err
	}
	if _, err := tab.Navigate(ctx, url, backend.NavigateOptions{}); err != nil {
		return err
	}
	for range 20 {
		if _, err := tab.Eval(ctx, "", "document.title"); err != nil {
			return err
		}
	}
	return nil
}
