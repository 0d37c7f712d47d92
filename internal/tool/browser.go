package tool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rove"
	"rove/driver/advice"
)

// browserTools are for agents that build web applications and see whether they
// work. Their names, parameters and defaults are those that such agents know.
var browserTools = []*Tool{
	rowOf("browser_navigate", false, "Open a URL and wait until the page is ready. Answers the final URL, title and HTTP status, what went wrong (DNS, refused, reset, TLS, timeout, HTTP status, blocked), or the file that it downloaded.", navigate).gentle(),
	rowOf("browser_snapshot", true, "See the page as text: what is there, with a ref such as e3 for each element. Refs can be used as selectors.", look),
	rowOf("browser_take_screenshot", true, "Take a picture of the viewport, an element or the full page. Saves it to a file and shows it.", takeScreenshot),
	rowOf("read_image", true, "See an image file: PNG, JPEG, GIF or WebP.", readImage).local(),
	rowOf("browser_get_text", true, "Read the text of the page, or of an element.", getText),
	rowOf("browser_eval", false, "Run JavaScript in the page and get its value as JSON. To click and type, use browser_click and browser_type.", evaluate),
	rowOf("browser_click", false, "Click an element. Answers what came of it.", clickElement),
	rowOf("browser_type", false, `Type text into a field, after what is there unless clear. \n is Enter.`, typeInto),
	rowOf("browser_key_press", false, "Press a key where the focus is, such as Enter, Escape, ArrowDown or a.", pressKey),
	rowOf("browser_select", false, "Choose an option of a select or combobox.", selectOption),
	rowOf("browser_hover", false, "Move the pointer onto an element.", hoverElement).gentle(),
	rowOf("browser_scroll", false, "Scroll the page, or bring an element into view or scroll inside it.", scrollPage).gentle(),
	rowOf("browser_upload", false, "Give files to a file input, or to the file chooser that is open.", uploadFiles),
	rowOf("browser_handle_dialog", false, "Answer an alert, confirm, prompt or beforeunload dialog.", handleDialog),
	rowOf("browser_wait_for_selector", true, "Wait until an element is there.", waitForSelector),
	rowOf("browser_wait_for", true, "Wait for one thing: a text, a text to go, a URL, a request to be answered, or a state.", waitFor),
	rowOf("browser_go_back", false, "Go back in the tab's history.", goBack).gentle(),
	rowOf("browser_go_forward", false, "Go forward in the tab's history.", goForward).gentle(),
	rowOf("browser_reload", false, "Load the page again.", reloadPage).gentle(),
	rowOf("browser_tabs", false, "List the tabs; open, select or close one.", tabs).gentle(),
	rowOf("browser_resize", false, "Set the size of the viewport; 1280×720 at first.", resize).gentle().local(),
	rowOf("browser_pdf", true, "Print the page to a PDF file.", printPage),
	rowOf("browser_files", true, "List the session's files: downloads, screenshots, PDFs and large results.", listFiles).local(),
}

// rowOf makes a row of the set browser: what it says speaks of the tools of this
// set, not of the verbs below them.
func rowOf[In input](name string, readOnly bool, help string, run func(context.Context, *Context, In) (Output, error)) *Tool {
	return row(browser, name, readOnly, help, func(ctx context.Context, c *Context, in In) (Output, error) {
		out, err := run(advice.With(ctx, browserWords), c, in)
		return out, inWords(browserWords, err)
	})
}

// selected is the parameter of tools that work on an element.
type selected struct {
	Selector string `json:"selector" about:"CSS, or //xpath, {button}Save, or a ref such as e3"`
}

// patience is the parameter of tools that wait.
type patience struct {
	Timeout *Milliseconds `json:"timeout,omitempty" jsonschema:"ms" about:"for how long to wait: milliseconds, or a time such as 5s; 30 s unless told"`
}

// pagePatience is the same for pages and scripts.
type pagePatience struct {
	Timeout *Milliseconds `json:"timeout,omitempty" jsonschema:"ms" about:"milliseconds, or a time such as 5s; 15 s unless told"`
}

func (p pagePatience) within() time.Duration { return patience(p).within(pageTime) }

func (p pagePatience) bound(ctx context.Context, name string) (context.Context, context.CancelFunc, error) {
	return patience(p).bound(ctx, name, pageTime)
}

// within gives the timeout: what was said, or what counts where nothing was.
func (p patience) within(unlessTold time.Duration) time.Duration {
	if p.Timeout == nil {
		return unlessTold
	}
	return time.Duration(*p.Timeout)
}

// least is the same for what takes 0 as nothing said: who says 0 wants to know what
// is so now.
func (p patience) least(unlessTold time.Duration) time.Duration {
	return max(p.within(unlessTold), time.Nanosecond)
}

// bound gives a context that ends with the timeout, which has to be one.
func (p patience) bound(ctx context.Context, name string, unlessTold time.Duration) (context.Context, context.CancelFunc, error) {
	d := p.within(unlessTold)
	if d <= 0 {
		return nil, nil, invalid(name, "timeout takes more than 0: a number of milliseconds, or a time such as \"5s\"")
	}
	ctx, cancel := context.WithTimeout(ctx, d)
	return ctx, cancel, nil
}

// The times that tools take unless told.
const (
	pageTime    = 15 * time.Second // navigations and scripts
	elementTime = 30 * time.Second
	afterTime   = 10 * time.Second // for the page to react, after that
)

// step is what to do to an element, within the time that the call has: with wait
// all of it is for the element to come and be ready.
func (p patience) step(selector, op, value string, wait bool) rove.Step {
	st := rove.Step{Ref: selector, Op: op, Value: value, First: true, Timeout: p.within(elementTime)}
	if wait {
		st.Wait = st.Timeout
	}
	st.Timeout = max(st.Timeout, time.Millisecond) // 0 is for what is ready now
	return st
}

// runSteps does steps and answers with the receipt.
func runSteps(ctx context.Context, c *Context, head string, steps ...rove.Step) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	bound := afterTime
	for _, st := range steps {
		bound += st.Wait + st.Timeout
	}
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	r, err := s.Act(ctx, steps...)
	if r == nil {
		return Output{}, err
	}
	out := outputOf(r, &r.Screenshot)
	if head != "" && err == nil {
		out.Text = head + "\n" + out.Text
	}
	return out, err
}

// onPage is a step of the page as a whole.
func onPage(op, value string) rove.Step { return rove.Step{Ref: "_page", Op: op, Value: value} }

// onlyOne says which one of several parameters was given, or that it has to be
// one.
func onlyOne(tool string, params map[string]bool, names ...string) (string, error) {
	var given []string
	for _, name := range names {
		if params[name] {
			given = append(given, name)
		}
	}
	if len(given) != 1 {
		return "", invalid(tool, "give one of %s%s", strings.Join(names, ", "), map[bool]string{true: "; not " + fmt.Sprint(len(given)) + " of them", false: ""}[len(given) > 1])
	}
	return given[0], nil
}
