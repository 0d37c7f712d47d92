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
	Dir  string
	file *os.File
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
	f, err := os.Create(filepath.Join(l.Dir, LinesName))
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	l.file = f
	return l.write(Event{Event: "suite", Suite: &s})
}

// Scenario writes a result.
func (l *Lines) Scenario(s *Scenario) error {
	return l.write(Event{Event: "scenario", Feature: s.Feature, Scenario: s})
}

// Feature is part of Writer.
func (l *Lines) Feature(f *Feature, _ []*Scenario) error {
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
	return err
}

func (l *Lines) write(e Event) error {
	if l.file == nil {
		return nil
	}
	e.Time = time.Now().UTC()
	line, err := json.Marshal(e)
	if err == nil {
		_, err = l.file.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("report: %s: %w", LinesName, err)
	}
	return nil
}
