package pwa

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/page"

	"rove/internal/wire"
)

// Manifest is what a page says of itself as an application, and what is wrong
// with that.
type Manifest struct {
	URL       string   `json:"url,omitempty"` // "" where the page has none
	Name      string   `json:"name,omitempty"`
	ShortName string   `json:"short_name,omitempty"`
	StartURL  string   `json:"start_url,omitempty"` // absolute
	Scope     string   `json:"scope,omitempty"`
	Display   string   `json:"display,omitempty"`
	ID        string   `json:"id,omitempty"`
	Icons     []Icon   `json:"icons,omitempty"`
	Errors    []string `json:"errors,omitempty"` // of the file itself
	// Installable says whether the browser would install the page; Missing is what
	// keeps it from that.
	Installable bool     `json:"installable"`
	Missing     []string `json:"missing,omitempty"`
	// Unknown says that this browser does not judge: Missing is what the manifest
	// itself lacks.
	Unknown bool `json:"unknown,omitempty"`

	starts string // where the browser would start it: at the page, for want of a StartURL that counts
}

// Icon is a picture of an application.
type Icon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes,omitempty"`
	Type    string `json:"type,omitempty"`
	Purpose string `json:"purpose,omitempty"`
}

// Manifest reads the page's manifest and has the browser judge it.
func (p *Page) Manifest(ctx context.Context) (*Manifest, error) {
	var got struct {
		URL    string                   `json:"url"`
		Errors []*page.AppManifestError `json:"errors"`
		Data   string                   `json:"data"`
		Read   struct {
			StartURL string `json:"startUrl"`
		} `json:"manifest"`
	}
	if err := p.ask(ctx, page.CommandGetAppManifest, nil, &got); err != nil {
		return nil, err
	}
	m := &Manifest{URL: got.URL, starts: got.Read.StartURL}
	for _, e := range got.Errors {
		m.Errors = append(m.Errors, e.Message)
	}
	if got.URL != "" && got.Data != "" {
		m.read(got.Data)
	}
	m.judge(ctx, p)
	return m, nil
}

// read takes over what a manifest says. What is of the wrong type is left out: the
// browser has said so already.
func (m *Manifest) read(data string) {
	var raw map[string]any
	if err := wire.Unmarshal([]byte(data), &raw); err != nil {
		if len(m.Errors) == 0 {
			m.Errors = append(m.Errors, "the manifest is no JSON object: "+err.Error())
		}
		return
	}
	text := func(from map[string]any, key string) string { s, _ := from[key].(string); return s }
	m.Name, m.ShortName, m.Display, m.ID = text(raw, "name"), text(raw, "short_name"), text(raw, "display"), text(raw, "id")
	m.StartURL, m.Scope = m.absolute(text(raw, "start_url")), m.absolute(text(raw, "scope"))
	icons, _ := raw["icons"].([]any)
	for _, i := range icons {
		if icon, ok := i.(map[string]any); ok {
			m.Icons = append(m.Icons, Icon{m.absolute(text(icon, "src")), text(icon, "sizes"), text(icon, "type"), text(icon, "purpose")})
		}
	}
}

// absolute is an address of the manifest in full.
func (m *Manifest) absolute(ref string) string {
	base, err := url.Parse(m.URL)
	if err != nil || ref == "" {
		return ref
	}
	full, err := base.Parse(ref)
	if err != nil {
		return ref
	}
	return full.String()
}

// judge asks the browser whether the page can be installed. A headless shell has
// nowhere to install to and does not say: then the manifest alone counts.
func (m *Manifest) judge(ctx context.Context, p *Page) {
	var r page.GetInstallabilityErrorsResult
	if err := p.ask(ctx, page.CommandGetInstallabilityErrors, nil, &r); err != nil {
		m.Unknown, m.Missing = true, m.lacks()
		return
	}
	for _, e := range r.InstallabilityErrors {
		if e.ErrorID == "in-incognito" {
			continue // so is every session; it says nothing of the page
		}
		reason := cmp.Or(reasons[e.ErrorID], strings.ReplaceAll(e.ErrorID, "-", " "))
		for _, a := range e.ErrorArguments {
			reason += ", " + strings.ReplaceAll(a.Name, "-", " ") + " " + a.Value
		}
		m.Missing = append(m.Missing, reason)
	}
	if len(m.Missing) == 0 {
		m.Missing = m.lacks()
	}
	m.Installable = len(m.Missing) == 0
}

// lacks is what a manifest must have to be installed.
func (m *Manifest) lacks() []string {
	if m.URL == "" {
		return []string{reasons["no-manifest"]}
	}
	var list []string
	if m.Name == "" && m.ShortName == "" {
		list = append(list, reasons["manifest-missing-name-or-short-name"])
	}
	if m.StartURL == "" || m.starts != "" && !sameOrigin(m.StartURL, m.starts) {
		list = append(list, reasons["start-url-not-valid"])
	}
	switch m.Display {
	case "standalone", "fullscreen", "minimal-ui", "window-controls-overlay":
	default:
		list = append(list, reasons["manifest-display-not-supported"])
	}
	if !slices.ContainsFunc(m.Icons, func(i Icon) bool { return largeEnough(i.Sizes) }) {
		list = append(list, reasons["manifest-missing-suitable-icon"])
	}
	return list
}

func sameOrigin(a, b string) bool {
	one, err := url.Parse(a)
	other, worse := url.Parse(b)
	return err == nil && worse == nil && one.Scheme == other.Scheme && one.Host == other.Host
}

// largeEnough says whether one of an icon's sizes is at least 144 pixels.
func largeEnough(sizes string) bool {
	for size := range strings.FieldsSeq(strings.ToLower(sizes)) {
		width, height, _ := strings.Cut(size, "x")
		w, _ := strconv.Atoi(width)
		h, _ := strconv.Atoi(height)
		if size == "any" || w >= 144 && h >= 144 {
			return true
		}
	}
	return false
}

// reasons are the browser's reasons against an installation, in words.
var reasons = map[string]string{
	"not-from-secure-origin":                  "the page is not from a secure origin: https, or localhost",
	"no-manifest":                             `the page has no manifest: <link rel="manifest" href="…">`,
	"manifest-empty":                          "the manifest is empty, could not be fetched or could not be read",
	"manifest-missing-name-or-short-name":     "the manifest has no name or short_name",
	"start-url-not-valid":                     "the manifest has no start_url, or not one of the page's origin",
	"manifest-display-not-supported":          "display has to be standalone, fullscreen or minimal-ui",
	"manifest-missing-suitable-icon":          "the manifest has no icon of at least 144×144 pixels (PNG, SVG or WebP, purpose any)",
	"no-acceptable-icon":                      "no icon is large enough, square and of purpose any",
	"cannot-download-icon":                    "an icon could not be downloaded",
	"no-icon-available":                       "an icon was downloaded, but is empty or broken",
	"url-not-supported-for-webapk":            "the manifest has an address with a user name or password",
	"prefer-related-applications":             "the manifest prefers related applications",
	"not-offline-capable":                     "the page does not work offline",
	"warn-not-offline-capable":                "the page does not work offline",
	"manifest-location-changed":               "the manifest's address changed while it was fetched",
	"manifest-display-override-not-supported": "the first of display_override that is known has to be standalone, fullscreen or minimal-ui",
	"not-in-main-frame":                       "the page is not the tab's own",
	"pipeline-restarted":                      "the page went elsewhere meanwhile",
	"scheme-not-supported-for-webapk":         "the page is neither http nor https",
	"no-matching-service-worker":              "no service worker is registered for start_url",
}
