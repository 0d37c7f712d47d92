package feature

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"rove"
	"rove/driver"
	"rove/internal/provision"
	"rove/internal/pwserver"
)

// drivers are the pools of a suite, one for each way to start a browser.
type drivers struct {
	mu    sync.Mutex
	pools map[string]*driver.Pool
}

// acquire gives a driver: of the provider that the suite was given, of a pool, or
// one of its own where the options name a browser or a profile that cannot be
// shared.
func (su *suite) acquire(ctx context.Context, b *uiDriver) error {
	if p := su.opts.Provider; p != nil {
		var asked driver.Options
		if b.config != nil {
			asked = b.config.Options
		}
		d, err := p.Acquire(ctx, asked)
		if err != nil {
			return err
		}
		b.d, b.release = d, func(ctx context.Context) error { return p.Release(ctx, d) }
		return nil
	}
	c := b.config
	if su.opts.Connect == "" && su.opts.Grid == "" && (!slices.Contains(pooled, c.Backend()) || c.WebSocketURL != "" || c.Attach != "" || c.Host != "" || c.Port != 0 || !c.Start || c.UserDataDir != "" || c.Type == "edge" || c.WebDriverURL != "" || c.WebDriverSession != nil || c.Capabilities != nil && c.Backend() != "webdriver" || c.PlaywrightURL != "" && c.Backend() != "playwright") {
		d, err := rove.Configure(ctx, c)
		if err != nil {
			return err
		}
		b.d, b.release = d, d.Quit
		return nil
	}
	p, err := su.browsers.pool(su, c)
	if err != nil {
		return err
	}
	d, err := p.Acquire(ctx, driver.Options{})
	if err != nil {
		return err
	}
	b.d, b.release = d, func(ctx context.Context) error { return p.Release(ctx, d) }
	d.SetTimeouts(c.Options.Timeouts).SetLifetime(c.Options.Lifetime)
	if c.Options.RetryInterval > 0 {
		d.SetRetryInterval(c.Options.RetryInterval)
	}
	if err := d.EmulateConfig(ctx, c); err != nil {
		_ = p.Release(ctx, d)
		return err
	}
	return nil
}

// onGrids are the browsers that a grid is asked for, by the type of the driver.
var onGrids = map[string]string{
	"chrome": "chrome", "chromium": "chrome", "chromedriver": "chrome", "firefox": "firefox", "geckodriver": "firefox", "bidi": "firefox",
	"edge": "edge", "msedgedriver": "edge", "safaridriver": "safari",
}

// pool gives the pool for a way to start browsers.
func (x *drivers) pool(su *suite, c *driver.Config) (*driver.Pool, error) {
	shape := c.Options
	// What can be set later does not ask for another browser.
	shape.Timeouts, shape.Lifetime, shape.RetryInterval, shape.ScreenshotOnFailure = driver.Timeouts{}, 0, 0, false
	key := fmt.Sprintf("%s|%v|%s|%s|%v|%q|%v|%v|%+v", c.Type, c.Capabilities, c.Executable, c.PlaywrightBrowser+c.PlaywrightURL, c.Headless, c.AddOptions, shape.PageLoad, shape.Highlight, shape.Context)
	x.mu.Lock()
	defer x.mu.Unlock()
	if p, ok := x.pools[key]; ok {
		return p, nil
	}
	if su.opts.Connect == "" && c.Executable != "" && !exists(c.Executable) {
		return nil, fmt.Errorf("chrome executable not found: %s (leave executable out for the browser that is there)", c.Executable)
	}
	opts := rove.Options{
		Browser: c.Executable, Headed: !c.Headless, Args: c.AddOptions, Viewport: shape.Context.Viewport, Allow: []string{"file:"},
	}
	switch want := su.opts.Browser; {
	case c.Backend() == "cdp" && c.Executable == "" && (want == provision.Shell || want == provision.Chrome):
		opts.Browser = want
	case c.Backend() == "playwright":
		opts.Browser = pwserver.Name(cmp.Or(c.Executable, c.PlaywrightBrowser), c.PlaywrightURL)
	case c.Backend() == "bidi" && c.Executable == "":
		opts.Browser = "firefox"
	}
	if c.Backend() == "webdriver" {
		opts.Browser, opts.Capabilities = cmp.Or(c.Executable, c.Type), c.Capabilities
	}
	if su.opts.Grid != "" {
		opts = rove.Options{Grid: su.opts.Grid, Browser: onGrids[c.Type], Capabilities: c.Capabilities, Headed: !c.Headless, Args: c.AddOptions, Viewport: shape.Context.Viewport, Allow: opts.Allow}
	}
	if su.opts.Connect != "" {
		opts = rove.Options{Connect: su.opts.Connect, Dial: su.opts.Dial, Allow: opts.Allow}
	}
	p, err := rove.Pool(su.opts.Threads, opts, shape)
	if err != nil {
		return nil, err
	}
	if x.pools == nil {
		x.pools = map[string]*driver.Pool{}
	}
	x.pools[key] = p
	return p, nil
}

// close ends the browsers of the suite.
func (x *drivers) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var errs []error
	for _, p := range x.pools {
		errs = append(errs, p.Shutdown(ctx))
	}
	x.pools = nil
	return errors.Join(errs...)
}
