package rove

import (
	"context"
	"fmt"
	"strings"

	"rove/aria"
	"rove/driver"
	"rove/driver/advice"
	"rove/driver/backend"
)

// Budgets in tokens. A view never costs more than its budget.
const (
	LookBudget = 1500 // of a look that does not say
	ViewBudget = 800  // of the view that Go answers with, and of what an act changed
	// ArrivalBudget is of the view of a page that an act led to: what it is and what
	// is most worth knowing. Whoever wants more looks.
	ArrivalBudget = 220
	// SmallPage is what such a page may cost to be shown whole.
	SmallPage = 400
	// FormBudget is of such a page whose fields and buttons have no room in that.
	FormBudget = 600
	formStep   = 100
	formFields = 2 // that are left out, and make it a form
)

// Mode says what of the page to show.
type Mode string

const (
	ModePage        Mode = ""            // what is there
	ModeInteractive Mode = "interactive" // only what can be operated, and what tells it apart
	ModeText        Mode = "text"        // the readable content as Markdown, main content first
)

// Format says how the tree is written.
type Format string

const (
	FormatCompact Format = ""     // a line an element, few tokens
	FormatYAML    Format = "yaml" // - role "name" [state] [ref=e1]
)

// LookOptions say what to look at. The zero value is the page within 1,500
// tokens.
type LookOptions struct {
	Ref        string // only this element and what is in it
	Find       string // only lines that match: a text, or a /regular expression/
	Mode       Mode   // page, interactive or text
	Budget     *int   // tokens at most, as in new(500); nil is LookBudget, 0 is everything
	Viewport   bool   // only what is on screen
	Format     Format // compact or yaml
	Since      string // only what changed since a look: "last", or its number
	Screenshot bool   // with a picture
}

// LookResult is a page as seen at a moment.
type LookResult struct {
	Look       int        `json:"look"` // the number of this look, for Since
	URL        string     `json:"url"`
	Title      string     `json:"title"`
	Tree       string     `json:"tree"`
	Actions    Actions    `json:"actions"`
	Tabs       []TabRow   `json:"tabs,omitempty"`
	Dialog     *Dialog    `json:"dialog,omitempty"`
	Downloads  []Download `json:"downloads,omitempty"` // files that came since the last answer
	Loading    bool       `json:"loading,omitempty"`   // the page was still loading
	Folded     int        `json:"folded,omitempty"`    // lines left out of Tree
	Unreadable []string   `json:"unreadable,omitempty"`
	Screenshot []byte     `json:"screenshot,omitempty"` // PNG
	// Picture is the number and size of the screenshot of a look.
	Picture *driver.PictureInfo `json:"picture,omitempty"`

	text string
}

// TabRow is one of several open tabs.
type TabRow struct {
	URL     string `json:"url"`
	Current bool   `json:"current,omitempty"`
}

// Dialog is an open alert, confirm, prompt or beforeunload.
type Dialog struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Default string `json:"default,omitempty"`
}

// Text is what a model reads.
func (r *LookResult) Text() string { return r.text }

// Look shows the page, a part of it, or what changed.
func (s *Session) Look(ctx context.Context, opts LookOptions) (*LookResult, error) {
	want, err := opts.check()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if opts.Screenshot {
		if _, err := s.consent(ctx, Step{Ref: "_page", Op: "screenshot"}); err != nil {
			return nil, err
		}
	}
	r, err := verb(s, "look", opts.String(), func() (*LookResult, error) { return s.look(ctx, opts, want) })
	if err != nil {
		return nil, err
	}
	if opts.Screenshot && r.Dialog == nil {
		tab := s.driver.Tab()
		e, err := tab.CapturePage(ctx, backend.ScreenshotOptions{})
		if err != nil {
			return nil, s.failed(err)
		}
		s.pictures.keep(e.Picture, e.Shot, tab)
		r.Screenshot, r.Picture = e.Picture, e.Shot
		r.text += "\n" + pictured(e.Shot)
	}
	return r, nil
}

// String is the options as a model would write them.
func (o *LookOptions) String() string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, strings.TrimSpace(name+" "+value))
		}
	}
	add("", o.Ref)
	add("find", o.Find)
	add("mode", string(o.Mode))
	add("format", string(o.Format))
	add("since", o.Since)
	return strings.Join(parts, " ")
}

// lookPlan is LookOptions, checked and read.
type lookPlan struct {
	find   *aria.Pattern
	budget int
	whole  bool // the tree is that of the whole page
	// arrival: the page is a new one, and before is the one that was shown last.
	arrival bool
	before  *aria.Tree
}

func (o *LookOptions) check() (lookPlan, error) {
	w := lookPlan{budget: LookBudget, whole: o.Ref == "" && o.Find == "" && !o.Viewport && o.Mode != ModeText}
	if o.Budget != nil {
		w.budget = *o.Budget
	}
	if w.budget < 0 {
		return w, driver.Invalid("look", "budget %d: a number of tokens, or 0 for everything", w.budget)
	}
	switch o.Mode {
	case ModePage, ModeInteractive, ModeText:
	case "page":
		o.Mode = ModePage
	default:
		return w, driver.Invalid("look", "mode %q: say page, interactive or text", o.Mode)
	}
	switch o.Format {
	case FormatCompact, FormatYAML:
	case "compact":
		o.Format = FormatCompact
	default:
		return w, driver.Invalid("look", "format %q: say compact or yaml", o.Format)
	}
	if o.Since != "" && (o.Find != "" || !w.whole || o.Mode != ModePage) {
		return w, driver.Invalid("look", "since compares whole pages; leave ref, find, viewport and mode out")
	}
	if o.Find != "" {
		p, err := aria.ParsePattern(o.Find)
		if err != nil {
			return w, driver.Invalid("look", "%v", err)
		}
		w.find = p
	}
	return w, nil
}

// look does the work; the session's turn is held.
func (s *Session) look(ctx context.Context, opts LookOptions, want lookPlan) (*LookResult, error) {
	tab, note, err := s.currentTab(ctx)
	if err != nil {
		return nil, err
	}
	if d := tab.Dialog(); d != nil {
		return s.blocked(ctx, tab, d), nil
	}
	var since *aria.Tree
	if opts.Since != "" {
		var err error
		if since, err = s.looks.recall(opts.Since); err != nil {
			return nil, err
		}
	}
	if opts.Ref != "" && !driver.IsRef(opts.Ref) {
		if opts.Ref, err = s.only(ctx, tab, opts.Ref); err != nil {
			return nil, err
		}
	}
	snap := driver.SnapshotOptions{Ref: aria.Ref(opts.Ref), Viewport: opts.Viewport, Links: opts.Mode == ModeText}
	if want.find != nil {
		snap.Find = &driver.Pattern{Source: want.find.Source, Flags: want.find.Flags}
	}
	bound, cancel := s.boundedWait(ctx)
	tree, err := tab.Snapshot(bound, snap)
	cleanTree(s.out, tree)
	cancel()
	if err != nil {
		// A dialog that opened under the look is what there is to see.
		if d := tab.Dialog(); d != nil {
			return s.blocked(ctx, tab, d), nil
		}
		return nil, s.held(err)
	}
	r := &LookResult{
		Look: s.looks.keep(tree, want.whole), URL: tree.URL, Title: tree.Title,
		Actions: Actions{tree}, Unreadable: tree.Unreadable, Tabs: s.tabs(),
	}

	// The lines around the view count towards its budget.
	files, arrived := s.arrived()
	r.Downloads = files
	foot := s.tabsLine(r.Tabs) + arrived
	can := func(string) string { return "" }
	if opts.Mode != ModeText && want.find == nil && since == nil {
		can = s.looks.can(tree, want.budget, aria.Options{Brief: want.arrival})
	}
	var begin, end string
	if opts.Mode == ModeText && want.find == nil {
		begin, end = aria.Fence()
	}
	room := want.budget
	if room > 0 {
		room = max(1, room-aria.Tokens(begin+end+foot+can("")))
	}
	view := render(tree, since, opts, want, room)
	head, body, ok := strings.Cut(view.Text, "\n")
	if !ok {
		head, body = "", view.Text
	} else {
		head += "\n"
	}
	// In the data the address and title have fields of their own.
	r.Tree, r.Folded = body, view.Left
	r.text = note + strings.TrimRight(head+begin+body+end+foot+can(view.Text), "\n")
	return r, nil
}

func render(tree, since *aria.Tree, opts LookOptions, want lookPlan, budget int) aria.View {
	o := aria.Options{YAML: opts.Format == FormatYAML, Brief: want.arrival, Before: want.before, Each: opts.Ref != ""}
	if opts.Mode == ModeInteractive {
		tree = aria.Interactive(tree)
	}
	switch {
	case want.find != nil:
		return aria.Find(tree, want.find, budget, o)
	case opts.Mode == ModeText:
		return aria.Markdown(tree, budget, o)
	case since != nil:
		return changes(since, tree, budget, o)
	default:
		return aria.Fit(tree, budget, o)
	}
}

// changes writes what changed since an earlier look, or the whole page where
// that is shorter, as it is after a navigation.
func changes(before, after *aria.Tree, budget int, o aria.Options) aria.View {
	whole := aria.Fit(after, budget, o)
	head, _, _ := strings.Cut(whole.Text, "\n")
	head += "\n"
	delta := aria.Diff(before, after)
	if delta.Empty() {
		return aria.View{Text: head + "no change\n"}
	}
	room := budget
	if room > 0 {
		room = max(1, room-aria.Tokens(head))
	}
	text := head + delta.Render(room)
	if n := aria.Tokens(text); n < whole.Tokens {
		return aria.View{Text: text, Tokens: n}
	}
	return whole
}

// blocked is the view of a page that shows a dialog: nothing else can be read.
func (s *Session) blocked(ctx context.Context, tab *driver.Tab, d *backend.Dialog) *LookResult {
	r := &LookResult{
		URL: tab.URL(), Actions: Actions{&aria.Tree{}}, Tabs: s.tabs(),
		Dialog: &Dialog{Type: d.Type, Message: d.Message, Default: d.Default},
	}
	r.text = fmt.Sprintf("%s\ndialog %s %q", r.URL, d.Type, d.Message)
	if d.Default != "" {
		r.text += fmt.Sprintf(" =%q", d.Default)
	}
	answer := advice.GiveAnswer
	if d.Type == "prompt" {
		answer = advice.GiveText
	}
	r.text += "\nthe page waits for an answer: " + advice.From(ctx).Say(answer)
	return r
}

// tabs lists the open tabs where there are several.
func (s *Session) tabs() []TabRow {
	open := s.driver.Tabs()
	if len(open) < 2 {
		return nil
	}
	current := s.driver.Tab()
	rows := make([]TabRow, len(open))
	for i, t := range open {
		rows[i] = TabRow{URL: s.out.Text(t.URL()), Current: t == current}
	}
	return rows
}

// tabsListed is how many tabs a view names.
const tabsListed = 8

func (s *Session) tabsLine(rows []TabRow) string {
	if len(rows) < 2 {
		return ""
	}
	var b strings.Builder
	b.WriteString("other tabs:")
	listed := 0
	for i, r := range rows {
		if r.Current {
			continue
		}
		if listed++; listed > tabsListed {
			fmt.Fprintf(&b, " … and %d more", len(rows)-1-tabsListed)
			break
		}
		fmt.Fprintf(&b, " %d %s", i+1, aria.Plain(clip(r.URL, 80)))
	}
	b.WriteByte('\n')
	return b.String()
}

// Tokens estimates what a text costs a model, by excess rather than by default.
func Tokens(s string) int { return aria.Tokens(s) }
