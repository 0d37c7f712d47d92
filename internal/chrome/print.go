package chrome

import (
	"context"

	"github.com/chromedp/cdproto/page"

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
	if err := t.await(ctx, g, t.session.Start(page.CommandPrintToPDF, params), &r); err != nil {
		return nil, err
	}
	return r.Data, nil
}

// SetViewport changes the size of the visible page.
func (t *Tab) SetViewport(ctx context.Context, v backend.Viewport) error {
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	return t.await(ctx, g, t.session.Start(metricsCommand, metrics(viewport(v))), nil)
}
