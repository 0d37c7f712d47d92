package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"

	"rove"
	"rove/bench/token"
	"rove/cdp"
	"rove/internal/demo"
	"rove/internal/provision"
)

// verbs measures single actions on a small page that reacts at once, beside the
// least that the protocol takes for the same.
func verbs(ctx context.Context, o options, b provision.Browser, base string) ([]row, error) {
	s, err := rove.Open(ctx, rove.Options{Browser: b.Path})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	conn, session, err := raw(s)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(os.Stderr, "verbs …")
	page, err := s.Go(ctx, base+"/verbs")
	if err != nil {
		return nil, err
	}
	button, field := refOf(page.Text(), "button"), refOf(page.Text(), "textbox")
	if button == "" || field == "" {
		return nil, fmt.Errorf("no button and field in:\n%s", page.Text())
	}
	act := func(steps ...rove.Step) func() (string, error) {
		return func() (string, error) {
			r, err := s.Act(ctx, steps...)
			if err != nil {
				return "", err
			}
			return r.Text(), nil
		}
	}
	m := &measurement{ctx: ctx, session: s, conn: conn, raw: session, runs: o.runs * 2}
	m.page.name = "verbs"
	trip := &contender{what: "1+1", run: func() (string, error) {
		_, err := evaluate[int](ctx, session, onePlusOne)
		return "", err
	}}
	rawClick := &contender{what: "raw: find, press, release", run: func() (string, error) { return "", pressRaw(ctx, conn, session) }}
	contenders := []*contender{
		trip, rawClick,
		{what: "**eval** 1+1", counts: true, run: func() (string, error) {
			r, err := s.Eval(ctx, "1+1")
			if err != nil {
				return "", err
			}
			return r.Text(), nil
		}},
		{what: "**act** click", counts: true, run: act(rove.Step{Ref: button, Op: "click"})},
		{what: "**act** input, 20 characters", counts: true, run: act(rove.Step{Ref: field, Op: "input", Value: "twenty characters ok"})},
	}
	for i := range m.runs + 1 {
		for _, c := range contenders {
			if err := m.turn(c, i > 0); err != nil {
				return nil, fmt.Errorf("%s: %w", c.what, err)
			}
		}
	}
	return m.rows(contenders, rawClick)
}

// pressRaw is a click without any care: no wait, no check, no look.
func pressRaw(ctx context.Context, conn *cdp.Conn, s *cdp.Session) error {
	at, err := evaluate[[]float64](ctx, s, `(() => { const r = document.querySelector('button').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`)
	if err != nil {
		return err
	}
	press := func(kind input.DispatchMouseEventType) cdp.Command {
		return s.Command(input.CommandDispatchMouseEvent, &input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1], Button: "left", ClickCount: 1})
	}
	for _, p := range conn.Start(press("mousePressed"), press("mouseReleased")) {
		if err := p.Wait(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

func refOf(view, role string) string {
	m := regexp.MustCompile(`(?m)^\s*(e\d+) ` + role + `\b`).FindStringSubmatch(view)
	if m == nil {
		return ""
	}
	return m[1]
}

// flow is a task done by an agent that makes no mistakes.
type flow struct {
	name, path string
	steps      []rove.Step
}

var flows = []flow{
	{"login to dashboard", "/login", []rove.Step{
		{Ref: "{input}Email", Op: "input", Value: demo.Email}, {Ref: "{input}Password", Op: "input", Value: demo.Password}, {Ref: "{button}Sign in", Op: "click"},
	}},
	{"form of ten fields", "/fields", []rove.Step{
		{Ref: "{input}First name", Op: "input", Value: "Ada"},
		{Ref: "{input}Last name", Op: "input", Value: "Lovelace"},
		{Ref: "{input}Email", Op: "input", Value: demo.Email},
		{Ref: "{input}Phone", Op: "input", Value: "020 7946 0000"},
		{Ref: "{input}Street", Op: "input", Value: "12 St James's Square"},
		{Ref: "{input}Postal code", Op: "input", Value: "SW1Y 4JH"},
		{Ref: "{input}City", Op: "input", Value: "London"},
		{Ref: "{select}Country", Op: "select", Value: "Kenya"},
		{Ref: "{input}Note", Op: "input", Value: "Leave it at the door."},
		{Ref: "{input}I accept the terms", Op: "check"},
		{Ref: "{button}Order", Op: "click"},
	}},
	{"todo: add 3, check 1, clear", "/todo", []rove.Step{
		{Ref: "{input}New task", Op: "input", Value: "one"},
		{Ref: "{button}Add", Op: "click"},
		{Ref: "{input}New task", Op: "input", Value: "two"},
		{Ref: "{button}Add", Op: "click"},
		{Ref: "{input}New task", Op: "input", Value: "three"},
		{Ref: "{button}Add", Op: "click"},
		{Ref: "{input}two", Op: "check"},
		{Ref: "{button}Clear completed", Op: "click"},
	}},
}

// runFlows does each flow in two calls: go, and one act.
func runFlows(ctx context.Context, o options, b provision.Browser, base string) ([]row, error) {
	var rows []row
	for _, f := range flows {
		fmt.Fprintf(os.Stderr, "%s …\n", f.name)
		var samples []time.Duration
		var text string
		for range max(1, o.runs/3) {
			took, out, err := runFlow(ctx, b, base, f)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			samples, text = append(samples, took), out
		}
		r := row{Page: "flow", What: f.name, Bytes: len(text), Note: "2 calls, both answers counted"}
		r.time(samples)
		var err error
		if r.Tokens, err = token.Count(text); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// runFlow does a flow in a session of its own; the browser's start is not
// counted.
func runFlow(ctx context.Context, b provision.Browser, base string, f flow) (time.Duration, string, error) {
	s, err := rove.Open(ctx, rove.Options{Browser: b.Path})
	if err != nil {
		return 0, "", err
	}
	defer s.Close()
	start := time.Now()
	page, err := s.Go(ctx, base+f.path)
	if err != nil {
		return 0, "", err
	}
	r, err := s.Act(ctx, f.steps...)
	if err != nil {
		return 0, "", err
	}
	return time.Since(start), strings.Join([]string{page.Text(), r.Text()}, "\n"), nil
}
