package driver

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"rove/driver/backend"
)

// Page is a tab as somebody would choose it.
type Page struct {
	Title string
	URL   string
	// Current: it is the one that is driven.
	Current bool
}

// Pages lists the tabs of the driver's browser context, oldest first.
func (d *Driver) Pages(ctx context.Context) ([]Page, error) {
	ctx, cancel := d.within(ctx, scriptWait)
	defer cancel()
	current, tabs := d.Tab(), d.Tabs()
	titles := d.titles(ctx, tabs)
	var list []Page
	for i, t := range tabs {
		if titles[i] == "" && gone(t.tab) {
			continue
		}
		list = append(list, Page{Title: titles[i], URL: t.URL(), Current: t == current})
	}
	return list, nil
}

// titles are the titles of tabs, all asked at once. A tab that shows a dialog or
// does not answer has an address, but nobody can ask its title.
func (d *Driver) titles(ctx context.Context, tabs []*Tab) []string {
	ctx, cancel := context.WithTimeout(ctx, min(answerTimeout, d.limit(scriptWait)))
	defer cancel()
	titles := make([]string, len(tabs))
	var all sync.WaitGroup
	for i, t := range tabs {
		all.Go(func() { titles[i], _ = t.Title(ctx) })
	}
	all.Wait()
	return titles
}

// SwitchPage makes the tab whose title or address contains a text the current
// one. It waits for such a tab to open.
func (d *Driver) SwitchPage(ctx context.Context, titleOrURL string) error {
	if titleOrURL == "" {
		return Invalid("switchPage", "no page found matching: the title or URL is empty")
	}
	return d.switchPage(ctx, titleOrURL, func(tabs []*Tab) *Tab {
		titles := d.titles(ctx, tabs)
		for i, t := range tabs {
			if strings.Contains(t.URL(), titleOrURL) || strings.Contains(titles[i], titleOrURL) {
				return t
			}
		}
		return nil
	})
}

// SwitchPageAt makes the tab of a number, from 0, the current one.
func (d *Driver) SwitchPageAt(ctx context.Context, index int) error {
	return d.switchPage(ctx, fmt.Sprint(index), func(tabs []*Tab) *Tab {
		if index < 0 || index >= len(tabs) {
			return nil
		}
		return tabs[index]
	})
}

// front has the tab shown where only one is, for whoever turns to it. Where that fails, what
// is done there next says why.
func (t *Tab) front(ctx context.Context) {
	if f, ok := t.tab.(backend.Fronted); ok {
		ctx, cancel := context.WithTimeout(ctx, answerTimeout)
		defer cancel()
		_ = f.Front(ctx)
	}
}

func (d *Driver) switchPage(ctx context.Context, what string, choose func([]*Tab) *Tab) (err error) {
	ctx, noted := d.begin(ctx, "switchPage", what, "")
	defer func() { err = noted.end(err) }()
	start := time.Now()
	deadline := start.Add(d.budget(elementWait))
	for {
		tabs := d.Tabs()
		if t := choose(tabs); t != nil {
			d.mu.Lock()
			d.makeCurrent(t)
			d.mu.Unlock()
			d.attend(t)
			t.setFrame("") // whoever comes to a tab begins at its page
			t.front(ctx)
			return nil
		}
		if !time.Now().Before(deadline) {
			var list []string
			for _, t := range tabs {
				list = append(list, t.URL())
			}
			return &Error{
				Code: CodeNotFound, Op: "switchPage", Hint: "there are " + strings.Join(list, ", "),
				Message: fmt.Sprintf("no page found matching: %s, waited %s", what, roundedDuration(time.Since(start))),
			}
		}
		// A tab may open from any other, so no one tab's events tell.
		select {
		case <-time.After(eventPause / 2):
		case <-ctx.Done():
			return Explain("switchPage", ctx.Err())
		}
	}
}
