// Package driver drives a browser through whatever backend it is handed: tabs,
// frames, locators, waiting and actions, written once for all of them.
//
// # A small program
//
// rove.Drive starts a browser, rove.Connect joins one that runs, rove.Configure
// does as a script's options say, rove.Pool is for many at a time:
//
//	d, err := rove.Drive(ctx, rove.Options{}, driver.Options{})
//	if err != nil {
//		return err
//	}
//	defer d.Quit(ctx)
//	if err := d.SetURL(ctx, "example.com/login"); err != nil {
//		return err
//	}
//	_, err = d.Input(ctx, "{input}Email", "ann@example.com", driver.KeyTab, "secret")
//	if err == nil {
//		_, err = d.Click(ctx, "{button}Sign in") // back when the next page is ready
//	}
//	if err != nil {
//		return err
//	}
//	text, err := d.Text(ctx, "#welcome")
//
// A [Driver] is at one tab and one frame at a time. Every call takes a context
// first, which may end it sooner than the driver's own [Timeouts] do, and never
// makes it last longer: whatever a page does, a call comes back. A [Tab], which the
// driver is made of, knows no Timeouts: its calls take until the context's deadline,
// or limits of their own where there is none.
//
// # Elements
//
// Elements are named by locators: CSS, which reaches into shadow trees; XPath; the
// text people see ({button}Sign in, {^a}part of it); a JavaScript expression in
// parentheses; or a ref of the accessibility tree (ref:e5, see [Driver.AriaTree]).
// An [Element] is such a name, not a handle, and is found anew each time:
//
//	row := d.Locate("{tr}Ann")
//	err = row.Locate("button").Click(ctx)
//
// A [Finder] finds by place: d.RightOf("{}Amount").Input(ctx, "", "12").
//
// # Waiting
//
// Nothing needs a pause before it. Actions wait until their element is there,
// visible, at rest, enabled and not covered, and come back when the page has
// reacted; one that navigates, when the new page is ready. [Driver.WaitFor] and
// its like wait for what the page does by itself; a duration as their last argument
// is for that wait. [Driver.Retry] is about the next call alone, [Timeouts] about
// all. [Driver.SetURL] waits as [Options].PageLoad says: for the document, its
// frames, the load event or the network.
//
// # Frames, tabs, dialogs
//
// [Driver.SwitchFrame] and [Driver.SwitchPage] say where the next calls go. A
// dialog stays open until [Driver.Dialog] answers it, or [Driver.OnDialog] has
// somebody who does.
//
// # The browser around the page
//
// [Driver.Intercept] stops requests to change, answer or abort them;
// [Driver.Emulate] emulates a device, a place, a network; cookies, storage,
// windows and [Driver.Downloads] are the driver's browser context's own. The
// clipboard is the browser's, and so that of all its contexts.
//
// # Recording
//
// [Driver.StartVideo] films, [Driver.StartTrace] writes every step down with the
// page after it, [Options].Embed gets pictures for a report, [Driver.Screencast]
// shows the page as it changes.
//
// # Many at a time
//
// A [Pool] gives out drivers in one browser, each in a context of its own: as many
// as it is large, or as Go runs at a time. It is the usual [Provider].
//
// # Errors
//
// Failures are *[Error]: a [Code] for programs, and one sentence that says what
// was tried, where, how long was waited and what was found instead, with what to
// do next.
//
// # Below
//
// The verbs of the agent are made of [Tab]'s methods, which know refs, receipts
// and settling; see package rove. What a browser must give is in package backend;
// [Driver.Can] says what the one at hand can do of what not all can, and
// [Tab.Raw] leads to the protocol itself.
package driver
