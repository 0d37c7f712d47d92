package recording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"rove/aria"
	"rove/internal/wire"
)

// longestLine bounds a line of a file, in bytes.
const longestLine = 16 << 20

// line is any line of a file but the first.
type line struct {
	Step    *Step    `json:"step,omitempty"`
	Request *Request `json:"request,omitempty"`
}

// Write writes a recording as JSON lines. What nobody would see is written as an escape:
// what a page said commands no terminal, and whoever passes the text on spoils nothing.
func (r *Recording) Write(w io.Writer) error {
	head := r.Header
	head.Rove, head.Version = "recording", Version
	out := bufio.NewWriter(w)
	put := func(v any) error {
		data, err := wire.Marshal(v)
		if err == nil {
			_, err = out.Write(append(aria.RevealJSON(data), '\n'))
		}
		return err
	}
	if err := put(head); err != nil {
		return err
	}
	for i := range r.Steps {
		if err := put(line{Step: &r.Steps[i]}); err != nil {
			return err
		}
	}
	for i := range r.Requests {
		if err := put(line{Request: &r.Requests[i]}); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Read reads what Write wrote. Lines of a kind that it does not know are left out.
func Read(r io.Reader) (*Recording, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	rec := &Recording{}
	for n := 1; lines.Scan(); n++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		if rec.Version == 0 {
			if err := wire.Unmarshal(text, &rec.Header); err != nil || rec.Rove != "recording" || rec.Version < 1 {
				return nil, errors.New(`it is no recording: its first line is not {"rove":"recording","version":1}`)
			}
			if rec.Version > Version {
				return nil, fmt.Errorf("it is a recording of version %d, and this rove reads up to %d: use a newer one", rec.Version, Version)
			}
			continue
		}
		var l line
		if err := wire.Unmarshal(text, &l); err != nil {
			return nil, wrongLine("recording", n, err)
		}
		if l.Step != nil {
			rec.Steps = append(rec.Steps, *l.Step)
		}
		if l.Request != nil {
			rec.Requests = append(rec.Requests, *l.Request)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if rec.Version == 0 {
		return nil, errors.New("it is empty")
	}
	return rec, nil
}

// ReadHeader reads the first line alone.
func ReadHeader(r io.Reader) (h Header, err error) {
	text, err := bufio.NewReader(io.LimitReader(r, longestHead)).ReadBytes('\n')
	if err == nil {
		err = wire.Unmarshal(text, &h)
	}
	if err == nil && h.Rove != "recording" {
		err = errors.New("it is no recording")
	}
	return h, err
}

const longestHead = 64 << 10

// wrongLine says what is wrong with a line of a file.
func wrongLine(kind string, n int, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("line %d ends in the middle: the file was cut off there, and can be read without that line", n)
	}
	return fmt.Errorf("line %d is not of a %s: %w", n, kind, err)
}

// Cut is the part of a recording from one verb to another, by their numbers; 0 is
// the first, or the last.
func (r *Recording) Cut(from, to int) *Recording {
	out := func(n int) bool { return from > 0 && n < from || to > 0 && n > to }
	c := *r
	c.Steps = slices.DeleteFunc(slices.Clone(r.Steps), func(s Step) bool { return out(s.N) })
	c.Requests = slices.DeleteFunc(slices.Clone(r.Requests), func(q Request) bool { return out(q.N) })
	return &c
}

// Merge puts recordings one after the other; their verbs are numbered anew.
func Merge(list ...*Recording) *Recording {
	all := &Recording{Header: Header{Rove: "recording", Version: Version}}
	number := 0
	for i, r := range list {
		if i == 0 {
			all.Header = r.Header
		}
		numbers := map[int]int{}
		give := func(n int) int {
			if _, ok := numbers[n]; !ok {
				number++
				numbers[n] = number
			}
			return numbers[n]
		}
		for _, s := range r.Steps {
			s.N = give(s.N)
			all.Steps = append(all.Steps, s)
		}
		for _, q := range r.Requests {
			if q.N > 0 {
				q.N = give(q.N)
			}
			all.Requests = append(all.Requests, q)
		}
	}
	return all
}
