package httpx

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
)

// An Event came over a stream of server-sent events.
type Event struct{ Name, Data, ID string }

// Events is a stream of server-sent events. What arrives is kept, up to a bound,
// until it is taken. It is not opened again when the server ends it.
type Events struct {
	queue  chan Event
	cancel context.CancelFunc
	ended  chan struct{}
	once   sync.Once
}

// Listen opens a stream of server-sent events.
func (c *Client) Listen(ctx context.Context, address string, header Fields) (*Events, error) {
	address, err := readable(address)
	if err != nil {
		return nil, err
	}
	transport, err := c.Pool.transport(&c.Config)
	if err != nil {
		return nil, err
	}
	credentials, err := c.before(ctx)
	if err != nil {
		return nil, err
	}
	r := &Request{Method: "GET", URL: address}
	reading, stop := context.WithCancel(context.WithoutCancel(ctx))
	unbind := context.AfterFunc(ctx, stop) // until there is an answer
	out, err := http.NewRequestWithContext(reading, "GET", address, nil)
	if err != nil {
		stop()
		return nil, &Error{Reason: "address", Method: "GET", URL: address, Message: plainURLError(err).Error(), Err: err}
	}
	out.Header.Set("Accept", "text/event-stream")
	out.Header.Set("Cache-Control", "no-cache")
	if credentials != "" {
		out.Header.Set("Authorization", credentials)
	}
	for _, f := range header {
		out.Header[http.CanonicalHeaderKey(f.Name)] = f.Values
	}
	answer, err := transport.RoundTrip(out)
	if !unbind() && err == nil { // it ended meanwhile: nobody wants the answer any more
		answer.Body.Close()
		err = ctx.Err()
	}
	if err != nil {
		stop()
		return nil, c.explain(ctx, r, err)
	}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
		stop()
		answer.Body.Close()
		return nil, &Error{Reason: "events", Method: "GET", URL: address, Message: fmt.Sprintf("the server sends no events: status %s, content type %q", answer.Status, kind)}
	}
	limit := c.Config.MaxBody
	if limit <= 0 {
		limit = Defaults().MaxBody
	}
	e := &Events{queue: make(chan Event, keptMessages), cancel: stop, ended: make(chan struct{})}
	go e.read(reading, answer.Body, int(limit))
	return e, nil
}

// read takes events apart: lines of a field and its value, an event up to each
// empty line.
func (e *Events) read(ctx context.Context, body io.ReadCloser, limit int) {
	defer close(e.ended)
	defer close(e.queue)
	defer body.Close()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, limit)
	lines.Split(eventLines)
	var event Event
	var data []string
	size := 0
	for lines.Scan() {
		line := strings.TrimPrefix(lines.Text(), "\ufeff")
		if line == "" {
			if data != nil {
				event.Data = strings.Join(data, "\n")
				if event.Name == "" {
					event.Name = "message"
				}
				select {
				case e.queue <- event:
				case <-ctx.Done():
					return
				}
			}
			event, data, size = Event{ID: event.ID}, nil, 0
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			event.Name = value
		case "data":
			if size += len(value); size > limit {
				return
			}
			data = append(data, value)
		case "id":
			event.ID = value
		}
	}
}

// eventLines cuts at \n, \r\n and \r.
func eventLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0:
		if atEOF {
			return len(data), nil, nil // what no line end follows is no line
		}
		return 0, nil, nil
	case data[i] == '\n':
		return i + 1, data[:i], nil
	case i+1 < len(data) && data[i+1] == '\n':
		return i + 2, data[:i], nil
	case i+1 == len(data) && !atEOF:
		return 0, nil, nil // a \n may follow
	}
	return i + 1, data[:i], nil
}

// Queue are the events as they come; it is closed when the stream has ended.
func (e *Events) Queue() <-chan Event { return e.queue }

// Close ends the stream. It may be called more than once.
func (e *Events) Close() {
	e.once.Do(func() {
		e.cancel()
		<-e.ended
	})
}
