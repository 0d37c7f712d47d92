package rove

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rove/driver"
	"rove/driver/advice"
)

// loadPatience is how long Go waits for a page to load once there is something
// to see. What loads on after that is said.
const loadPatience = 8 * time.Second

// heldPatience is how long a page may take to answer while another tab shows a
// dialog, which holds the pages that share its process.
const heldPatience = 2 * time.Second

// hung is what is said of a page that does not answer.
const hung = "the page is busy and does not answer: a script of it does not end, or it waits for the server of the page it is going to; "

// currentTab is the tab to work with. Where the last one was closed, by itself or
// by another, it is the next best; the note then says so.
func (s *Session) currentTab(ctx context.Context) (tab *driver.Tab, note string, err error) {
	tab, moved, err := s.driver.Present(ctx)
	if err != nil || !moved {
		return tab, "", err
	}
	return tab, "the tab was closed; this is another one\n", nil
}

// otherDialog finds another tab that shows a dialog: its number and what it shows.
func (s *Session) otherDialog() (number int, dialog string) {
	current := s.driver.Tab()
	for i, t := range s.driver.Tabs() {
		if d := t.Dialog(); d != nil && t != current {
			return i + 1, fmt.Sprintf("a dialog (%s %q)", d.Type, clip(s.out.Text(d.Message), 80))
		}
	}
	return 0, ""
}

// boundedWait bounds a wait for a page that a dialog in another tab may hold.
func (s *Session) boundedWait(ctx context.Context) (context.Context, context.CancelFunc) {
	if n, _ := s.otherDialog(); n > 0 {
		return context.WithTimeout(ctx, heldPatience)
	}
	return context.WithCancel(ctx)
}

// held says of a page that does not answer that a dialog in another tab holds
// it, if that may be so. What the driver advises is in the words of the verbs then.
func (s *Session) held(err error) error {
	err = inVerbs(err)
	if !driver.IsBusy(err) {
		return err
	}
	n, dialog := s.otherDialog()
	var e *Error
	if n == 0 || !errors.As(err, &e) {
		return err
	}
	told := *e
	told.Code = CodeDialog
	told.Message = fmt.Sprintf("the page does not answer: tab %d shows %s, which holds it", n, dialog)
	told.Advise(advice.AnswerInTab, strconv.Itoa(n))
	return &told
}

// endedText says what of a page had to be ended to leave it.
func endedText(ended []string) string {
	if len(ended) == 0 {
		return ""
	}
	return "left behind " + strings.Join(ended, " and ")
}
