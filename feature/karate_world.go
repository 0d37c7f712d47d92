package feature

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"rove/internal/data"
	"rove/report"
)

// sleep waits, and ends with the context.
func (s *scenario) sleep(ctx context.Context, d time.Duration) error {
	var err error
	s.root.rt.Outside(func() {
		select {
		case <-time.After(d):
		case <-ctx.Done():
			err = errInterrupted(ctx)
		}
	})
	return err
}

func randomUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func contentTypeOf(b []byte) string {
	kind, _, _ := strings.Cut(http.DetectContentType(b), ";")
	return kind
}

// signals are what karate.signal hands to karate.listen.
type signals struct {
	once    sync.Once
	channel chan any
}

// values is where they wait; few scenarios have any.
func (sg *signals) values() chan any {
	sg.once.Do(func() { sg.channel = make(chan any, 1) })
	return sg.channel
}

// give hands over a value; the first of several counts.
func (sg *signals) give(v any) {
	select {
	case sg.values() <- v:
	default:
	}
}

func runListen(s *scenario, in *input) error {
	v, err := s.evalData(in.ctx, in.expression(in.rest))
	if err != nil {
		return err
	}
	ms, ok := v.(int64)
	if !ok {
		return fmt.Errorf("listen needs the milliseconds to wait: %s", in.step.text)
	}
	got, ok, err := s.listen(in.ctx, time.Duration(ms)*time.Millisecond, s.root.streams...)
	if err != nil {
		return err
	}
	if !ok {
		s.print(fmt.Sprintf("listen timed out after %d milliseconds", ms))
	}
	s.scope.Hide("listenResult", got)
	return nil
}

func init() {
	addKarate(map[string]karateFunc{
		"signal": func(c *karateCall) (any, error) {
			c.s.signals.give(c.arg(0).Detach())
			return undefined, nil
		},
		"listen": func(c *karateCall) (any, error) {
			ms, err := c.number(0)
			if err != nil {
				return nil, err
			}
			v, _, err := c.s.listen(c.ctx, time.Duration(ms)*time.Millisecond, c.s.root.streams...)
			c.s.scope.Hide("listenResult", v)
			return v, err
		},
	}, nil)
}

// document embeds HTML in the report: a text, or a file.
func (s *scenario) document(_ context.Context, v any) (any, error) {
	var html string
	switch v := v.(type) {
	case string:
		file, err := s.resolve(v)
		if err != nil {
			return nil, err
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, missing(v, err)
		}
		html = string(b)
	case *data.Object:
		if path, ok := v.Get("read"); ok {
			return s.document(context.Background(), data.Text(path))
		}
		text, ok := v.Get("html")
		if !ok {
			return nil, fmt.Errorf("doc needs 'read' or 'html'")
		}
		html = data.Text(text)
	default:
		return nil, fmt.Errorf("doc is not string or json: %s", data.Text(v))
	}
	s.embeds = append(s.embeds, report.Embed{Type: "text/html", Data: []byte(html)})
	return html, nil
}

// responseHeader is a header of the last answer.
func (s *scenario) responseHeader(name string) (any, error) {
	v, ok := s.scope.Get("responseHeaders")
	if !ok {
		return nil, fmt.Errorf("there is no response yet whose header %s could be matched", name)
	}
	o, _ := v.Export().(*data.Object)
	if o == nil {
		return nil, nil
	}
	for key, value := range o.All() {
		if strings.EqualFold(key, name) {
			if list, ok := value.([]any); ok && len(list) > 0 {
				return list[0], nil
			}
			return value, nil
		}
	}
	return nil, nil
}

// Pause is a step that is about to run, for debuggers.
type Pause struct {
	Path     string
	Line     int
	Text     string
	Scenario *report.Scenario
	Depth    int
	s        *scenario
	ctx      context.Context
}

func (s *scenario) pause(ctx context.Context, st *step) *Pause {
	p := &Pause{Path: s.feature.source.shown, Line: st.line, Text: st.keyword + " " + st.text, Scenario: s.result, s: s, ctx: ctx}
	if s.call != nil {
		p.Depth = s.call.depth
	}
	return p
}

// Eval runs a line as a step would: a keyword or JavaScript. It gives the value
// of JavaScript as text.
func (p *Pause) Eval(line string) (string, error) {
	line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "* "))
	if _, _, _, ok := keywordOf(line); ok {
		hook := p.s.suite.opts.BeforeStep
		p.s.suite.opts.BeforeStep = nil
		defer func() { p.s.suite.opts.BeforeStep = hook }()
		_, err := p.s.execute(p.ctx, &step{line: p.Line, keyword: "*", text: line})
		return strings.TrimSpace(p.s.takeLog()), err
	}
	v, err := p.s.js(p.ctx, line)
	if err != nil {
		return "", err
	}
	return logged(v), nil
}

// Variables are those there are now.
func (p *Pause) Variables() []report.Variable { return p.s.variables() }
