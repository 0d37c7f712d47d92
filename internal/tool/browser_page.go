package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rove"
	"rove/aria"
	"rove/driver/backend"
	"rove/internal/outlet"
)

type navigateParams struct {
	URL string `json:"url" about:"as a person would type it; a name alone is https, localhost is http"`
	pagePatience
	Where
}

// navigated is what came of a navigation, for programs.
type navigated struct {
	OK       bool           `json:"ok"`
	URL      string         `json:"url"` // where it ended
	Title    string         `json:"title,omitempty"`
	Status   int            `json:"status,omitempty"`
	Failure  string         `json:"failure,omitempty"` // its type: DNS, refused, reset, TLS, timeout, HTTP, blocked, …
	Error    string         `json:"error,omitempty"`
	Loading  bool           `json:"loading,omitempty"`
	Download *rove.Download `json:"download,omitempty"`
}

func navigate(ctx context.Context, c *Context, in navigateParams) (Output, error) {
	const name = "browser_navigate"
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	bound, cancel, err := in.bound(ctx, name)
	if err != nil {
		return Output{}, err
	}
	defer cancel()
	r, err := s.Go(bound, in.URL)
	if err != nil {
		kind, e := failure(err, in.within())
		without, _ := outlet.Login(in.URL)
		return Output{Data: navigated{URL: without, Failure: kind, Error: e.Message}}, e
	}
	if !strings.HasPrefix(r.URL, "http") {
		r.Status = 0 // other schemes have none
	}
	d := navigated{OK: true, URL: r.URL, Title: r.Title, Status: r.Status, Loading: r.Loading, Download: r.Download}
	text := aria.Plain(r.URL)
	if r.Title != "" {
		text += " — " + aria.Quote(r.Title)
	}
	switch {
	case r.Download != nil:
		return downloaded(d, text)
	case r.Status == http.StatusNoContent || r.Status == http.StatusResetContent:
		return Output{Text: fmt.Sprintf("HTTP %d: the server sent no page; it is still %s", r.Status, text), Data: d}, nil
	case r.Status >= 400:
		d.OK, d.Failure = false, "HTTP"
		d.Error = strings.TrimSpace(fmt.Sprintf("HTTP %d %s", r.Status, http.StatusText(r.Status)))
		e := &rove.Error{Code: rove.CodeNavigation, Op: name, Message: d.Error, Hint: "the page is there all the same"}
		return Output{Text: d.Error + ": " + text + "\nthe page is there all the same", Data: d}, e
	}
	if r.Status > 0 {
		text += fmt.Sprintf(" (HTTP %d)", r.Status)
	}
	if len(r.Left) > 0 {
		text = "left behind: " + strings.Join(r.Left, "; ") + "\n" + text
	}
	if r.Loading {
		text += "\nit is still loading, and can be used"
	}
	if r.Dialog != nil {
		text += fmt.Sprintf("\nthe page shows the dialog %s %s: answer it with browser_handle_dialog", r.Dialog.Type, aria.Quote(r.Dialog.Message))
	}
	return Output{Text: text, Data: d}, nil
}

// downloaded is the answer to a navigation that gave a file.
func downloaded(d navigated, page string) (Output, error) {
	f := d.Download
	e := &rove.Error{Op: "browser_navigate", Err: nil}
	switch {
	case f.Failed:
		d.OK, d.Failure = false, "download"
		e.Code, e.Message, e.Hint = rove.CodeNavigation, fmt.Sprintf("the download %s failed", aria.Quote(f.Name)), "try again"
	case f.Open:
		d.OK, d.Failure = false, "timeout"
		e.Code, e.Message = rove.CodeTimeout, fmt.Sprintf("timeout: the download %s is not complete yet", aria.Quote(f.Name))
		e.Hint = "it goes on: browser_wait_for state download"
	default:
		text := fmt.Sprintf("downloaded %s (%d bytes, %s)\nthe page is still %s", aria.Quote(f.Path), f.Size, aria.Plain(f.Type), page)
		return Output{Text: text, Data: d}, nil
	}
	d.Error = e.Message
	return Output{Data: d}, e
}

// failures are the types of failed navigations, by why they failed.
var failures = map[backend.Reason]string{
	backend.ReasonDNS: "DNS", backend.ReasonLookup: "DNS", backend.ReasonRefused: "refused", backend.ReasonReset: "reset",
	backend.ReasonClosed: "closed", backend.ReasonEmpty: "empty response", backend.ReasonTLS: "TLS", backend.ReasonCertificate: "TLS",
	backend.ReasonTimeout: "timeout", backend.ReasonBlocked: "blocked", backend.ReasonPort: "blocked", backend.ReasonOffline: "offline",
	backend.ReasonRedirects: "redirects", backend.ReasonAborted: "aborted", backend.ReasonURL: "invalid URL",
}

// failure names the type of a failed navigation, in the data and at the
// beginning of the message.
func failure(err error, waited time.Duration) (string, *rove.Error) {
	e := &rove.Error{Code: rove.CodeOf(err), Message: err.Error(), Err: err}
	if known, ok := errors.AsType[*rove.Error](err); ok {
		told := *known
		e = &told
	}
	kind := "network"
	switch e.Code {
	case rove.CodePolicy:
		kind = "blocked"
	case rove.CodeTimeout:
		kind = "timeout"
	case rove.CodeInvalid:
		kind = "invalid URL"
	case rove.CodeNavigation:
		kind = cmp.Or(failures[e.Reason], kind)
	default:
		kind = string(e.Code)
	}
	if kind == "timeout" && e.Reason == "" {
		e.Message, e.Hint = fmt.Sprintf("timeout: the page did not come within %v", waited), "try again with a longer timeout; is the server answering?"
	}
	e.Op = strings.Replace(e.Op, "go", "browser_navigate", 1)
	if !strings.HasPrefix(e.Message, kind) {
		e.Message = kind + ": " + e.Message
	}
	return kind, e
}

type backParams struct{ Where }

func goBack(ctx context.Context, c *Context, _ backParams) (Output, error) {
	return runSteps(ctx, c, "", travel("back"))
}

func goForward(ctx context.Context, c *Context, _ backParams) (Output, error) {
	return runSteps(ctx, c, "", travel("forward"))
}

// travel is a step that may take as long as a page does.
func travel(op string) rove.Step {
	st := onPage(op, "")
	st.Timeout = elementTime
	return st
}

type reloadParams struct {
	Hard bool `json:"hard,omitempty" about:"past the cache"`
	Where
}

func reloadPage(ctx context.Context, c *Context, in reloadParams) (Output, error) {
	st := travel("refresh")
	if in.Hard {
		st.Value = "hard"
	}
	return runSteps(ctx, c, "", st)
}

type resizeParams struct {
	Width       int     `json:"width" about:"CSS pixels, 1 to 10,000"`
	Height      int     `json:"height" about:"CSS pixels, 1 to 10,000"`
	DeviceScale float64 `json:"device_scale,omitempty" about:"device pixels per CSS pixel, 0.1 to 10; 1 unless told"`
	Mobile      bool    `json:"mobile,omitempty" about:"as a phone or tablet would: the page's viewport tag counts"`
	Where
}

// resized is the size there is now.
type resized struct {
	OK          bool    `json:"ok"`
	Width       int     `json:"width"`
	Height      int     `json:"height"`
	DeviceScale float64 `json:"device_scale"`
	Mobile      bool    `json:"mobile"`
}

func resize(ctx context.Context, c *Context, in resizeParams) (Output, error) {
	d := resized{OK: true, Width: in.Width, Height: in.Height, DeviceScale: in.DeviceScale, Mobile: in.Mobile}
	if d.DeviceScale == 0 {
		d.DeviceScale = 1
	}
	const most = 10000
	switch {
	case d.Width < 1 || d.Height < 1 || d.Width > most || d.Height > most:
		return Output{}, invalid("browser_resize", "%d×%d: width and height go from 1 to 10,000", d.Width, d.Height)
	case d.DeviceScale < 0.1 || d.DeviceScale > 10:
		return Output{}, invalid("browser_resize", "device_scale %v: it goes from 0.1 to 10", d.DeviceScale)
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	view := rove.Viewport{Width: d.Width, Height: d.Height, Scale: d.DeviceScale, Mobile: d.Mobile}
	if err := s.Resize(ctx, view); err != nil {
		return Output{}, err
	}
	text := fmt.Sprintf("the viewport is %d×%d", d.Width, d.Height)
	if d.DeviceScale != 1 {
		text += fmt.Sprintf(", %v device pixels per pixel", d.DeviceScale)
	}
	if d.Mobile {
		text += ", mobile"
	}
	return Output{Text: text, Data: d}, nil
}

type tabsParams struct {
	Action string `json:"action,omitempty" enum:"list,new,select,close" about:"list, new, select or close; list unless told"`
	Tab    int    `json:"tab,omitempty" about:"number of the tab to select or close, from 1; the current one is closed unless told"`
	URL    string `json:"url,omitempty" about:"page of a new tab"`
	Where
}

// tabRow is a tab in the list.
type tabRow struct {
	Tab     int    `json:"tab"`
	URL     string `json:"url"`
	Title   string `json:"title,omitempty"`
	Current bool   `json:"current,omitempty"`
	Dialog  string `json:"dialog,omitempty"`
}

// tabList are the tabs, for programs.
type tabList struct {
	OK   bool     `json:"ok"`
	Tabs []tabRow `json:"tabs"`
}

// titleTime bounds the wait for a page's title.
const titleTime = 2 * time.Second

func tabs(ctx context.Context, c *Context, in tabsParams) (Output, error) {
	const name = "browser_tabs"
	switch {
	case in.URL != "" && in.Action != "new":
		return Output{}, invalid(name, "url goes with action new")
	case in.Tab != 0 && in.Action != "select" && in.Action != "close":
		return Output{}, invalid(name, "tab goes with action select or close")
	case in.Action == "select" && in.Tab == 0:
		return Output{}, invalid(name, "select needs tab: the number of a tab, from 1")
	}
	switch in.Action {
	case "new":
		st := onPage("tab", strings.TrimSpace("new "+in.URL))
		st.Timeout = elementTime
		return runSteps(ctx, c, "", st)
	case "select":
		return runSteps(ctx, c, "", onPage("tab", strconv.Itoa(in.Tab)))
	case "close":
		which := ""
		if in.Tab != 0 {
			which = strconv.Itoa(in.Tab)
		}
		return runSteps(ctx, c, "", onPage("tab", strings.TrimSpace("close "+which)))
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	rows := []tabRow{}
	var b strings.Builder
	if len(s.Driver().Tabs()) == 0 { // the last one has closed itself
		b.WriteString("no tab is open; browser_navigate opens one\n")
	}
	current := s.Driver().Tab()
	for i, t := range s.Driver().Tabs() {
		r := tabRow{Tab: i + 1, Current: t == current}
		if d := t.Dialog(); d != nil {
			r.Dialog = d.Type + " " + aria.Quote(s.Mask(d.Message))
		} else {
			bound, cancel := context.WithTimeout(ctx, titleTime)
			title, _ := t.Title(bound) // one that does not answer has none
			cancel()
			r.Title = s.Mask(title)
		}
		r.URL = s.Mask(t.URL()) // one that has a title has come to its address
		rows = append(rows, r)
		mark := " "
		if r.Current {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s%d %s", mark, r.Tab, aria.Plain(r.URL))
		if r.Title != "" {
			b.WriteString(" — " + aria.Quote(r.Title))
		}
		if r.Dialog != "" {
			b.WriteString(" (dialog " + r.Dialog + ")")
		}
		b.WriteByte('\n')
	}
	return Output{Text: strings.TrimRight(b.String(), "\n"), Data: tabList{true, rows}}, nil
}

type pdfParams struct {
	Landscape  bool    `json:"landscape,omitempty" about:"sideways"`
	Background *bool   `json:"background,omitempty" about:"with background colours and pictures; true unless told"`
	Scale      float64 `json:"scale,omitempty" about:"0.1 to 2; 1 unless told"`
	Pages      string  `json:"pages,omitempty" about:"such as 1-3, 8; all unless told"`
	Where
}

func printPage(ctx context.Context, c *Context, in pdfParams) (Output, error) {
	if in.Scale != 0 && (in.Scale < 0.1 || in.Scale > 2) {
		return Output{}, invalid("browser_pdf", "scale %v: it goes from 0.1 to 2", in.Scale)
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	opts := backend.PDFOptions{Landscape: in.Landscape, Background: in.Background == nil || *in.Background, Scale: in.Scale, Pages: in.Pages}
	pdf, err := s.Driver().PDF(ctx, opts)
	if err != nil {
		return Output{}, err
	}
	file, err := s.Folder().Save(rove.FilePDF, "page.pdf", pdf)
	if err != nil {
		return Output{}, err
	}
	return Output{Text: file.String(), Data: file}, nil
}

type filesParams struct{ Where }

// fileList are the session's files, for programs.
type fileList struct {
	OK     bool        `json:"ok"`
	Folder string      `json:"folder"`
	Files  []rove.File `json:"files"`
}

func listFiles(ctx context.Context, c *Context, _ filesParams) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	files, err := s.Folder().Files()
	if err != nil {
		return Output{}, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d files", s.Folder().Path(), len(files))
	for _, f := range files {
		fmt.Fprintf(&b, "\n%s %s, %d bytes, %s", f.Kind, aria.Word(f.Name), f.Size, f.Time.Format(time.TimeOnly))
	}
	return Output{Text: b.String(), Data: fileList{true, s.Folder().Path(), files}}, nil
}
