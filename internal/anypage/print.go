package anypage

import "rove/driver/backend"

// Print is how WebDriver is told to print a page, in either of its protocols:
// centimetres for inches.
func Print(opts backend.PDFOptions) map[string]any {
	const inch = 2.54
	params := map[string]any{"background": opts.Background, "shrinkToFit": !opts.PreferCSS}
	if opts.Landscape {
		params["orientation"] = "landscape"
	}
	if opts.Scale > 0 {
		params["scale"] = opts.Scale
	}
	if opts.Width > 0 && opts.Height > 0 {
		params["page"] = map[string]any{"width": opts.Width * inch, "height": opts.Height * inch}
	}
	if m := opts.Margin; m != nil {
		params["margin"] = map[string]any{"top": m.Top * inch, "right": m.Right * inch, "bottom": m.Bottom * inch, "left": m.Left * inch}
	}
	if opts.Pages != "" {
		params["pageRanges"] = []string{opts.Pages}
	}
	return params
}
