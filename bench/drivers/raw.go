package main

import (
	"context"
	"errors"

	"rove/cdp"
	"rove/internal/wire"
)

// raw is the protocol alone: what nobody can be quicker than by much.
type raw struct {
	b    *browser
	conn *cdp.Conn
	page *cdp.Session
}

func openRaw(ctx context.Context, b *browser) (contender, error) {
	t, err := wire.Dial(ctx, b.address, nil)
	if err != nil {
		return nil, err
	}
	r := &raw{b: b, conn: cdp.New(t)}
	var made struct {
		ID string `json:"targetId"`
	}
	if err := r.conn.Root().Call(ctx, "Target.createTarget", map[string]any{"url": "about:blank"}, &made); err != nil {
		return nil, err
	}
	var attached struct {
		ID string `json:"sessionId"`
	}
	if err := r.conn.Root().Call(ctx, "Target.attachToTarget", map[string]any{"targetId": made.ID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	r.page = r.conn.Attach(attached.ID, r.conn.NewQueue(), nil)
	return r, nil
}

func (r *raw) Open(ctx context.Context, url string) error {
	if err := r.page.Call(ctx, "Page.navigate", map[string]any{"url": url}, nil); err != nil {
		return err
	}
	for {
		if ready, err := r.Eval(ctx, "document.readyState + location.protocol"); err != nil || ready == "completehttp:" {
			return err
		}
	}
}

func evaluate[T any](ctx context.Context, r *raw, js string) (T, error) {
	var reply struct {
		Result struct {
			Value T `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	err := r.page.Call(ctx, "Runtime.evaluate", map[string]any{"expression": js, "returnByValue": true}, &reply)
	if err == nil && reply.Exception != nil {
		err = errors.New(reply.Exception.Text)
	}
	return reply.Result.Value, err
}

func (r *raw) Eval(ctx context.Context, js string) (string, error) {
	return evaluate[string](ctx, r, js)
}

// Click asks where the button is and presses there, in two trips.
func (r *raw) Click(ctx context.Context) error {
	at, err := evaluate[[2]float64](ctx, r, "{ const r = b.getBoundingClientRect(); [r.x + r.width / 2, r.y + r.height / 2] }")
	if err != nil {
		return err
	}
	var cmds []cdp.Command
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		cmds = append(cmds, r.page.Command("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}))
	}
	return r.send(ctx, cmds)
}

// Input empties the field and sends the keys, in two trips.
func (r *raw) Input(ctx context.Context, text string) error {
	if _, err := evaluate[bool](ctx, r, "f.focus(), f.value = '', true"); err != nil {
		return err
	}
	var cmds []cdp.Command
	for _, c := range text {
		for _, kind := range []string{"keyDown", "keyUp"} {
			key := map[string]any{"type": kind, "key": string(c)}
			if kind == "keyDown" {
				key["text"] = string(c)
			}
			cmds = append(cmds, r.page.Command("Input.dispatchKeyEvent", key))
		}
	}
	return r.send(ctx, cmds)
}

func (r *raw) send(ctx context.Context, cmds []cdp.Command) error {
	for _, p := range r.conn.Start(cmds...) {
		if err := p.Wait(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

func (r *raw) Text(ctx context.Context) (string, error) { return r.Eval(ctx, "p.textContent") }

// All counts: the protocol has no handle that costs less.
func (r *raw) All(ctx context.Context) (int, error) {
	return evaluate[int](ctx, r, "document.querySelectorAll('li').length")
}

func (r *raw) Close() {
	_ = r.conn.Close()
	r.b.close()
}
