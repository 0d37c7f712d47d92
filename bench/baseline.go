package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"rove/cdp"
	"rove/internal/proc"
	"rove/internal/provision"
	"rove/internal/wire"
)

//go:embed walk.js
var walkSource string

// The expressions the raw layer is measured with.
var (
	onePlusOne = "1+1"
	// walkLines tells the interactive elements alone, walkFloor the visible
	// text as well: what a model must be told of a page, and nothing else.
	walkLines = "(" + strings.TrimSpace(walkSource) + ")(false)"
	walkFloor = "(" + strings.TrimSpace(walkSource) + ")(true)"
	// touch changes something nobody can see. It is sent before every measured
	// call, so that no one gets away with an answer kept from before.
	touch    = "document.documentElement.toggleAttribute('data-touched')"
	elements = "document.querySelectorAll('*').length"
)

// evaluate runs an expression in the page and decodes its value, which is as
// little as one can do over the protocol.
func evaluate[T any](ctx context.Context, s *cdp.Session, expression string) (T, error) {
	var reply struct {
		Result struct {
			Value T `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	params := map[string]any{"expression": expression, "returnByValue": true}
	err := s.Call(ctx, "Runtime.evaluate", params, &reply)
	if err == nil && reply.Exception != nil {
		err = errors.New(reply.Exception.Text)
	}
	return reply.Result.Value, err
}

// plain is a browser with nothing of rove in it but the connection.
type plain struct {
	process *proc.Process
	scratch *proc.Scratch
	conn    *cdp.Conn
	page    *cdp.Session
	loaded  chan struct{} // a load event has come
}

// start starts a browser as barely as it can be done, and attaches to its first
// page.
func start(ctx context.Context, b provision.Browser) (*plain, error) {
	scratch, err := proc.NewScratch("")
	if err != nil {
		return nil, err
	}
	args := []string{
		"--headless", "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-quic", "--disable-dev-shm-usage",
		"--window-size=1280,720", "--user-data-dir=" + scratch.Path("profile"),
	}
	if ok, _ := proc.Sandbox(b.Path); !ok {
		args = append(args, "--no-sandbox")
	}
	args = append(append(args, b.Args...), "about:blank")
	process, err := proc.Start(ctx, proc.Spec{Path: b.Path, Args: args, Env: b.Env, Pipe: true, Scratch: scratch})
	if err != nil {
		return nil, errors.Join(err, scratch.Remove())
	}
	p := &plain{process: process, scratch: scratch, loaded: make(chan struct{}, 1)}
	p.conn = cdp.New(wire.NewPipe(process.FromBrowser, process.ToBrowser))
	if err := p.attach(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", b.Path, err), p.close())
	}
	return p, nil
}

// attach waits for the first page there is and attaches to it.
func (p *plain) attach(ctx context.Context) error {
	found := make(chan string, 1)
	root := p.conn.Root()
	root.OnEvent(func(e cdp.Event) {
		var created struct {
			TargetInfo struct {
				TargetID string `json:"targetId"`
				Type     string `json:"type"`
			} `json:"targetInfo"`
		}
		if e.Method != "Target.targetCreated" || e.Decode(&created) != nil || created.TargetInfo.Type != "page" {
			return
		}
		select {
		case found <- created.TargetInfo.TargetID:
		default: // one is enough
		}
	})
	if err := root.Call(ctx, "Target.setDiscoverTargets", map[string]any{"discover": true}, nil); err != nil {
		return err
	}
	select {
	case id := <-found:
		var attached struct {
			SessionID string `json:"sessionId"`
		}
		params := map[string]any{"targetId": id, "flatten": true}
		if err := root.Call(ctx, "Target.attachToTarget", params, &attached); err != nil {
			return err
		}
		p.page = p.conn.Attach(attached.SessionID, p.conn.NewQueue(), func(e cdp.Event) {
			if e.Method == "Page.loadEventFired" {
				select {
				case p.loaded <- struct{}{}:
				default:
				}
			}
		})
		return nil
	case <-p.conn.Done():
		return fmt.Errorf("%w; it said: %s", p.conn.Err(), p.process.Output())
	case <-ctx.Done():
		return ctx.Err()
	}
}

// open loads a page and waits for its load event.
func (p *plain) open(ctx context.Context, url string) error {
	if err := p.page.Call(ctx, "Page.enable", nil, nil); err != nil {
		return err
	}
	select {
	case <-p.loaded: // of the page before
	default:
	}
	var nav struct {
		ErrorText string `json:"errorText"`
	}
	if err := p.page.Call(ctx, "Page.navigate", map[string]any{"url": url}, &nav); err != nil {
		return err
	}
	if nav.ErrorText != "" {
		return fmt.Errorf("%s: %s", url, nav.ErrorText)
	}
	select {
	case <-p.loaded:
		return nil
	case <-p.conn.Done():
		return p.conn.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close ends the browser and removes its profile.
func (p *plain) close() error {
	return errors.Join(p.conn.Close(), p.process.Kill(), p.scratch.Remove())
}

// version is the product and version a browser gives itself.
func version(ctx context.Context, b provision.Browser) (string, error) {
	p, err := start(ctx, b)
	if err != nil {
		return "", err
	}
	var v struct {
		Product string `json:"product"`
	}
	err = p.conn.Root().Call(ctx, "Browser.getVersion", nil, &v)
	return v.Product, errors.Join(err, p.close())
}

// axTimeout bounds a single accessibility tree: on large pages it takes longer
// than anyone would wait.
const axTimeout = 60 * time.Second

// axTree measures Accessibility.getFullAXTree. It has a browser of its own: the
// first call makes the browser keep that tree up to date from then on, which
// slows down everything else in it, and one that is given up goes on for long.
func axTree(ctx context.Context, b provision.Browser, p page, url string, runs int) (row, error) {
	r := row{Page: p.name, What: "Accessibility.getFullAXTree"}
	pl, err := start(ctx, b)
	if err != nil {
		return r, err
	}
	defer pl.close()
	if err := pl.open(ctx, url); err != nil {
		return r, err
	}
	var samples []time.Duration
	for range runs {
		if _, err := evaluate[bool](ctx, pl.page, touch); err != nil {
			return r, err
		}
		limited, cancel := context.WithTimeout(ctx, axTimeout)
		begin := time.Now()
		call := pl.page.Start("Accessibility.getFullAXTree", nil)
		err := call.Wait(limited, nil)
		took := time.Since(begin)
		cancel()
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			r.Note = fmt.Sprintf("given up after %v", axTimeout)
			r.Median = axTimeout
			return r, nil
		case err != nil:
			return r, err
		}
		body, err := call.Result()
		if err != nil {
			return r, err
		}
		r.Bytes = len(body)
		samples = append(samples, took)
		if took > axTimeout/4 {
			break // once is enough
		}
	}
	r.time(samples)
	return r, nil
}
