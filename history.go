package rove

import (
	"fmt"
	"strings"
	"time"
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
	Tokens int           `json:"tokens"`          // of the answer, as a model reads it
	Steps  []Receipt     `json:"steps,omitempty"` // of act
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
func (s *Session) record(start time.Time, verb, input string, text string, steps []Receipt, err error) {
	e := Entry{
		Time: start, Verb: verb, Input: s.secrets.hide(input), OK: err == nil, URL: s.secrets.hide(s.driver.Tab().URL()),
		Took: time.Since(start), Tokens: Tokens(text), Steps: steps,
	}
	if err != nil {
		e.Error, e.Code = err.Error(), CodeOf(err)
	}
	s.histMu.Lock()
	s.histories++
	e.Number = s.histories
	if len(s.history) == historyLimit {
		s.history = s.history[1:]
	}
	s.history = append(s.history, e)
	fns := make([]func(Entry), 0, len(s.listeners))
	for _, fn := range s.listeners {
		fns = append(fns, fn)
	}
	s.histMu.Unlock()
	for _, fn := range fns {
		fn(e)
	}
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
		fmt.Fprintf(&b, "%d %s %s: %s (%d ms)\n", e.Number, e.Verb, e.Input, mark, e.Took.Milliseconds())
	}
	if b.Len() == 0 {
		return "nothing was done yet\n"
	}
	return b.String()
}
