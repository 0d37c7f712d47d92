package recording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"

	"rove/aria"
	"rove/internal/wire"
)

// Flow is a recording made fit to be done again: only what counts, with what must
// be so after each step. Scripts of all formats are written from it, and it is
// replayed as it is.
type Flow struct {
	FlowHeader
	Steps []Do
}

// FlowHeader is the first line of a flow's file.
type FlowHeader struct {
	Rove    string  `json:"rove"` // "flow"
	Version int     `json:"version"`
	Name    string  `json:"name,omitempty"`
	Base    string  `json:"base"`          // the origin that paths are of
	Size    *Size   `json:"size,omitzero"` // of the visible page: small ones look otherwise
	Params  []Param `json:"params,omitempty"`
	Proof   *Proof  `json:"proof,omitempty"`
	// Notes are what is to be said about it: what was left out, and why.
	Notes []string `json:"notes,omitempty"`
}

// Param is a value that is not written into the flow: {{param:NAME}} stands for it.
type Param struct {
	Name string `json:"name"`
	// Kind says where it comes from: secret (the user has it), fresh (made for each
	// run from Value) or today (the date of the run).
	Kind string `json:"kind"`
	// Value is what fresh is made from: {{now}} is a number that no other run has; and the
	// date that today was in the recording.
	Value string `json:"value,omitempty"`
	Env   string `json:"env,omitempty"` // the variable that has a secret
}

// The kinds of parameters.
const (
	Secret = "secret"
	Fresh  = "fresh"
	Today  = "today"
)

// Do is one step of a flow.
type Do struct {
	N     int       `json:"n"` // of the verb in the recording
	Op    string    `json:"op"`
	Who   *Identity `json:"who,omitempty"` // nil for what concerns the page
	Value string    `json:"value,omitempty"`
	// Empty says that the field had nothing in it, so that nothing has to be cleared.
	Empty bool `json:"empty,omitzero"`
	// Leads says that the step led to another document.
	Leads bool `json:"leads,omitzero"`
	// Asks says that the step opens a dialog of the browser, which the next answers.
	Asks bool `json:"asks,omitzero"`
	// Opens says that the step opens a list or menu that the page makes itself.
	Opens bool `json:"opens,omitzero"`
	// Drops says that files were dropped on an element, which opens no chooser for them.
	Drops bool `json:"drops,omitzero"`
	// Proves is the step, counted from 1, whose work has to outlive this one: the page is
	// loaded again, and shows only what was kept. 0 is none.
	Proves int       `json:"proves,omitzero"`
	Saves  *Request  `json:"saves,omitempty"` // the request that wrote something
	Also   []Request `json:"also,omitempty"`  // further ones that did
	Checks []Check   `json:"checks,omitempty"`
	// Spares are further texts that were seen: a proof takes one in the place of a
	// check that says nothing.
	Spares []Check `json:"-"`
}

// Writes are the requests of a step that wrote something.
func (do *Do) Writes() []Request {
	if do.Saves == nil {
		return nil
	}
	return append([]Request{*do.Saves}, do.Also...)
}

// SignsIn says that what a step sent had a password in it: that it was kept shows in
// all that comes after. It is what the first press after the password sends, by whatever
// method.
func (f *Flow) SignsIn(i int) bool {
	for j := i; j >= 0; j-- {
		do := &f.Steps[j]
		if do.Who != nil && do.Who.Secret {
			return true
		}
		if j < i && (do.Saves != nil || do.Op == "click" || do.Op == "press") {
			return false
		}
	}
	return false
}

// Unsave takes away the first of the writes of a step, which the page makes by itself.
func (do *Do) Unsave() {
	do.Saves = nil
	if len(do.Also) > 0 {
		q := do.Also[0]
		do.Saves, do.Also = &q, do.Also[1:]
	}
}

// Writing says that requests of a method are there to change something, and not to ask.
func Writing(method string) bool {
	switch method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY":
		return false
	}
	return true
}

// Same says that a request is of the same kind as another: of its method, to its path, and
// for the same operation of GraphQL.
func (q *Request) Same(o *Request) bool {
	return q.Method == o.Method && q.Path() == o.Path() && q.Asks == o.Asks
}

// String is what a request is, and where it goes to.
func (q *Request) String() string { return q.Method + " " + q.Path() + asksFor(q.Asks) }

func asksFor(asks string) string {
	if asks == "" {
		return ""
	}
	return " (" + asks + ")"
}

// Path is where a request goes to, as PathPattern has it.
func (q *Request) Path() string {
	if u, err := url.Parse(q.URL); err == nil {
		return PathPattern(u.Path)
	}
	return PathPattern(q.URL)
}

// Enters says that a step types or chooses a value.
func (do *Do) Enters() bool {
	return len(do.Value) > 1 && (do.Op == "input" || do.Op == "type" || do.Op == "select" || do.Op == "set")
}

// Leaves says that a step leads to another page.
func (do *Do) Leaves() bool {
	return do.Leads || do.Op == "go" || do.Op == "back" || do.Op == "forward" || do.Op == "tab"
}

// Reload is the step that loads the page again which a step, counted from 1, is done on or
// led to. A page that is the answer to a form is asked for: loading it again would send
// the form once more.
func (f *Flow) Reload(step int) Do {
	for i := min(step, len(f.Steps)) - 1; i >= 0; i-- {
		do := &f.Steps[i]
		if !do.Leaves() {
			continue
		}
		if q := do.Saves; q != nil && do.Leads && strings.EqualFold(q.Type, "document") && q.Status < 300 {
			return Do{Op: "go", Value: strings.TrimPrefix(q.URL, f.Base)}
		}
		break
	}
	return Do{Op: "refresh"}
}

// Check is something that must be so after a step.
type Check struct {
	Kind  string `json:"kind"` // url, title, text, gone, dialog, value, status, download, kept or unkept
	Text  string `json:"text,omitempty"`
	Role  string `json:"role,omitempty"`
	Query string `json:"q,omitempty"` // where a text is; of kept and unkept, the path that is asked
	Frame bool   `json:"frame,omitzero"`
	// Redirects says that the answer of a status led on to another page: a form that
	// is shown again, with what is wrong in it, is answered well and saved nothing.
	Redirects bool `json:"redirects,omitzero"`
	// Asks is the operation of GraphQL that a status is of.
	Asks string `json:"asks,omitempty"`
	// With is where something else is that has to be there while a text is gone: a page
	// that has not loaded yet has nothing at all.
	With string `json:"with,omitempty"`
	// Of is what the field is called that a value is of.
	Of string `json:"of,omitempty"`
}

// String is the check in words.
func (c Check) String() string {
	switch c.Kind {
	case "url":
		return "the address is " + c.Text
	case "gone":
		return fmt.Sprintf("%q is gone", c.Text)
	case "text":
		if c.Role == "place" {
			return c.Text
		}
		if c.Role != "" && c.Role != "text" {
			return fmt.Sprintf("%s %q is there", c.Role, c.Text)
		}
		return fmt.Sprintf("%q is there", c.Text)
	case "value":
		return fmt.Sprintf("%s holds %q", c.Of, c.Text)
	case "kept":
		return fmt.Sprintf("GET %s answers with %q", c.Query, c.Text)
	case "unkept":
		return fmt.Sprintf("GET %s answers without %q", c.Query, c.Text)
	case "status":
		if c.Redirects {
			return c.Text + " leads on to another page"
		}
		return c.Text + asksFor(c.Asks) + " is answered well"
	}
	return fmt.Sprintf("the %s is %q", c.Kind, c.Text)
}

// Proof is what was found out about a flow by running it.
type Proof struct {
	Passed  int      `json:"passed"`
	Runs    int      `json:"runs"`
	Times   []int64  `json:"ms,omitzero"`
	Heals   int      `json:"heals,omitzero"`
	Checks  int      `json:"checks"`            // that are left
	Fail    int      `json:"fail"`              // of them, that fail when their cause is missing
	Saves   int      `json:"saves,omitzero"`    // requests that were answered with 500
	Caught  int      `json:"caught,omitzero"`   // of them, noticed
	Lost    int      `json:"lost,omitzero"`     // saves that were answered well and never reached the app
	Noticed int      `json:"noticed,omitzero"`  // of them, noticed
	Unseen  []string `json:"unseen,omitempty"`  // the others: step 5, PUT /notes/*
	Reset   bool     `json:"reset,omitzero"`    // the app was put back before each run
	Dropped []string `json:"dropped,omitempty"` // checks that said nothing, and why
	Why     string   `json:"why,omitempty"`     // it is not proved
}

// Proved says whether a flow may be handed over without a word of warning.
func (p *Proof) Proved() bool {
	return p != nil && p.Why == "" && p.Runs > 0 && p.Passed == p.Runs && p.Fail == p.Checks && p.Checks > 0
}

// String is the verdict with its figures, on one line.
func (p *Proof) String() string {
	if p == nil {
		return "UNPROVED: nobody has run it"
	}
	var b strings.Builder
	switch {
	case p.Proved() && p.Caught == p.Saves && p.Noticed == p.Lost:
		b.WriteString("proved: ")
	case p.Proved() && len(p.Unseen) > 0:
		b.WriteString("proved, but for what is stored (it passes where nothing comes of " + strings.Join(p.Unseen, "; ") + "): ")
	case p.Proved():
		b.WriteString("proved, but for what is stored (it passes where a save comes to nothing): ")
	default:
		b.WriteString("UNPROVED: ")
		if p.Why != "" {
			b.WriteString(p.Why + "; ")
		}
	}
	fmt.Fprintf(&b, "passed %d of %d replays in fresh contexts", p.Passed, p.Runs)
	if len(p.Times) > 0 {
		b.WriteString(" (")
		for i, ms := range p.Times {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%.1f s", float64(ms)/1000)
		}
		b.WriteString(")")
	}
	fmt.Fprintf(&b, ", %d heals; %d of %d assertions fail when their cause is missing", p.Heals, p.Fail, p.Checks)
	if p.Saves > 0 {
		fmt.Fprintf(&b, "; %d of %d failed saves noticed", p.Caught, p.Saves)
	}
	if p.Lost > 0 {
		fmt.Fprintf(&b, "; %d of %d that stored nothing", p.Noticed, p.Lost)
	}
	if !p.Reset && p.Runs > 0 {
		b.WriteString("; without a reset between runs")
	}
	return b.String()
}

var key = regexp.MustCompile(`^(\d+|[0-9a-fA-F]{8,}|[0-9a-fA-F-]{32,36})$`)

// PathPattern is a path with * in the place of the keys of things, which are others
// in another run.
func PathPattern(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if key.MatchString(p) {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

// ParamPlace finds the parameters in a text.
var ParamPlace = regexp.MustCompile(`\{\{param:([A-Za-z_][A-Za-z0-9_]*)\}\}`)

// Write writes a flow as JSON lines.
func (f *Flow) Write(w io.Writer) error {
	head := f.FlowHeader
	head.Rove, head.Version = "flow", Version
	out := bufio.NewWriter(w)
	data, err := wire.Marshal(head)
	if err != nil {
		return err
	}
	_, _ = out.Write(append(aria.RevealJSON(data), '\n'))
	for i := range f.Steps {
		if data, err = wire.Marshal(&f.Steps[i]); err != nil {
			return err
		}
		_, _ = out.Write(append(aria.RevealJSON(data), '\n'))
	}
	return out.Flush()
}

// ReadFlow reads what Flow.Write wrote.
func ReadFlow(r io.Reader) (*Flow, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	f := &Flow{}
	for n := 1; lines.Scan(); n++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		if f.Version == 0 {
			if err := wire.Unmarshal(text, &f.FlowHeader); err != nil || f.Rove != "flow" || f.Version < 1 {
				return nil, errors.New(`it is no flow: its first line is not {"rove":"flow","version":1}`)
			}
			if f.Version > Version {
				return nil, fmt.Errorf("it is a flow of version %d, and this rove reads up to %d: use a newer one", f.Version, Version)
			}
			continue
		}
		var d Do
		if err := wire.Unmarshal(text, &d); err != nil {
			return nil, wrongLine("flow", n, err)
		}
		f.Steps = append(f.Steps, d)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	switch {
	case f.Version == 0:
		return nil, errors.New("it is empty")
	case len(f.Steps) == 0:
		return nil, errors.New("it is a flow without a step: nothing can be done")
	}
	return f, nil
}
