package driver

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"rove/driver/backend"
)

// Embedding is something for the report of whoever drives: a picture, of a
// failure or of the page as it was asked for.
type Embedding struct {
	Name string // "screenshot", or the step that failed
	MIME string
	Data []byte
}

// steps is who hears of a driver's steps.
type steps struct {
	mu    sync.Mutex
	trace *Trace
}

// callKey marks the context of a step, so that what it is made of is no step.
type callKey struct{}

// call is a step under way: a call of the driver as its user sees it. It is nil
// where nobody wants to hear of it.
type call struct {
	driver *Driver
	outer  context.Context
	trace  *Trace
	embeds bool
	step   TraceStep
}

// embedTimeout bounds what is only for a report.
const embedTimeout = 5 * time.Second

// begin begins a step. With no trace and no pictures of failures it costs next to
// nothing.
func (d *Driver) begin(ctx context.Context, op, target, value string) (context.Context, *call) {
	d.steps.mu.Lock()
	trace := d.steps.trace
	d.steps.mu.Unlock()
	d.mu.Lock()
	embeds := d.options.ScreenshotOnFailure && d.options.Embed != nil
	ends := d.life != nil
	d.mu.Unlock()
	if trace == nil && !embeds && !ends || ctx.Value(callKey{}) != nil {
		return ctx, nil
	}
	c := &call{driver: d, outer: ctx, trace: trace, embeds: embeds, step: TraceStep{Time: time.Now(), Op: op, Target: target, Value: value}}
	return context.WithValue(ctx, callKey{}, c), c
}

// secret keeps what was typed out of what is written about the step that a
// context is of.
func secret(ctx context.Context) {
	if c, ok := ctx.Value(callKey{}).(*call); ok && c.step.Value != "" {
		c.step.Value = "••••••"
	}
}

// end ends a step and gives back what came of it.
func (c *call) end(err error) error {
	if c == nil {
		return err
	}
	if err != nil && c.driver.expired.Load() {
		err = &Error{
			Code: CodeTimeout, Op: strings.TrimSpace(c.step.Op + " " + c.step.Target), Err: err,
			Message: "the session's time is up: it was to last " + c.driver.Options().Lifetime.String() + " as a whole, and was closed",
			Hint:    "open another, or give it a longer sessionTimeout",
		}
	}
	c.step.MS = float64(time.Since(c.step.Time).Microseconds()) / 1000
	// What is noted may take its time even where the step's is up.
	ctx, cancel := context.WithTimeout(context.WithValue(context.WithoutCancel(c.outer), callKey{}, c), embedTimeout)
	defer cancel()
	if c.embeds && err != nil {
		if picture, e := c.driver.Tab().tab.Screenshot(ctx, backend.ScreenshotOptions{}); e == nil {
			c.driver.embed(strings.TrimSpace(c.step.Op+" "+c.step.Target), "png", picture)
		}
	}
	if c.trace != nil {
		c.trace.add(ctx, c.step, err)
	}
	return err
}

func (d *Driver) embed(name, format string, picture []byte) {
	d.mu.Lock()
	embed := d.options.Embed
	d.mu.Unlock()
	if embed != nil {
		embed(Embedding{Name: name, MIME: "image/" + format, Data: picture})
	}
}

// EmbedScreenshot takes a picture of the page and gives it to Options.Embed too,
// for the report.
func (d *Driver) EmbedScreenshot(ctx context.Context, opts ScreenshotOptions) ([]byte, error) {
	picture, err := d.Screenshot(ctx, opts)
	if err != nil {
		return nil, err
	}
	d.embed("screenshot", cmp.Or(opts.Format, "png"), picture)
	return picture, nil
}
