package chrome

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"

	"rove/cdp"
	"rove/driver/backend"
)

// PDF prints the page.
func (t *Tab) PDF(ctx context.Context, opts backend.PDFOptions) ([]byte, error) {
	g, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	params := &page.PrintToPDFParams{
		Landscape: &opts.Landscape, PrintBackground: &opts.Background, Scale: opts.Scale,
		PaperWidth: opts.Width, PaperHeight: opts.Height, PageRanges: opts.Pages,
		HeaderTemplate: opts.Header, FooterTemplate: opts.Footer, PreferCSSPageSize: &opts.PreferCSS,
		DisplayHeaderFooter: new(opts.Header != "" || opts.Footer != ""),
	}
	// In place of nothing the browser would print date, title and address.
	for _, part := range []*string{&params.HeaderTemplate, &params.FooterTemplate} {
		if *part == "" {
			*part = "<span></span>"
		}
	}
	if m := opts.Margin; m != nil {
		params.MarginTop, params.MarginRight, params.MarginBottom, params.MarginLeft = &m.Top, &m.Right, &m.Bottom, &m.Left
	}
	var r struct {
		Data []byte `json:"data"`
	}
	for try := 1; ; try++ {
		t.Mu.Lock()
		changed := t.nav.changed.Next()
		t.Mu.Unlock()
		err := t.await(ctx, g, t.session.Start(page.CommandPrintToPDF, params), &r)
		var refused *cdp.Error
		switch {
		case err == nil:
			return r.Data, nil
		case !errors.As(err, &refused) || !strings.HasPrefix(refused.Message, "Printing failed"):
			return nil, err
		case try == printTries:
			return nil, fail(backend.KindNavigated, "the page went elsewhere while it was printed")
		}
		// A page that is on its way to another cannot be printed; the other can.
		timer := time.NewTimer(printPause)
		select {
		case <-changed:
		case <-timer.C:
		case <-g.Shut:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

const (
	printTries = 4
	printPause = 500 * time.Millisecond
)
