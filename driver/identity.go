package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"rove/driver/advice"
	"rove/driver/backend"
	"rove/recording"
)

// Identity is what an element is known by, beyond the life of its page: its role
// and name, what is around it, and the ways that lead to it alone.
type Identity = recording.Identity

// knownBy notes the identity that came with an answer. It is taken once: what is
// done may change it.
func (a *action) knownBy(v *verdict) {
	if v.Who == nil || a.effect.Who != nil {
		return
	}
	v.Who.Frame = a.tab.frameTrail(a.frame)
	a.effect.Who = v.Who
	a.arg.Who = false
}

// frameTrail is the way from the page to a frame.
func (t *Tab) frameTrail(f backend.Frame) []recording.Frame {
	if f.Parent == "" {
		return nil
	}
	frames := t.tab.Frames()
	var trail []recording.Frame
	for f.Parent != "" {
		index := 0
		for _, o := range frames {
			if o.Parent == f.Parent && o.Owner < f.Owner {
				index++
			}
		}
		trail = append([]recording.Frame{{Name: f.Name, URL: f.URL, Index: index}}, trail...)
		parent, ok := t.frameByID(f.Parent)
		if !ok {
			break
		}
		f = parent
	}
	return trail
}

// followTrail finds the frame that a trail leads to now: by its name, by where it is at,
// or by its place.
func (t *Tab) followTrail(trail []recording.Frame) (backend.Frame, bool) {
	frames := t.tab.Frames()
	if len(frames) == 0 {
		return backend.Frame{}, false
	}
	at := frames[0]
	for _, want := range trail {
		var inside []backend.Frame
		for _, f := range frames {
			if f.Parent == at.ID {
				inside = append(inside, f)
			}
		}
		best, score := -1, 0
		for i, f := range inside {
			index := 0
			for _, o := range inside {
				if o.Owner < f.Owner {
					index++
				}
			}
			s := 0
			if want.Name != "" && f.Name == want.Name {
				s += 4
			}
			if pathOnly(f.URL) == pathOnly(want.URL) {
				s += 2
			}
			if index == want.Index {
				s++
			}
			if s > score {
				best, score = i, s
			}
		}
		if best < 0 {
			return backend.Frame{}, false
		}
		at = inside[best]
	}
	return at, true
}

func pathOnly(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Path
	}
	return address
}

// IdentityMatch is an element that was found again.
type IdentityMatch struct {
	ElementInfo
	Way     int  // which of the identity's ways led there
	Renamed bool // it has another name by now
	Unsure  bool // what is around it is not what it was
	// Astray are the ways that do not lead there.
	Astray []int
}

type sought struct {
	plain
	scriptElement
	Way     int             `json:"way"`
	Renamed *string         `json:"renamed"`
	Unsure  bool            `json:"unsure"`
	Astray  []int           `json:"astray"`
	There   []scriptElement `json:"there"`
}

// FindByIdentity finds an element by its identity, and waits for it. It must be what it was;
// where there is nothing of the kind, the error says what is there instead.
func (t *Tab) FindByIdentity(ctx context.Context, who *Identity, timeout time.Duration) (*IdentityMatch, error) {
	op := "find " + describeIdentity(who)
	var frame backend.Frame
	var v sought
	err := t.retry(ctx, op, time.Now().Add(timeout), func(ctx context.Context, left time.Duration) error {
		var ok bool
		if frame, ok = t.followTrail(who.Frame); !ok {
			return &notYet{errNotThere, eventPause}
		}
		v = sought{}
		return t.run(ctx, frame, "seek", left, &v, func(next int) any {
			return map[string]any{"next": next, "who": who, "timeout": left.Milliseconds()}
		})
	})
	switch {
	case errors.Is(err, errNotThere):
		return nil, (&Error{Code: CodeNotFound, Op: op, Message: "the frame it was in is not there" + listFrames(t.tab.Frames())}).Advise(advice.GoOnByHand)
	case err != nil:
		return nil, Explain(op, err)
	case v.OK:
		return &IdentityMatch{
			ElementInfo: ElementInfo{Ref: t.refIn(frame, v.Ref), Role: v.Role, Name: cmp.Or(v.Name, v.Words)},
			Way:         v.Way, Renamed: v.Renamed != nil, Unsure: v.Unsure, Astray: v.Astray,
		}, nil
	}
	var there []string
	for _, s := range v.There {
		there = append(there, fmt.Sprintf("%s %q", s.Role, cmp.Or(s.Name, s.Words)))
	}
	e := (&Error{Code: CodeNotFound, Op: op, Message: "there is none on " + t.URL()}).Advise(advice.GoOnByHand)
	if v.Code != "notfound" {
		e.Message = v.Reason
	} else if len(there) > 0 {
		e.Message += "; there is " + strings.Join(there, ", ")
	} else {
		e.Message += ", and nothing like it"
	}
	return nil, e
}

func describeIdentity(who *Identity) string {
	text := who.Role
	if who.Name != "" {
		text += fmt.Sprintf(" %q", who.Name)
	}
	if who.Near != "" {
		text += fmt.Sprintf(" near %q", who.Near)
	}
	return text
}
