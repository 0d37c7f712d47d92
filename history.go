package rove

import (
	"fmt"
	"strings"
	"time"

	"rove/aria"
)

// Entry is one verb in a session's history.
type Entry struct {
	Number int           `json:"n"`
	Time   time.Time     `json:"time"`
	Verb   string        `json:"verb"`            // go, look, act, wait, eval
	Input  string        `json:"input"`           // as a model would write it
	OK     bool          `json:"ok"`              //
	Error  string        `json:"error,omitempty"` //
	Code   Code          `json:"code,omitempty"`  //
	URL    string        `json:"url"`             // where the page was afterwards
	Took   time.Duration `json:"took"`            //
	Trips  int           `json:"trips"`           // round trips to the browser, what the page did by itself meanwhile included
	Tokens int           `json:"tokens"`          // of the answer, as a model reads it
	// Receipt is the answer's first line; Steps are the receipts of act in full.
	Receipt string    `json:"receipt,omitempty"`
	Steps   []Receipt `json:"steps,omitempty"`
}

// begun is a verb under way.
type begun struct {
	at     time.Time
	trips  int64
	unmark func()
	before *aria.Tree // what the page was last shown as
}

func (s *Session) begin() begun {
	s.histMu.Lock()
	number := s.histories + 1
	s.histMu.Unlock()
	return begun{time.Now(), s.driver.Trips(), s.network.mark(number), s.looks.last()}
}

// verbOf names a verb by its number, such as "act 3".
func (s *Session) verbOf(number int) string {
	s.histMu.Lock()
	defer s.histMu.Unlock()
	if len(s.history) > 0 {
		if i := number - s.history[0].Number; i >= 0 && i < len(s.history) {
			return fmt.Sprint(s.history[i].Verb, " ", number)
		}
	}
	return fmt.Sprint("call ", number)
}

// historyLimit is how many verbs a session remembers.
const historyLimit = 1000

// History lists what was done in the session, oldest first.
func (s *Session) History() []Entry {
	s.histMu.Lock()
	defer s.histMu.Unlock()
	return append([]Entry(nil), s.history...)
}

// Events has fn called for every verb as it is done, until stop is called. fn
// must not call the session.
func (s *Session) Events(fn func(Entry)) (stop func()) {
	s.histMu.Lock()
	defer s.histMu.Unlock()
	if s.listeners == nil {
		s.listeners = map[int]func(Entry){}
	}
	s.listened++
	n := s.listened
	s.listeners[n] = fn
	return func() {
		s.histMu.Lock()
		defer s.histMu.Unlock()
		delete(s.listeners, n)
	}
}

// record notes a verb. Typed values are kept as they are shown: those of
// password fields are not.
func (s *Session) record(b begun, verb, input string, text string, steps []Receipt, err error) {
	b.unmark()
	e := Entry{
		Time: b.at, Verb: verb, Input: input, OK: err == nil, URL: s.driver.Tab().URL(),
		Took: time.Since(b.at), Trips: int(s.driver.Trips() - b.trips), Tokens: Tokens(text), Steps: steps,
	}
	first, _, _ := strings.Cut(text, "\n")
	e.Receipt = clip(s.out.Text(first), 200)
	if err != nil {
		e.Error, e.Code = err.Error(), CodeOf(err)
	}
	cleanResult(s.out, &e)
	s.histMu.Lock()
	s.histories++
	e.Number = s.histories
	if len(s.history) == historyLimit {
		s.history = s.history[1:]
	}
	s.history = append(s.history, e)
	s.keepSteps(b, &e, input, steps)
	fns := make([]func(Entry), 0, len(s.listeners))
	for _, fn := range s.listeners {
		fns = append(fns, fn)
	}
	s.histMu.Unlock()
	for _, fn := range fns {
		fn(e)
	}
}

// verb runs a verb: what it gives passes the outlet, and it is noted in the history.
func verb[T any, R interface {
	*T
	Text() string
}](s *Session, name, input string, run func() (R, error)) (R, error) {
	start := s.begin()
	r, err := run()
	err = s.failed(err)
	cleanResult(s.out, (*T)(r))
	text := ""
	if r != nil {
		text = r.Text()
	}
	s.record(start, name, input, text, nil, err)
	return r, err
}

// historyText lists the last verbs for a model.
func (s *Session) historyText(n int) string {
	all := s.History()
	if len(all) > n {
		all = all[len(all)-n:]
	}
	var b strings.Builder
	for _, e := range all {
		mark := "ok"
		if !e.OK {
			mark = string(e.Code)
		}
		fmt.Fprintf(&b, "%d %s %s: %s (%d ms, %d trips, %d tokens)\n", e.Number, e.Verb, oneLine(e.Input), mark, e.Took.Milliseconds(), e.Trips, e.Tokens)
	}
	if b.Len() == 0 {
		return "nothing was done yet\n"
	}
	return b.String()
}
