// Package tool is the table of tools. A tool is one value: name, one line of
// help, an input struct, whether it only reads, and a function. Every door
// (MCP, the command line, HTTP) lists and runs what stands in the table, so that
// none has a tool that another lacks.
//
// Tools hold no state. A tool's function gets a Context, which hands out the
// session of its own conversation and no other.
//
//	t, err := tool.Find("look")
//	call, err := t.Prepare(conversation, []byte(`{"find":"price"}`), tool.Defaults{})
//	out, err := call.Run(ctx)
//	fmt.Println(out.Text)
//
// The JSON schema of the input is derived from the struct: names from the json
// tag, descriptions from the jsonschema tag, the words a field takes from the
// enum tag. What the schema says is what Prepare holds its input to. The about tag
// is for people: it costs a model nothing.
package tool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"rove"
	"rove/aria"
	"rove/driver"
	"rove/internal/inside"
	"rove/internal/outlet"
	"rove/internal/session"
)

// Tool is one row of the table.
type Tool struct {
	Name string
	Set  string // the set it belongs to: agent, …
	Help string // what a model reads: what it does and how
	// ReadOnly says that it changes nothing, neither here nor on a server.
	ReadOnly bool
	// Gentle says that what it changes is no loss: a size, a place, what is shown.
	Gentle bool
	// Local says that it touches nothing beyond this machine.
	Local bool
	// Input gives the JSON schema of its parameters, as a model gets it. It is made
	// when somebody asks: a command needs none of them.
	Input func() *jsonschema.Schema
	// Parameters are the same for people, and for doors that have a flag for
	// each.
	Parameters func() []Parameter

	prepare func(raw []byte) (prepared, error)
}

// Parameter is one thing that a tool can be told.
type Parameter struct {
	Name     string
	Type     string   // string, integer, number, boolean or array
	About    string   // one line
	Enum     []string // the words it takes, where they are few
	Required bool
}

// prepared is an input that was read and checked.
type prepared struct {
	session string
	run     func(context.Context, *Context) (Output, error)
}

// Output is what a tool answers: the text for a model and the data for a
// program, made from one value. A failure can have an output as well: what was
// done before it.
type Output struct {
	Text   string
	Data   any // encodes as JSON; nil where there is none
	Images []Image
}

// Image is a picture for a model to see.
type Image struct {
	Type string `json:"type"` // its media type
	Data []byte `json:"data"`
}

// Defaults are what a door sets for the parameters that a call leaves out.
type Defaults struct {
	Budget *int // of look, in tokens; nil is rove.LookBudget
}

// Context is what a tool gets of the world.
type Context struct {
	Defaults Defaults
	call     *session.Call
	opened   func(*rove.Session)
	session  *rove.Session // once it was asked for
}

// Session is the browser session of this call: the conversation's default, or
// the one its input named. It waits until it is ready and the call's turn has
// come.
func (c *Context) Session(ctx context.Context) (*rove.Session, error) {
	s, err := c.call.Session(ctx)
	if err == nil {
		c.session = s
	}
	if err == nil && c.opened != nil {
		c.opened(s)
	}
	return s, err
}

// FilePath finds a file that this call's session may read: one of the session's
// own, by its name or path, or any other that its rules allow. Only where it must
// be one of its own, or there are rules, is the session asked.
func (c *Context) FilePath(ctx context.Context, path string) (string, error) {
	if _, err := os.Stat(path); (err == nil || filepath.IsAbs(path)) && c.call.AnyFile() {
		return path, nil
	}
	s, err := c.Session(ctx)
	if err != nil {
		return "", err
	}
	return inside.Of(s).FilePath(path)
}

// noPage is what is said of a session that a tool has opened which opens no page: whoever
// meant one that there was, or one that could not be opened, is not to take it for that.
const (
	noPage  = "this session is new, and no page is open in it yet"
	goFirst = "go to one first"
)

// blank says that a session shows no page.
func blank(s *rove.Session) bool {
	return s != nil && slices.Contains([]string{"", "about:blank"}, s.Driver().Tab().URL())
}

// nothingYet is the error of waiting for something of a page where no session is open, and so
// no page: it would never come, and what is waited to go was never there. None is opened then.
func (c *Context) nothingYet(ctx context.Context, condition string) error {
	condition = strings.TrimSpace(condition)
	if _, err := strconv.ParseFloat(condition, 64); err == nil || slices.Contains([]string{"", "idle", "load"}, condition) || !c.call.None(ctx) {
		return nil
	}
	return &rove.Error{Code: rove.CodeNotFound, Op: "wait " + condition, Message: noPage, Hint: goFirst}
}

// Call is a tool with its input, about to run. It has its place among the calls
// of its session already.
type Call struct {
	// Opened, where it is set before Run, is told the session before anything is
	// done in it.
	Opened func(*rove.Session)

	name    string // the tool's
	twice   bool   // it may be made twice
	context Context
	run     func(context.Context, *Context) (Output, error)
	consent *question // nil where nobody has to agree, or somebody has
}

// visits are the tools that open a page, which is the first thing to be done in a
// new session anyway.
var visits = map[string]bool{"go": true, "browser_navigate": true, "browse_navigate": true}

// Prepare reads the input and takes the call's place in the order of its
// session. It does not wait. Run must follow.
func (t *Tool) Prepare(talk *session.Conversation, input []byte, d Defaults) (*Call, error) {
	if err := t.allowed(talk.Browser()); err != nil {
		return nil, err
	}
	p, err := t.prepare(input)
	if err != nil {
		return nil, driver.MaskError(nil, briefError(err))
	}
	return &Call{name: t.Name, twice: t.ReadOnly || visits[t.Name], context: Context{Defaults: d, call: talk.Call(p.session)}, run: p.run, consent: t.question(input)}, nil
}

// Check says what is wrong with an input, without running anything.
func (t *Tool) Check(input []byte) error {
	_, err := t.prepare(input)
	return err
}

// Run runs the tool. Errors are *rove.Error as far as the tool can tell; the
// output beside one is what is to be shown for it, if it has a text.
func (c *Call) Run(ctx context.Context) (Output, error) {
	out, err := c.answer(ctx)
	var o *outlet.Outlet
	if c.context.session != nil {
		o = inside.Of(c.context.session).Outlet
	}
	// The one exit of all tools: whatever a tool made of what it was told, nothing
	// secret is in it, and nothing that a terminal would obey. Before it is cut.
	out.Text, out.Data, err = aria.Reveal(o.Text(out.Text)), outlet.Clean(o, out.Data), driver.MaskError(o.Text, err)
	if err != nil {
		out.Text, err = cut(out.Text), briefError(err)
	}
	return out, err
}

func (c *Call) answer(ctx context.Context) (Output, error) {
	call := c.context.call
	// Also when the tool panics: the session is not to stay busy for good.
	defer func() { call.End() }()
	c.context.opened = c.Opened
	out, err := c.agreedRun(ctx)
	// A browser may have ended just before the call, or under it: who cannot tell
	// does nothing twice that changes something.
	if c.twice {
		if again := call.Again(ctx, err); again != nil {
			call, c.context.call = again, again
			out, err = c.agreedRun(ctx)
		}
	}
	if cause := call.Explain(err); cause != err {
		out, err = Output{}, cause // the text is of a page that is gone
	}
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		// Whatever was in the way of a call that was given up is no news.
		err = &rove.Error{Code: rove.CodeTimeout, Op: c.name, Message: "it was cancelled", Hint: "what it did before that stays done", Err: context.Canceled}
		return Output{Text: err.Error()}, err
	}
	note := call.Note()
	if note == "" && (err == nil || out.Text != "") && call.Opened() && !visits[c.name] && blank(c.context.session) {
		note = "note: " + noPage + "; " + goFirst
	}
	if note != "" {
		if err != nil && out.Text == "" {
			out.Text = err.Error()
		}
		out.Text = note + "\n" + out.Text
	}
	return out, err
}

// agreedRun runs the tool once somebody has agreed to it who has to.
func (c *Call) agreedRun(ctx context.Context) (Output, error) {
	if c.consent != nil {
		s, err := c.context.Session(ctx)
		if err != nil {
			return Output{}, err
		}
		if err := inside.Of(s).Consent(ctx, c.consent.op, c.consent.target, c.consent.value); err != nil {
			return Output{}, err
		}
		c.consent = nil // of a second try nobody is asked
	}
	return c.run(ctx, &c.context)
}

// row makes a row of the table from a function of an input struct.
func row[In input](set, name string, readOnly bool, help string, run func(context.Context, *Context, In) (Output, error)) *Tool {
	return &Tool{
		Name: name, Set: set, Help: help, ReadOnly: readOnly,
		Input: sync.OnceValue(schema[In]), Parameters: sync.OnceValue(parameters[In]),
		prepare: func(raw []byte) (prepared, error) {
			var in In
			if err := decode(name, raw, &in); err != nil {
				return prepared{}, err
			}
			return prepared{in.session(), func(ctx context.Context, c *Context) (Output, error) { return run(ctx, c, in) }}, nil
		},
	}
}

// gentle marks a tool whose changes are no loss.
func (t *Tool) gentle() *Tool {
	t.Gentle = true
	return t
}

// local marks a tool that touches nothing beyond this machine.
func (t *Tool) local() *Tool {
	t.Local = true
	return t
}

// input is what every input struct gets from embedding Where.
type input interface{ session() string }

// Where is the parameter that every tool has.
type Where struct {
	Session string `json:"session,omitempty" about:"a session of this name, apart from all others"`
}

func (w Where) session() string { return w.Session }

// Sets lists the names of the sets, the default first.
func Sets() []string {
	var sets []string
	for _, t := range table {
		if len(sets) == 0 || sets[len(sets)-1] != t.Set {
			sets = append(sets, t.Set)
		}
	}
	return sets
}

// Set gives the tools of a set, or of several with commas between them; "" is
// the agent's, "all" is every tool.
func Set(names string) ([]*Tool, error) {
	if names == "" {
		names = Sets()[0]
	}
	if names == "all" {
		return table, nil
	}
	var tools []*Tool
	for name := range strings.SplitSeq(names, ",") {
		before := len(tools)
		for _, t := range table {
			if t.Set == strings.TrimSpace(name) {
				tools = append(tools, t)
			}
		}
		if len(tools) == before {
			return nil, invalid("tools", "there is no set of tools %q: say %s, or all", name, strings.Join(Sets(), ", "))
		}
	}
	return tools, nil
}

// Find gives the tool of that name.
func Find(name string) (*Tool, error) {
	known := make([]string, len(table))
	for i, t := range table {
		if t.Name == name {
			return t, nil
		}
		known[i] = t.Name
	}
	return nil, invalid("tools", "there is no tool %q: say %s", name, strings.Join(known, ", "))
}

func invalid(op, format string, args ...any) *rove.Error {
	return &rove.Error{Code: rove.CodeInvalid, Op: op, Message: fmt.Sprintf(format, args...)}
}

// Definitions is what a model is shown of tools before it calls one: name,
// description and the schema of the input, as MCP lists them.
func Definitions(tools []*Tool) []Definition {
	list := make([]Definition, len(tools))
	for i, t := range tools {
		list[i] = Definition{t.Name, t.Help, t.Input()}
	}
	return list
}

// Definition is one tool as a model is shown it.
type Definition struct {
	Name        string             `json:"name"`
	Description string             `json:"description"`
	InputSchema *jsonschema.Schema `json:"inputSchema"`
}
