package feature

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"rove/report"
)

// writers tell reports of results. What one cannot write does not end the suite.
type writers struct {
	mu   sync.Mutex
	all  []report.Writer
	errs []error
	// lines has every result on disk; nil where no reports are written. held is
	// how much of it is in memory, too.
	lines *report.Lines
	held  int64
	most  int64 // 0 is mostHeld
	// brief says that no report needs steps once their scenario has ended.
	brief bool
	// exchanges says that one tells of requests and answers.
	exchanges bool
	// unwritten says that some report is not whole.
	unwritten bool
}

// mostHeld bounds the results of unfinished files that are in memory; what is more
// is put aside until the file's reports are written.
const mostHeld = 32 << 20

func (w *writers) each(f func(report.Writer) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.all {
		err := f(one)
		if err == nil {
			continue
		}
		w.unwritten = true
		told := slices.ContainsFunc(w.errs, func(e error) bool { return e.Error() == err.Error() })
		if !told && len(w.errs) < maxTrouble {
			w.errs = append(w.errs, err)
		}
	}
}

// maxTrouble bounds what is told of reports that cannot be written.
const maxTrouble = 5

func (w *writers) begin(s report.Suite) {
	w.each(func(one report.Writer) error { return one.Begin(s) })
}

// scenario tells of a result that has ended.
func (w *writers) scenario(s *report.Scenario) {
	w.each(func(one report.Writer) error { return one.Scenario(s) })
}

// spare puts a result aside where there are too many in memory, or nobody needs it.
func (w *writers) spare(s *report.Scenario) {
	if w.brief {
		s.PutAside()
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lines == nil {
		return
	}
	size := s.Size()
	if w.held+size > cmp.Or(w.most, mostHeld) {
		// What cannot be kept on disk stays in memory: a full disk is told elsewhere.
		if err := w.lines.Keep(s); err == nil && w.lines.Kept(s) {
			s.PutAside()
			return
		}
	}
	w.held += size
}

// feature tells of a file whose scenarios have ended. Their steps are on disk then,
// and in memory no more.
func (w *writers) feature(f *report.Feature, list []*report.Scenario) {
	results := report.Results{Heads: list}
	var held int64
	if w.lines != nil && !w.brief {
		results.Load = w.lines.Load
		w.mu.Lock()
		for _, s := range list {
			if !s.Aside {
				held += s.Size()
			}
		}
		w.mu.Unlock()
	}
	w.each(func(one report.Writer) error { return one.Feature(f, results) })
	if w.lines == nil || w.brief {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held -= held
	for _, s := range list {
		s.PutAside()
	}
}

func (w *writers) end(s report.Summary) {
	w.each(func(one report.Writer) error { return one.End(s) })
}

func (w *writers) err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(w.errs...)
}
