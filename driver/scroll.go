package driver

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rove/driver/advice"
)

// scroll moves an element's content or brings the element into view, or scrolls the
// page: "down", "up 3" (screens), "right 200px", "top", "bottom", the ref of what is to
// be seen, "until:TEXT", which goes on until the text is there, or nothing.
func (a *action) scroll() error {
	if to := strings.TrimSpace(a.Value); IsRef(to) {
		frame, n, _, err := a.tab.target(a.op, to)
		if err != nil {
			return err
		}
		into := *a
		into.frame, into.arg = frame, prepareArg{Ref: n, Timeout: a.arg.Timeout}
		return into.scrollBy(scrolling{})
	}
	s, err := readScroll(a.Value)
	if err != nil {
		return Invalid(a.op, "%v", err)
	}
	if a.target == "" && s == (scrolling{}) {
		s = scrolling{dy: 1, pages: true}
	}
	return a.scrollBy(s)
}

// scrolling is how far, or until what.
type scrolling struct {
	dx, dy float64
	pages  bool // in screens, not pixels
	until  string
}

const everything = 1e7 // pixels: to the end

func readScroll(value string) (scrolling, error) {
	value = strings.TrimSpace(value)
	if text, ok := strings.CutPrefix(value, "until:"); ok {
		if text = strings.TrimSpace(text); text == "" {
			return scrolling{}, fmt.Errorf("until: needs a text to scroll to")
		}
		return scrolling{until: text}, nil
	}
	word, amount, _ := strings.Cut(value, " ")
	s := scrolling{pages: true}
	n := 1.0
	if amount = strings.TrimSpace(amount); amount != "" {
		px := strings.TrimSuffix(amount, "px")
		var err error
		if n, err = strconv.ParseFloat(px, 64); err != nil || n <= 0 {
			return s, fmt.Errorf("scroll %q: the amount is a number of screens, or of pixels as in 300px", value)
		}
		s.pages = px == amount
	}
	switch word {
	case "":
		return scrolling{}, nil
	case "down":
		s.dy = n
	case "up":
		s.dy = -n
	case "right":
		s.dx = n
	case "left":
		s.dx = -n
	case "bottom":
		return scrolling{dy: everything}, nil
	case "top":
		return scrolling{dy: -everything}, nil
	default:
		return s, fmt.Errorf("scroll %q: say down, up, left, right (and how many screens), top, bottom, until:TEXT or a ref", value)
	}
	return s, nil
}

// scrollTime bounds how long until: goes on while it gets further, and feedPatience
// how long it waits, three times, for more to come at the end; for a feed that has
// asked its server, as long as that takes.
const (
	scrollTime   = 30 * time.Second
	feedPatience = 400 * time.Millisecond
	feedTime     = 8 * time.Second
)

func (a *action) scrollBy(s scrolling) error {
	ctx := a.ctx
	arg := a.arg
	arg.DX, arg.DY, arg.Pages = s.dx, s.dy, s.pages
	if s.until == "" {
		v, err := a.ask("scroll", arg)
		if err != nil {
			return err
		}
		a.noteElement(v)
		if len(v.Moved) == 2 && (v.Moved[0] != 0 || v.Moved[1] != 0) {
			a.effect.Value = &Change{strconv.Itoa(v.Top - int(v.Moved[1])), fmt.Sprintf("%d of %d", v.Top, int(v.Height))}
		}
		return a.settle()
	}
	arg.DX, arg.DY, arg.Pages = 0, 1, true
	stuck, end := 0, time.Now().Add(scrollTime)
	var ended time.Time // when the end was come to
	at := 0
	for time.Now().Before(end) {
		found, err := a.tab.call(ctx, a.frame, "shows", prepareArg{Value: s.until})
		if err != nil {
			return err
		}
		if found.OK {
			a.noteElement(found)
			// The row it is in; of the page no name is told.
			if found.Text != nil && (a.target == "" || *found.Text != a.effect.Name) {
				a.effect.Text = found.Text
			}
			return nil
		}
		v, err := a.ask("scroll", arg)
		if err != nil {
			return err
		}
		if err := a.settle(); err != nil {
			return err
		}
		at = v.Top
		if v.End && (len(v.Moved) < 2 || v.Moved[1] == 0) {
			// The end; a feed may bring more once it has heard from its server.
			more, cancel := context.WithTimeout(ctx, feedPatience)
			err := a.tab.WaitText(more, s.until, false)
			cancel()
			if ctx.Err() != nil {
				return err
			}
			if stuck == 0 {
				ended = time.Now()
			}
			_, requesting, _ := a.watch.busy()
			if stuck++; stuck > 2 && (!requesting || time.Since(ended) > feedTime) {
				return (&Error{Code: CodeNotFound, Op: a.op, Message: fmt.Sprintf("scrolled to the end at %d px without seeing %q", v.Top, s.until)}).Advise(advice.FindText)
			}
			continue
		}
		stuck = 0
	}
	return &Error{Code: CodeNotFound, Op: a.op, Message: fmt.Sprintf("scrolled to %d px in %v without seeing %q, and there is more", at, scrollTime, s.until), Hint: "scroll again to go on from there"}
}
