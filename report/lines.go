package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Lines writes an event a line, while the suite runs, to results.jsonl: a
// program can follow them, and a crash loses nothing.
type Lines struct {
	Dir string
	// Hidden lines are a store for the other reports, and what a crash leaves of them.
	// They are taken away at the end.
	Hidden bool

	file *os.File
	end  int64
	kept map[*Scenario]span
}

// Event is one line of a Lines file.
type Event struct {
	Event    string    `json:"event"`
	Time     time.Time `json:"time"`
	Suite    *Suite    `json:"suite,omitempty"`
	Feature  *Feature  `json:"feature,omitempty"`
	Scenario *Scenario `json:"scenario,omitempty"`
	Summary  *Summary  `json:"summary,omitempty"`
}

// LinesName is the file's name in the folder of reports.
const LinesName = "results.jsonl"

// Begin opens the file.
func (l *Lines) Begin(s Suite) error {
	if err := os.MkdirAll(l.Dir, 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	f, err := os.Create(filepath.Join(l.Dir, l.name()))
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	l.file, l.end, l.kept = f, 0, map[*Scenario]span{}
	return l.write(Event{Event: "suite", Suite: &s})
}

// Exchanges is part of Brief.
func (l *Lines) Exchanges() bool { return true }

// Scenario writes a result.
func (l *Lines) Scenario(s *Scenario) error { return l.Keep(s) }

// Keep writes a result where it is not in the file yet, so that it can be loaded.
func (l *Lines) Keep(s *Scenario) error {
	if _, ok := l.kept[s]; ok {
		return nil
	}
	at := l.end
	if err := l.write(Event{Event: "scenario", Feature: s.Feature, Scenario: s}); err != nil || l.file == nil {
		return err
	}
	l.kept[s] = span{l.file, at, l.end - at}
	return nil
}

// Kept says whether a result is in the file.
func (l *Lines) Kept(s *Scenario) bool { _, ok := l.kept[s]; return ok }

// Load reads a result again.
func (l *Lines) Load(s *Scenario) (*Scenario, error) {
	at, ok := l.kept[s]
	if !ok {
		return s, nil
	}
	e, err := at.read()
	if err != nil {
		return s, err
	}
	e.Scenario.Feature = s.Feature
	return e.Scenario, nil
}

// Feature is part of Writer.
func (l *Lines) Feature(f *Feature, r Results) error {
	for _, s := range r.Heads {
		defer delete(l.kept, s)
	}
	return l.write(Event{Event: "feature", Feature: f})
}

// End writes the summary and closes the file.
func (l *Lines) End(s Summary) error {
	err := l.write(Event{Event: "end", Summary: &s})
	if l.file != nil {
		if closed := l.file.Close(); err == nil && closed != nil {
			err = fmt.Errorf("report: %s: %w", LinesName, closed)
		}
		l.file = nil
	}
	if l.Hidden {
		os.Remove(filepath.Join(l.Dir, l.name()))
	}
	return err
}

func (l *Lines) name() string {
	if l.Hidden {
		return "." + LinesName
	}
	return LinesName
}

func (l *Lines) write(e Event) error {
	if l.file == nil {
		return nil
	}
	e.Time = time.Now().UTC()
	line, err := json.Marshal(e)
	if err == nil {
		var n int
		n, err = l.file.Write(append(line, '\n'))
		l.end += int64(n)
	}
	if err != nil {
		return fmt.Errorf("report: %s: %w", LinesName, err)
	}
	return nil
}
