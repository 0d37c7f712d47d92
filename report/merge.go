package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Merge makes one report of the JSON lines of several folders: the shards of a
// suite, or one that was ended before its reports were whole.
func Merge(dirs []string, writers []Writer) (Summary, error) {
	var sum Summary
	if len(dirs) == 0 {
		return sum, errors.New("report: name the folders to put together")
	}
	index := map[string]*place{}
	var order []string
	files := make([]*os.File, 0, len(dirs))
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	for _, dir := range dirs {
		f, err := os.Open(filepath.Join(dir, LinesName))
		if err != nil { // of a run that was killed
			f, err = os.Open(filepath.Join(dir, "."+LinesName))
		}
		if err != nil {
			return sum, fmt.Errorf("report: %s has no %s: was it written with --format jsonl?", dir, LinesName)
		}
		files = append(files, f)
		if err := scan(f, &sum, func(feature *Feature, at, length int64) {
			p := index[feature.Path]
			if p == nil {
				p = &place{feature: feature}
				index[feature.Path] = p
				order = append(order, feature.Path)
			}
			p.lines = append(p.lines, span{f, at, length})
		}); err != nil {
			return sum, err
		}
	}
	slices.Sort(order)
	for _, w := range writers {
		if err := w.Begin(sum.Suite); err != nil {
			return sum, err
		}
	}
	sum.Features = len(order)
	for _, path := range order {
		p := index[path]
		list, err := p.read()
		if err != nil {
			return sum, err
		}
		broken := false
		for _, s := range list {
			switch s.Status {
			case Failed:
				sum.Failed++
				broken = true
			case Flaky:
				sum.Flaky++
			case Skipped:
				sum.Skipped++
			default:
				sum.Passed++
			}
		}
		if broken {
			sum.FailedFeatures++
		}
		for _, w := range writers {
			for _, s := range list {
				if err := w.Scenario(s); err != nil {
					return sum, err
				}
			}
			if err := w.Feature(p.feature, Results{Heads: list}); err != nil {
				return sum, err
			}
		}
	}
	for _, w := range writers {
		if err := w.End(sum); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// A place says where the results of a feature are.
type place struct {
	feature *Feature
	lines   []span
}

type span struct {
	file       *os.File
	at, length int64
}

func (l span) read() (*Event, error) {
	line := make([]byte, l.length)
	if _, err := l.file.ReadAt(line, l.at); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		return nil, fmt.Errorf("report: %s: %w", l.file.Name(), err)
	}
	return &e, nil
}

// read gets the results of a feature, in the order of its file. Of one that was
// told twice, the later counts.
func (p *place) read() ([]*Scenario, error) {
	byID := map[string]*Scenario{}
	for _, l := range p.lines {
		e, err := l.read()
		if err != nil {
			return nil, err
		}
		e.Scenario.Feature = p.feature
		byID[id(e.Scenario)+e.Scenario.Name] = e.Scenario
	}
	list := slices.Collect(maps.Values(byID))
	slices.SortFunc(list, func(a, b *Scenario) int {
		if a.Section != b.Section {
			return a.Section - b.Section
		}
		return a.Example - b.Example
	})
	return list, nil
}

// scan tells of every result of a file, and adds what concerns the whole suite.
func scan(f *os.File, sum *Summary, result func(feature *Feature, at, length int64)) error {
	r := bufio.NewReaderSize(f, 1<<20)
	var at int64
	ended := false
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 && line[len(line)-1] == '\n' {
			var head struct {
				Event   string   `json:"event"`
				Suite   *Suite   `json:"suite"`
				Feature *Feature `json:"feature"`
				Summary *Summary `json:"summary"`
			}
			if err := json.Unmarshal(line, &head); err != nil {
				return fmt.Errorf("report: %s: %w", f.Name(), err)
			}
			switch {
			case head.Event == "suite" && head.Suite != nil:
				if sum.Suite.Start.IsZero() || head.Suite.Start.Before(sum.Suite.Start) {
					sum.Suite.Start = head.Suite.Start
				}
				sum.Suite.Env, sum.Suite.Version = head.Suite.Env, head.Suite.Version
				sum.Suite.Threads = max(sum.Suite.Threads, head.Suite.Threads)
				sum.Suite.Scenarios += head.Suite.Scenarios
				sum.Suite.Features += head.Suite.Features
			case head.Event == "scenario" && head.Feature != nil:
				result(head.Feature, at, int64(len(line)))
			case head.Event == "end" && head.Summary != nil:
				ended = true
				sum.Time = max(sum.Time, head.Summary.Time)
				sum.Broken = append(sum.Broken, head.Summary.Broken...)
				if head.Summary.Interrupted != "" {
					sum.Interrupted = strings.TrimSpace(sum.Interrupted + " " + head.Summary.Interrupted)
				}
			}
		}
		at += int64(len(line))
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	if !ended {
		sum.Interrupted = strings.TrimSpace(sum.Interrupted + " " + filepath.Base(filepath.Dir(f.Name())) + " did not come to its end.")
		if info, err := f.Stat(); err == nil && !sum.Suite.Start.IsZero() {
			sum.Time = max(sum.Time, info.ModTime().Sub(sum.Suite.Start).Round(time.Millisecond))
		}
	}
	return nil
}
