package proposal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"rove/internal/proc"
)

// Event is something that happens while a proposal is run: a line of its
// progress and of the journal.
type Event struct {
	Kind       EventKind `json:"event"`
	Time       time.Time `json:"time"`
	Run        string    `json:"run,omitempty"` // one run of a proposal, which may be run often
	ProposalID string    `json:"proposal_id,omitempty"`

	ActionID string        `json:"action_id,omitempty"`
	Tool     string        `json:"tool,omitempty"`
	Attempt  int           `json:"attempt,omitempty"`  // from 1
	Error    string        `json:"error,omitempty"`    // why it is tried again
	DelayMS  int64         `json:"delay_ms,omitempty"` // until then
	Result   *ActionResult `json:"result,omitempty"`

	Proposal *ActionProposal `json:"proposal,omitempty"` // as it began
	State    map[string]any  `json:"state,omitempty"`    // what was set from outside
	Undone   *Undone         `json:"undone,omitempty"`
	Cost     *Cost           `json:"cost,omitempty"`
	Stopped  string          `json:"stopped,omitempty"`
}

// EventKind is what happened.
type EventKind string

const (
	ProposalStarted  EventKind = "proposal_started"
	ActionStarted    EventKind = "action_started"
	ActionRetrying   EventKind = "action_retrying"
	ActionFinished   EventKind = "action_finished" // whatever its status; not all were started
	StateRolledBack  EventKind = "state_rolled_back"
	ProposalFinished EventKind = "proposal_finished"
	StateSet         EventKind = "state_set" // from outside of proposals
)

// Journal is a file to which every event is added as a line of JSON, so that the
// state can be had from it again. It is its owner's alone, in both senses: nobody
// else may read it, and one process has it at a time.
type Journal struct {
	mu     sync.Mutex
	w      io.Writer
	broken error
	state  map[string]any
	close  func() error
}

// NewJournal makes a journal that is written to w.
func NewJournal(w io.Writer) *Journal { return &Journal{w: w, close: func() error { return nil }} }

// OpenJournal opens the journal in a file, which is made if there is none, and
// reads the state from it. A last line that was cut off, as by a power failure,
// is dropped; a proposal that never ended is rolled back.
func OpenJournal(ctx context.Context, path string) (*Journal, error) {
	release, err := proc.Hold(ctx, path+".lock")
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		release()
		return nil, fmt.Errorf("journal: %w", err)
	}
	j := NewJournal(f)
	j.close = func() error {
		defer release()
		return f.Close()
	}
	if err := j.open(f); err != nil {
		return nil, errors.Join(fmt.Errorf("journal %s: %w", path, err), j.close())
	}
	return j, nil
}

func (j *Journal) open(f *os.File) error {
	if info, err := f.Stat(); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return errors.New("it is not a file")
	}
	if err := f.Chmod(0o600); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	r, err := Replay(f)
	if err != nil {
		return err
	}
	if r.Torn {
		if err := f.Truncate(r.good); err != nil {
			return err
		}
	}
	for _, run := range r.Unfinished {
		j.write(&Event{Kind: StateRolledBack, Time: time.Now().UTC(), Run: run, Stopped: "it had not ended when the journal was opened again"})
	}
	j.state = r.State
	return j.broken
}

// State is the state as the journal had it when it was opened.
func (j *Journal) State() map[string]any { return cloneMap(j.state) }

// Close closes the file. It may be called twice.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if errors.Is(j.broken, os.ErrClosed) {
		return nil
	}
	j.broken = os.ErrClosed
	return j.close()
}

// mostOutput is how much of an answer the journal keeps. It is about what was
// done; pictures belong elsewhere.
const mostOutput = 64 << 10

// write adds a line. After one that could not be written it writes no more: a
// gap would make another state of the rest.
func (j *Journal) write(e *Event) {
	if j == nil {
		return
	}
	if e.Result != nil {
		if text, err := json.Marshal(e.Result.Output); err != nil || len(text) > mostOutput {
			short, r := *e, *e.Result
			r.Output = map[string]any{"omitted_bytes": len(text)}
			short.Result = &r
			e = &short
		}
	}
	line, err := json.Marshal(e)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return
	}
	if err == nil {
		_, err = j.w.Write(append(line, '\n'))
	}
	j.broken = err
}

// trouble says why the journal is not complete.
func (j *Journal) trouble() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.broken
}

// Replayed is what a journal tells.
type Replayed struct {
	State      map[string]any
	Events     int
	Unfinished []string // runs that never ended; they have left nothing in the state
	Torn       bool     // the last line was cut off

	good int64 // so many bytes are whole lines
}

// Replay reads a journal and gives the state at its end. A last line that was cut
// off is left out; anything else that can't be read is an error.
func Replay(r io.Reader) (*Replayed, error) {
	out := new(Replayed)
	s := newStore(nil)
	runs := map[string]*tx{}
	var begun []string
	in := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			out.Torn = len(line) > 0
			break
		}
		if err != nil {
			return nil, err
		}
		out.good += int64(len(line))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var e struct {
			Event
			Proposal json.RawMessage `json:"proposal"` // it is for readers
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		out.Events++
		t := runs[e.Run]
		switch {
		case e.Kind == StateSet:
			set := s.begin()
			set.set(e.State, func() {})
			set.commit(func() {})
		case e.Kind == ProposalStarted:
			runs[e.Run] = s.begin()
			begun = append(begun, e.Run)
		case t == nil: // of a run whose beginning is not here
		case e.Kind == ActionFinished && e.Result != nil:
			t.set(e.Result.StateChanges, func() {})
		case e.Kind == StateRolledBack:
			t.rollback(func(Undone) {})
			if e.Stopped != "" { // nothing follows
				delete(runs, e.Run)
			}
		case e.Kind == ProposalFinished:
			t.commit(func() {})
			delete(runs, e.Run)
		}
	}
	for _, run := range begun {
		if t := runs[run]; t != nil {
			t.rollback(func(Undone) {})
			out.Unfinished = append(out.Unfinished, run)
		}
	}
	out.State = s.all()
	return out, nil
}
