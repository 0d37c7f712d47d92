package recording

import (
	"slices"
	"sync"
)

// How much a session remembers: the oldest goes first.
const (
	mostSteps = 2000
	mostBytes = 4 << 20
)

// Ring keeps the latest steps of a session. The zero value is empty.
type Ring struct {
	mu    sync.Mutex
	steps []Step
	sizes []int
	bytes int
	lost  int
}

// Add keeps a step.
func (r *Ring) Add(s Step) {
	size := s.size()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps, r.sizes, r.bytes = append(r.steps, s), append(r.sizes, size), r.bytes+size
	drop := 0
	for len(r.steps)-drop > mostSteps || r.bytes > mostBytes && len(r.steps)-drop > 1 {
		r.bytes -= r.sizes[drop]
		drop++
	}
	if drop > 0 {
		r.lost += drop
		r.steps, r.sizes = slices.Delete(r.steps, 0, drop), slices.Delete(r.sizes, 0, drop)
	}
}

// Recording is what it holds now.
func (r *Ring) Recording() *Recording {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := &Recording{Header: Header{Rove: "recording", Version: Version, Lost: r.lost}, Steps: slices.Clone(r.steps)}
	if len(rec.Steps) > 0 {
		rec.Started = rec.Steps[0].Time
	}
	return rec
}

// size is about how many bytes a step takes.
func (s *Step) size() int {
	n := 256 + len(s.Value) + len(s.Ref) + len(s.Error)
	if s.Who != nil {
		n += 128 + len(s.Who.Name) + len(s.Who.Near)
		for _, w := range s.Who.Ways {
			n += 32 + len(w.Query)
		}
	}
	if s.Effect != nil {
		n += 128
		for _, q := range s.Effect.Requests {
			n += 64 + len(q.URL)
		}
	}
	if s.Page != nil {
		n += len(s.Page.URL) + len(s.Page.Title)
		for _, list := range [][]Line{s.Page.Appeared, s.Page.Gone} {
			for _, l := range list {
				n += 48 + len(l.Name)
			}
		}
	}
	return n
}
