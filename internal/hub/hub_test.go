package hub_test

import (
	"context"
	"os"
	"slices"
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
	others := lists(ctx, t, browsers[0])
	if len(others) != 1 || others[0].Title != "Mine" {
		t.Errorf("a client is told of %v", others)
	}
	for _, tab := range p.Tabs() {
		if tab.URL == origin+"/work" && slices.ContainsFunc(browsers, func(b *chrome.Browser) bool { return adopts(ctx, t, b, tab.ID) }) {
			t.Error("a client took the tab of another")
		}
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

func lists(ctx context.Context, t *testing.T, b *chrome.Browser) []backend.OtherTab {
	t.Helper()
	list, err := guest(ctx, t, b).Others(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func adopts(ctx context.Context, t *testing.T, b *chrome.Browser, id string) bool {
	t.Helper()
	_, err := guest(ctx, t, b).Adopt(ctx, id)
	return err == nil
}

func guest(ctx context.Context, t *testing.T, b *chrome.Browser) backend.Host {
	t.Helper()
	c, err := b.NewContext(ctx, backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	h, ok := c.(backend.Host)
	if !ok {
		t.Fatalf("%T is no host", c)
	}
	return h
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
