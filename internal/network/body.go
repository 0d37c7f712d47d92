package network

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/network"

	"rove/cdp"
	"rove/internal/chrome"
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
	sources := []*chrome.Source{r.speaker, r.source}
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
		if body, err = readBody(ctx, askBody(src, r.id)); err == nil {
			return body, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("the body of request %d: the browser did not give it in time: %w", number, ctx.Err())
		}
	}
	if q.Failure != nil {
		return nil, noBody("request %d failed: %s", number, q.Failure.Text)
	}
	return nil, noBody("the browser does not have that of request %d any more (%v): ask before the page is left; bodies can be kept from then on", number, plain(err))
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

// askBody asks a source for a body, and does not wait.
func askBody(src *chrome.Source, id string) *cdp.Pending {
	return src.Start(src.Command(network.CommandGetResponseBody, &network.GetResponseBodyParams{RequestID: network.RequestID(id)}))[0]
}

// readBody waits for a body that was asked for.
func readBody(ctx context.Context, asked *cdp.Pending) (*Body, error) {
	var got struct {
		Body    string `json:"body"`
		Encoded bool   `json:"base64Encoded"`
	}
	err := asked.Wait(ctx, &got)
	data := []byte(got.Body)
	if err == nil && got.Encoded {
		data, err = base64.StdEncoding.DecodeString(got.Body)
	}
	if err != nil {
		return nil, err
	}
	return &Body{Data: data, Size: int64(len(data))}, nil
}

// keepBody asks for a body at the moment it is there, if bodies are kept and
// there is room. The lock is held.
func (l *Log) keepBody(r *record, src *chrome.Source) {
	if l.limits.Bodies <= 0 || r.decoded == 0 || r.decoded > min(mostKept, l.limits.Bodies) || l.life.Err() != nil {
		return
	}
	for _, old := range l.records {
		if l.kept+r.decoded <= l.limits.Bodies {
			break
		}
		if old.body != nil {
			l.kept -= int64(len(old.body.Data))
			old.body = nil
		}
	}
	if l.kept+r.decoded > l.limits.Bodies {
		return // so many are on their way already
	}
	if r.speaker != nil {
		src = r.speaker
	}
	l.kept += r.decoded // spoken for
	room := r.decoded
	asked := askBody(src, r.id)
	l.work.Go(func() {
		ctx, cancel := context.WithTimeout(l.life, bodyTimeout)
		defer cancel()
		body, err := readBody(ctx, asked)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.kept -= room
		if err == nil && l.byID[r.id] == r {
			r.body = body
			l.kept += int64(len(body.Data))
		}
	})
}
