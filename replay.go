package rove

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rove/driver"
	"rove/driver/advice"
	"rove/driver/backend"
	"rove/recording"
)

// Flow is something that was done once and can be done again: see docs/RECORD.md.
type Flow = recording.Flow

// ReplayOptions shape a replay. The zero value does a flow as it was done.
type ReplayOptions struct {
	Base   string            // another origin than that of the flow, such as one of staging
	Params map[string]string // values of parameters
	Skip   int               // the step that is left out, counted from 1; 0 for none
	Until  int               // the last step that is done, counted from 1; 0 for all
	Fail   *recording.Request
	// Answers learns what the application answers to what is saved. With Lose, the saves
	// of that step, counted from 1, are answered from it and never reach the application.
	Answers *Answers
	Lose    int
	// Write is which of the writes of that step is lost, counted from 1; 0 is all.
	Write int
	// Blind leaves unchecked how requests are answered, which not every format can see.
	Blind bool
	// Every has all checks of the step Until be tried, and not only up to the first that
	// is not so.
	Every bool
	// Again has the page be loaded again at the end: what it says no longer then is Passing.
	Again bool
	// Patience is for how long an element or what must be so is waited for; 0 is 10 s.
	Patience time.Duration
	// Checks is for how long what must be so after the last step is waited for.
	Checks time.Duration
	// Environment takes secrets that are not given from the variables that the flow names,
	// whatever it names: for flows of one's own.
	Environment bool
}

const replayPatience = 10 * time.Second

// ReplayResult is what a replay came to.
type ReplayResult struct {
	OK      bool     `json:"ok"`
	Done    int      `json:"done"`            // steps
	Steps   int      `json:"steps"`           // of the flow
	Took    int64    `json:"ms"`              //
	Checked int      `json:"checked"`         // what was so
	Heals   []Heal   `json:"heals,omitempty"` // where the first way led nowhere
	Trace   []string `json:"trace"`           // a line for each step
	Error   string   `json:"error,omitempty"`
	Code    Code     `json:"code,omitempty"`
	URL     string   `json:"url"`
	// Failed are the checks of the step it stopped at that were not so, by their
	// number there.
	Failed []int `json:"failed,omitempty"`
	// Unmet says that it stopped at a check, and not at a step.
	Unmet bool `json:"unmet,omitempty"`
	// Unsent says that this check is about a request that was not made at all.
	Unsent bool `json:"unsent,omitempty"`
	// InParts says that the text it stopped for was there, in boxes with nothing between them.
	InParts bool `json:"inParts,omitempty"`
	// Passing is what the page said at the end and no longer says once it is loaded again:
	// messages, above all. Asked for with ReplayOptions.Again.
	Passing []string `json:"passing,omitempty"`
	// Astray are, for each step up to the last that has any, the ways that did not lead to
	// its element.
	Astray [][]int `json:"astray,omitempty"`
	// Wrote is what was sent to be kept, and Reads are the addresses that pages asked for
	// meanwhile. They are told where answers are learned.
	Wrote []Wrote  `json:"wrote,omitempty"`
	Reads []string `json:"reads,omitempty"`
}

// astray keeps which ways to the element of a step led elsewhere.
func (r *ReplayResult) astray(step int, ways []int) {
	if len(ways) == 0 {
		return
	}
	for len(r.Astray) <= step {
		r.Astray = append(r.Astray, []int{})
	}
	r.Astray[step] = append(r.Astray[step], ways...)
}

// Heal is a step whose element was found by another way than the first.
type Heal struct {
	Step    int    `json:"step"` // counted from 1
	Way     int    `json:"way"`  // that led there
	By      string `json:"by"`
	Renamed string `json:"renamed,omitempty"` // what it is called now
	Text    string `json:"text"`
}

// Text is what a model reads.
func (r *ReplayResult) Text() string {
	var b strings.Builder
	word := "replayed"
	if !r.OK {
		word = "stopped at"
	}
	fmt.Fprintf(&b, "%s %d of %d steps in %d ms, %d checks so, now at %s\n", word, r.Done, r.Steps, r.Took, r.Checked, r.URL)
	for _, h := range r.Heals {
		fmt.Fprintf(&b, "heal: %s\n", h.Text)
	}
	if r.Error != "" {
		b.WriteString(r.Error + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// Replay does a flow again. Each element has to be what it was: where the first way
// leads nowhere the next is tried, and where none does, it stops and says what is
// there. No model is asked.
func (s *Session) Replay(ctx context.Context, f *Flow, opts ReplayOptions) (*ReplayResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return verb(s, "replay", f.Name, func() (*ReplayResult, error) { return s.replay(ctx, f, opts) })
}

func (s *Session) replay(ctx context.Context, f *Flow, opts ReplayOptions) (r *ReplayResult, err error) {
	start := time.Now()
	p := &player{session: s, flow: f, opts: opts, used: map[string]int{}, begun: s.lastRequestNumber(), result: &ReplayResult{Steps: len(f.Steps), Trace: []string{}}}
	r = p.result
	defer func() {
		r.Took, r.URL = time.Since(start).Milliseconds(), s.driver.Tab().URL()
		if r.OK = err == nil; err != nil {
			r.Error, r.Code = s.failed(err).Error(), CodeOf(err)
		}
	}()
	if p.params, err = s.values(f, opts, p.base()); err != nil {
		return r, err
	}
	if opts.Fail != nil || opts.Answers != nil {
		if err := s.checkCapability("network"); err != nil {
			return r, err
		}
	}
	if opts.Fail != nil {
		stop, err := s.failing(ctx, recording.PathPattern(p.path(opts.Fail.URL)), opts.Fail)
		if err != nil {
			return r, err
		}
		defer stop()
	}
	if opts.Answers != nil {
		stop, err := p.loseSaves(ctx)
		if err != nil {
			return r, err
		}
		defer stop()
	}
	for i := range f.Steps {
		if opts.Until > 0 && i >= opts.Until {
			break
		}
		p.at.Store(int64(i))
		if err := p.step(ctx, i, &f.Steps[i]); err != nil {
			return r, err
		}
		r.Done++
	}
	if opts.Answers != nil && opts.Lose == 0 {
		p.reads()
	}
	if opts.Again {
		return r, p.again(ctx)
	}
	return r, nil
}

// runFlow does a flow by its name, as a step of an act. Where it stops, whoever
// called it goes on from there.
func (s *Session) runFlow(ctx context.Context, name string) (*driver.Effect, error) {
	f, err := s.Flow(strings.TrimSpace(name))
	if err != nil {
		return nil, err
	}
	before := s.driver.Tab().URL()
	patience := replayPatience / 2
	if deadline, ok := ctx.Deadline(); ok { // there has to be time left to say what the page looks like
		patience = min(patience, max(time.Until(deadline)/3, time.Millisecond))
	}
	r, err := s.replay(ctx, f, ReplayOptions{Patience: patience})
	text := r.Text()
	e := &driver.Effect{Text: &text, Navigated: true}
	if at := s.driver.Tab().URL(); at != before {
		e.URL = at
	}
	return e, err
}

// values gives the parameters of a flow their values: what is given, the session's
// secrets by name, what was typed in the session for the same site, what is made for
// the run, and what the environment has where that was asked for: a flow may be anybody's.
func (s *Session) values(f *Flow, opts ReplayOptions, base string) (map[string]string, error) {
	values := map[string]string{}
	for _, p := range f.Params {
		v, ok := opts.Params[p.Name]
		switch {
		case ok:
		case p.Kind == recording.Fresh:
			v = strings.ReplaceAll(p.Value, "{{now}}", fmt.Sprint(time.Now().UnixMilli()))
		case p.Kind == recording.Today:
			v = time.Now().Format(time.DateOnly)
		case slices.Contains(s.secrets.Names(), p.Name):
			v = "{{secret:" + p.Name + "}}"
		default:
			for _, t := range s.recorder.typed {
				if t.name == p.Name && t.origin == driver.Origin(base+"/") {
					v, ok = t.value, true
				}
			}
			if ok {
				break
			}
			missing := &Error{Code: CodeInvalid, Op: "replay", Message: fmt.Sprintf("the flow needs the value of %s, which is a secret and not in it", p.Name), Hint: fmt.Sprintf("give it as a parameter: %s=…", p.Name)}
			if opts.Environment && p.Env != "" {
				v, ok = os.LookupEnv(p.Env)
				missing.Advise(advice.GiveParameter, p.Env, p.Name)
			}
			if !ok {
				return nil, missing
			}
		}
		if p.Kind == recording.Secret && !named(v) {
			if !valueInAddress(f, v) {
				s.out.Learn("parameter "+p.Name, v) // what comes of it is told without it
			}
		}
		values[p.Name] = v
	}
	return values, nil
}

// valueInAddress says that a flow has a value in its addresses, where it is shown anyway.
func valueInAddress(f *Flow, value string) bool {
	return slices.ContainsFunc(f.Steps, func(do recording.Do) bool {
		return do.Op == "go" && strings.Contains(do.Value, value) || do.Saves != nil && strings.Contains(do.Saves.URL, value)
	})
}

// Fresh opens another session in the same browser, in a context of its own: with
// no cookie or storage of this one, but with what it knows of secrets.
func (s *Session) Fresh(ctx context.Context) (*Session, error) {
	if s.attends {
		return nil, &Error{Code: CodeUnsupported, Op: "open", Message: "the browser is somebody else's, and no further session can be opened in it", Hint: "use a session that rove opened"}
	}
	n, err := s.browser.Open(ctx, s.recorder.size)
	if err != nil {
		return nil, err
	}
	n.recorder.typed, n.recorder.hidden, n.recorder.told = s.recorder.typed, s.recorder.hidden, s.recorder.told
	return n, nil
}

// player is a replay under way.
type player struct {
	session *Session
	flow    *Flow
	opts    ReplayOptions
	params  map[string]string
	result  *ReplayResult
	effect  *driver.Effect   // of the last step
	said    []recording.Line // by the page, before the last step, where it may be done once more
	// used is, for each request that was checked, the number of the last one such in
	// the session's log: one request is not taken for two.
	used   map[string]int
	begun  int          // the last request before it
	at     atomic.Int64 // the step at work
	wrotes sync.Mutex   // for result.Wrote
}

func (p *player) fill(text string) string {
	return recording.ParamPlace.ReplaceAllStringFunc(text, func(place string) string {
		return p.params[recording.ParamPlace.FindStringSubmatch(place)[1]]
	})
}

// base is the origin that it runs on.
func (p *player) base() string {
	if p.opts.Base != "" {
		return strings.TrimRight(p.opts.Base, "/")
	}
	return p.flow.Base
}

func (p *player) path(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Path
	}
	return address
}

func (p *player) patience() time.Duration {
	if p.opts.Patience > 0 {
		return p.opts.Patience
	}
	return replayPatience
}

func (p *player) step(ctx context.Context, i int, do *recording.Do) error {
	s, r := p.session, p.result
	what := do.Op
	if do.Who != nil {
		what += " " + do.Who.Role + " " + fmt.Sprintf("%q", do.Who.Name)
	} else if do.Op == "go" {
		what += " " + do.Value
	}
	at := func(err error) error {
		if e, ok := errors.AsType[*Error](err); ok {
			told := *e
			told.Message = fmt.Sprintf("step %d of %d, %s: %s", i+1, len(p.flow.Steps), what, e.Message)
			return &told
		}
		return fmt.Errorf("step %d of %d, %s: %w", i+1, len(p.flow.Steps), what, err)
	}
	if p.opts.Skip != i+1 {
		err := p.do(ctx, i, do)
		if code := CodeOf(err); i > 0 && (code == CodeNotFound || code == CodeHidden) && len(p.flow.Steps[i-1].Checks) == 0 && p.idle(ctx, &p.flow.Steps[i-1]) {
			r.Trace = append(r.Trace, fmt.Sprintf("%d once more: nothing came of it, and what comes after it is not there", i))
			if err = p.do(ctx, i-1, &p.flow.Steps[i-1]); err == nil {
				err = p.do(ctx, i, do)
			}
		}
		if err != nil {
			r.Trace = append(r.Trace, fmt.Sprintf("%d %s: %v", i+1, what, s.failed(err)))
			return at(err)
		}
	} else {
		what += " (left out)"
	}
	r.Trace = append(r.Trace, fmt.Sprintf("%d %s: ok", i+1, what))
	first := p.checks(ctx, i, do)
	if first != nil && p.opts.Skip != i+1 && p.idle(ctx, do) {
		r.Trace = append(r.Trace, fmt.Sprintf("%d once more: nothing came of it", i+1))
		if p.do(ctx, i, do) == nil {
			r.Failed, r.InParts = nil, false
			first = p.checks(ctx, i, do)
		}
	}
	if first != nil {
		r.Unmet = true
		r.Trace = append(r.Trace, fmt.Sprintf("%d %s: %v", i+1, what, s.failed(first)))
		return at(first)
	}
	return nil
}

// idle says that a press may be made once more: the page says what it said before it,
// and nothing was sent. Pages that come to life late do not hear the first press; a
// person presses again.
func (p *player) idle(ctx context.Context, do *recording.Do) bool {
	if e := p.effect; !harmless(do) || p.said == nil || e == nil || len(e.Requests)+len(e.Tabs)+len(e.Downloads) > 0 || e.Dialog != nil {
		return false
	}
	now, err := p.session.driver.Tab().Snapshot(ctx, driver.SnapshotOptions{})
	return err == nil && slices.Equal(linesOf(now), p.said)
}

// harmless says that a step is a press that neither leads elsewhere nor saves.
func harmless(do *recording.Do) bool {
	return do.Op == "click" && !do.Leads && !do.Asks && do.Saves == nil
}

// do does one step.
func (p *player) do(ctx context.Context, i int, do *recording.Do) error {
	s := p.session
	value := p.fill(do.Value)
	st := Step{Ref: "_page", Op: do.Op, Value: value, Timeout: p.patience()}
	switch {
	case do.Op == "go" && strings.HasPrefix(value, "/"):
		st.Value = p.base() + value
	case do.Op == "script":
		if err := s.script(ctx, value); err != nil {
			return err
		}
		_, err := s.driver.Tab().Script(ctx, value)
		return err
	case do.Who != nil:
		tab, _, err := s.currentTab(ctx)
		if err != nil {
			return err
		}
		who := *do.Who
		who.Name, who.Near = p.fill(who.Name), p.fill(who.Near)
		who.Ways = nil
		for _, w := range do.Who.Ways {
			w.Query = p.fill(w.Query)
			who.Ways = append(who.Ways, w)
		}
		found, err := tab.FindByIdentity(ctx, &who, p.patience())
		if err != nil {
			return err
		}
		p.result.astray(i, found.Astray)
		if found.Way > 0 || found.Renamed {
			h := Heal{Step: i + 1, Way: found.Way, By: who.Ways[found.Way].By}
			h.Text = fmt.Sprintf("step %d, %s %q found by %s", i+1, who.Role, who.Name, h.By)
			if found.Renamed {
				h.Renamed = found.Name
				h.Text += fmt.Sprintf(", called %q now", found.Name)
			}
			p.result.Heals = append(p.result.Heals, h)
		}
		st.Ref = string(found.Ref)
	}
	var said []recording.Line
	if harmless(do) {
		if tree, err := s.driver.Tab().Snapshot(ctx, driver.SnapshotOptions{}); err == nil {
			said = linesOf(tree)
		}
	}
	effect, err := s.step(ctx, st, false)
	if err != nil {
		return err
	}
	p.effect, p.said = effect, said
	return nil
}

// failing has requests such as one, to a path, answered with 500, until stop is called.
func (s *Session) failing(ctx context.Context, path string, of *recording.Request) (stop func(), err error) {
	return s.intercept(ctx, driver.Intercept{
		Handler: func(ctx context.Context, r *driver.Route) error {
			if u, err := url.Parse(r.URL); r.Method != of.Method || err != nil || recording.PathPattern(u.Path) != path || of.Asks != "" && recording.Asks(r.Body) != of.Asks {
				return r.Continue(ctx)
			}
			return r.Fulfil(ctx, backend.RouteResponse{Status: 500, Body: []byte("made to fail")})
		},
	})
}

// intercept has requests go through a handler until stop is called.
func (s *Session) intercept(ctx context.Context, opts driver.Intercept) (stop func(), err error) {
	i, err := s.driver.Intercept(ctx, opts)
	if err != nil {
		return nil, err
	}
	return func() {
		bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		_ = i.Stop(bound)
	}, nil
}
