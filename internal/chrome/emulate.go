package chrome

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// emulationFor are the commands that bring a new session to where the others are. The
// context's lock is held.
func (c *Context) emulationFor(s *cdp.Session, top bool) []cdp.Command {
	if c.emulation == nil {
		return nil
	}
	return commandsOf(emulationCommands(s, *c.emulation, c.viewport, top))
}

// workerEmulation is emulationFor for a worker, of which only the network is emulated: it has
// no page's.
func (c *Context) workerEmulation(s *cdp.Session) []cdp.Command {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.emulation == nil {
		return nil
	}
	return commandsOf(networkConditions(s, *c.emulation))
}

// everySession lists the sessions of the context's tabs. The context's lock is
// held; top says which are a page's own.
func (c *Context) everySession(visit func(t *Tab, s *cdp.Session, top bool)) {
	tabs := c.tabs
	if c.spare != nil {
		tabs = append(tabs[:len(tabs):len(tabs)], c.spare)
	}
	for _, t := range tabs {
		t.Mu.Lock()
		links := t.sessions()
		t.Mu.Unlock()
		for _, s := range links {
			visit(t, s, s == t.session)
		}
	}
}

// Emulate has all tabs of the context, and those to come, emulate what e says.
func (c *Context) Emulate(ctx context.Context, e backend.Emulation) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return errContextClosed
	}
	c.emulation = &e
	var all []emulationCommand
	var shown []*Tab // of each command; none for those of workers
	c.everySession(func(t *Tab, s *cdp.Session, top bool) {
		all = append(all, emulationCommands(s, e, c.viewport, top)...)
		for len(shown) < len(all) {
			shown = append(shown, t)
		}
	})
	pending := c.browser.conn.Start(commandsOf(all)...)
	tabs := slices.Clone(c.tabs)
	c.mu.Unlock()
	// A worker that comes now finds what is emulated; see workerEmulation.
	for _, s := range c.workers(tabs, func(Worker) bool { return true }) {
		conditions := networkConditions(s, e)
		all = append(all, conditions...)
		pending = append(pending, c.browser.conn.Start(commandsOf(conditions)...)...)
	}

	soon, cancel := context.WithTimeout(ctx, workerTime)
	defer cancel()
	for i, p := range pending {
		var err error
		switch {
		case i >= len(shown):
			if err = fault(p.Wait(soon, nil)); soon.Err() != nil && ctx.Err() == nil {
				continue
			}
		case shown[i].silent(ctx, p):
			continue
		default:
			err = fault(p.Wait(ctx, nil))
		}
		if err != nil && !over(err) && !all[i].optional {
			return err
		}
	}
	return c.permit(ctx, e.Permissions)
}

// workerTime is how long workers may take to say that they emulate it. One that stops, or
// whose page has crashed, never does; one that is only busy is told all the same.
const workerTime = 2 * time.Second

// silent is true of a page that shows a dialog, or has crashed, before it answers:
// it does what it was told when it is there again, before anything else.
func (t *Tab) silent(ctx context.Context, p *cdp.Pending) bool {
	g := t.Gate()
	select {
	case <-p.Done():
		return false
	default:
	}
	select {
	case <-p.Done():
		return false
	case <-ctx.Done():
		return false
	case <-g.Shut:
		return true
	}
}

// emulationCommand is a command of an emulation. Of the old and the new way to slow the
// network down, a browser knows one: those are optional.
type emulationCommand struct {
	cdp.Command
	optional bool
}

func commandsOf(list []emulationCommand) []cdp.Command {
	cmds := make([]cdp.Command, len(list))
	for i, p := range list {
		cmds[i] = p.Command
	}
	return cmds
}

// over is true for a session that ended while it was spoken to.
func over(err error) bool {
	var e *backend.Error
	return errors.As(err, &e) && (e.Kind == backend.KindNavigated || e.Kind == backend.KindClosed)
}

func (c *Context) permit(ctx context.Context, names []string) error {
	if c.browser.guest.on {
		if len(names) > 0 {
			return refuseForGuest("granting " + strings.Join(names, ", "))
		}
		return nil
	}
	root := c.browser.conn.Root()
	err := root.Call(ctx, browser.CommandResetPermissions, &browser.ResetPermissionsParams{BrowserContextID: browserContextID(c.id)}, nil)
	c.allowClipboard()
	for _, name := range names {
		if err != nil {
			break
		}
		err = root.Call(ctx, browser.CommandSetPermission, c.grant(name), nil)
	}
	return fault(err)
}

// allowClipboard lets pages write to the clipboard, as a browser with a window does without
// a question, and a headless shell does not.
func (c *Context) allowClipboard() {
	c.browser.conn.Root().Start(browser.CommandSetPermission, c.grant("clipboard-write"))
}

func (c *Context) grant(name string) *browser.SetPermissionParams {
	return &browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: name}, Setting: "granted", BrowserContextID: browserContextID(c.id),
	}
}

// emulationCommands are the commands for one session. All of it is sent each time, so
// that what is no longer wanted ends. top is the page's own session; those of
// frames take part in what is decided in their process.
func emulationCommands(s *cdp.Session, e backend.Emulation, view backend.Viewport, top bool) []emulationCommand {
	var list []emulationCommand
	add := func(method string, params any) {
		list = append(list, emulationCommand{Command: s.Command(method, params)})
	}
	language := cmp.Or(e.AcceptLanguage, e.Locale)
	add(emulation.CommandSetUserAgentOverride, &emulation.SetUserAgentOverrideParams{
		UserAgent: e.UserAgent, AcceptLanguage: language, Platform: e.Platform,
	})
	add(emulation.CommandSetLocaleOverride, &emulation.SetLocaleOverrideParams{Locale: e.Locale})
	add(emulation.CommandSetTimezoneOverride, &emulation.SetTimezoneOverrideParams{TimezoneID: e.Timezone})
	add(emulation.CommandSetEmulatedMedia, &emulation.SetEmulatedMediaParams{Media: e.Media, Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: e.ColorScheme},
		{Name: "prefers-reduced-motion", Value: e.ReducedMotion},
	}})
	list = append(list, networkConditions(s, e)...)
	if !top {
		return list
	}
	if e.Viewport != nil {
		view = *e.Viewport
	}
	if view.Width > 0 {
		add(metricsCommand, metrics(anypage.Viewport(view)))
	} else {
		add(emulation.CommandClearDeviceMetricsOverride, nil) // as large as the person's window
	}
	add(emulation.CommandSetTouchEmulationEnabled, &emulation.SetTouchEmulationEnabledParams{Enabled: e.Touch, MaxTouchPoints: 5})
	add(emulation.CommandSetCPUThrottlingRate, &emulation.SetCPUThrottlingRateParams{Rate: max(e.CPU, 1)})
	if g := e.Geolocation; g != nil {
		accuracy := g.Accuracy
		if accuracy <= 0 {
			accuracy = 1
		}
		add(emulation.CommandSetGeolocationOverride,
			&emulation.SetGeolocationOverrideParams{Latitude: &g.Latitude, Longitude: &g.Longitude, Accuracy: &accuracy})
	} else {
		add(emulation.CommandClearGeolocationOverride, nil)
	}
	return list
}

// networkConditions slow the network down, or cut it off.
func networkConditions(s *cdp.Session, e backend.Emulation) []emulationCommand {
	rate := func(bytes float64) float64 {
		if bytes <= 0 {
			return -1
		}
		return bytes
	}
	conditions := map[string]any{
		"offline": e.Offline, "latency": float64(e.Latency) / float64(time.Millisecond),
		"downloadThroughput": rate(e.Download), "uploadThroughput": rate(e.Upload),
	}
	rules := []any{}
	if e.Offline || e.Latency > 0 || e.Download > 0 || e.Upload > 0 {
		everywhere := maps.Clone(conditions)
		everywhere["urlPattern"] = ""
		rules = append(rules, everywhere)
	}
	return []emulationCommand{
		{s.Command("Network.emulateNetworkConditions", conditions), true},
		{s.Command(network.CommandEmulateNetworkConditionsByRule, map[string]any{"offline": e.Offline, "matchedNetworkConditions": rules}), true},
		{s.Command(network.CommandOverrideNetworkState, conditions), true},
	}
}
