package network

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"rove/driver/backend"
)

// Body is the body of an answer.
type Body struct {
	Data []byte `json:"-"`
	// Text is the body where it is text.
	Text string `json:"text,omitempty"`
	Size int64  `json:"size"`
	// Missing says why there is none.
	Missing string `json:"missing,omitempty"`
}

// IsText says whether a body is text.
func (b *Body) IsText() bool { return utf8.Valid(b.Data) && bytes.IndexByte(b.Data, 0) < 0 }

const (
	// MostBody is the largest body that is fetched from the browser unless more
	// is asked for.
	MostBody    = 10 << 20
	bodyTimeout = 10 * time.Second
	mostKept    = 1 << 20 // of one body that is kept as it comes
)

// ErrNoBody is what Body fails with where there is no body any more, or none yet.
var ErrNoBody = errors.New("there is no body")

// ErrDialog is what Body fails with while the page waits for somebody to answer.
var ErrDialog = errors.New("the page shows a dialog")

func noBody(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNoBody, fmt.Sprintf(format, args...))
}

// Body fetches the body of an answer, up to so many bytes (0 is MostBody). A
// browser has it only as long as the page that asked for it is there.
func (l *Log) Body(ctx context.Context, number int, most int64) (*Body, error) {
	if most <= 0 {
		most = MostBody
	}
	l.mu.Lock()
	r, at := l.find(number)
	if r == nil {
		last, first := l.last, 0
		for _, one := range l.records {
			if len(one.numbers) > 0 {
				first = one.numbers[0]
				break
			}
		}
		l.mu.Unlock()
		if number > 0 && number <= last {
			return nil, noBody("request %d was cleared, or dropped for newer ones", number)
		}
		return nil, noBody("there is no request %d; there are %d to %d", number, first, last)
	}
	copied := *r
	copied.messages = nil
	sources := []*backend.Source{r.speaker, r.source}
	l.mu.Unlock()

	if at < len(copied.numbers)-1 {
		return nil, noBody("request %d was redirected to %d, which has one", number, copied.numbers[at+1])
	}
	if copied.body != nil {
		return copied.body, nil
	}
	list := copied.read(reading{now: time.Now(), number: func(string) int { return 0 }})
	if len(list) <= at {
		return nil, noBody("request %d has not been answered", number)
	}
	q := &list[at]
	switch {
	case q.Type == "websocket" || q.Type == "webtransport":
		return nil, noBody("request %d is a socket; its messages are with it", number)
	case q.Type == "preflight":
		return nil, noBody("request %d is a preflight, whose body nobody reads", number)
	case q.Status == 0:
		return nil, noBody("request %d has not been answered", number)
	case q.State == Pending && q.Type == "eventsource":
		return nil, noBody("request %d is a stream; its messages are with it", number)
	case q.State == Pending:
		return nil, noBody("request %d is still on its way", number)
	case copied.decoded > most:
		return nil, noBody("that of request %d has %d bytes, more than %d", number, copied.decoded, most)
	}
	ctx, cancel := context.WithTimeout(ctx, bodyTimeout)
	defer cancel()
	var err error
	for i, src := range sources {
		if src == nil || i > 0 && src == sources[0] {
			continue
		}
		var body *Body
		if body, err = l.ask(ctx, src, r.id); err == nil {
			return body, nil
		}
		var b *backend.Error
		switch {
		case errors.As(err, &b) && b.Kind == backend.KindDialog:
			return nil, fmt.Errorf("%w, and gives no body of request %d before that is closed", ErrDialog, number)
		case errors.Is(err, context.DeadlineExceeded):
			return nil, fmt.Errorf("the page did not give the body of request %d in time", number)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
	if q.Failure != nil {
		return nil, noBody("request %d failed: %s", number, q.Failure.Text)
	}
	return nil, noBody("the browser does not have that of request %d any more (%v): ask before the page is left; bodies can be kept from then on", number, plain(err))
}

// ask asks a source for a body. One that has just not answered in time is not asked
// again for as long: of many bodies only the first costs that time.
func (l *Log) ask(ctx context.Context, src *backend.Source, id string) (*Body, error) {
	l.mu.Lock()
	lateBodies := time.Since(l.lateBodies[src]) < bodyTimeout
	l.mu.Unlock()
	if lateBodies {
		return nil, &backend.Error{Kind: backend.KindBusy, Err: context.DeadlineExceeded}
	}
	if src.Bodies == nil {
		return nil, errors.New("this browser does not keep bodies")
	}
	data, err := src.Bodies.Body(ctx, id)
	if err == nil {
		return &Body{Data: data, Size: int64(len(data))}, nil
	}
	if b, ok := errors.AsType[*backend.Error](err); ok && b.Kind == backend.KindBusy {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.lateBodies == nil {
			l.lateBodies = map[*backend.Source]time.Time{}
		}
		l.lateBodies[src] = time.Now()
	}
	return nil, err
}

func plain(err error) string {
	if err == nil {
		return "its page is gone"
	}
	s := err.Error()
	if at := strings.LastIndex(s, ": "); at >= 0 {
		s = s[at+2:]
	}
	return s
}

// find gives the record of a request, and which hop of it. The lock is held.
func (l *Log) find(number int) (*record, int) {
	for _, r := range l.records {
		for i, n := range r.numbers {
			if n == number {
				return r, i
			}
		}
	}
	return nil, 0
}

// keepBody asks for a body at the moment it is there, if such are kept: a browser forgets it
// when it leaves the page, which may be at once. The lock is held.
func (l *Log) keepBody(r *record, src *backend.Source) {
	switch {
	case l.limits.Bodies > 0 && r.decoded <= mostKept:
		l.askBody(r, src, max(l.limits.Bodies, l.limits.Answers))
	case l.limits.Answers > 0 && r.decoded > 0 && r.decoded <= mostAnswer && r.isAnswer():
		l.askBody(r, src, l.limits.Answers)
	}
}

const (
	mostAnswer = 512 << 10 // of one of Limits.Answers
	mostAsked  = 100       // bodies that are asked for at a time: a page may ask for thousands in a second
)

// isAnswer says whether a record is that of a page, or of what a script asked for, and text.
func (r *record) isAnswer() bool {
	for _, t := range r.events {
		if t.Kind != backend.TrafficResponse {
			continue
		}
		e, ok := t.Read()
		if !ok || e.Response == nil {
			continue
		}
		switch e.Type {
		case backend.TypeDocument, backend.TypeXHR, backend.TypeFetch:
			return textual.MatchString(e.Response.MIME)
		}
	}
	return false
}

var textual = regexp.MustCompile(`(?i)^text/|json|xml|x-www-form-urlencoded|graphql`)

// askBody asks for a body, if there is room. The lock is held.
func (l *Log) askBody(r *record, src *backend.Source, most int64) {
	if r.decoded == 0 || r.decoded > most || r.room > 0 || l.life.Err() != nil {
		return
	}
	if l.asked+r.decoded > 2*most || l.asking == mostAsked {
		return // so many are on their way already
	}
	for _, old := range l.records {
		if l.kept+r.decoded <= most {
			break
		}
		l.dropBody(old)
	}
	if r.speaker != nil {
		src = r.speaker
	}
	if src.Bodies == nil {
		return
	}
	size := r.decoded
	r.room = size
	l.kept += size
	l.asked += size
	l.asking++
	wait := src.Bodies.StartBody(r.id)
	l.work.Go(func() {
		ctx, cancel := context.WithTimeout(l.life, bodyTimeout)
		defer cancel()
		data, err := wait(ctx)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.asked -= size
		l.asking--
		if r.room == 0 {
			return // a newer one has its place
		}
		l.dropBody(r)
		if err == nil {
			r.body, r.room = &Body{Data: data, Size: int64(len(data))}, int64(len(data))
			l.kept += r.room
		}
	})
}

// dropBody gives up the body of a request, or the place that is kept for it. The lock is
// held.
func (l *Log) dropBody(r *record) {
	l.kept -= r.room
	r.body, r.room = nil, 0
}
