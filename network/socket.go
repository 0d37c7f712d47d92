package network

import (
	"time"

	"rove/driver/backend"
)

// readSocket reads a web socket or a web transport: a request that lasts.
func (r *record) readSocket(in reading) []Request {
	sent := &backend.TrafficRecord{Type: "websocket", Request: &backend.SentRequest{Method: "GET"}}
	q := Request{}
	var begun, ended float64
	var failure *backend.LoadFailure
	for _, ev := range r.events {
		e, ok := ev.Read()
		if !ok {
			continue
		}
		switch ev.Kind {
		case backend.SocketCreated, backend.TransportCreated:
			sent.Request.URL, sent.Initiator = e.URL, e.Initiator
			if ev.Kind == backend.TransportCreated {
				sent.Type, sent.Request.Method, begun = "webtransport", "CONNECT", e.Time
			}
		case backend.SocketRequest:
			begun, sent.Wall = e.Time, e.Wall
			if e.Request != nil {
				q.RequestHeaders = headers(e.Request.Headers)
			}
		case backend.SocketResponse:
			if a := e.Response; a != nil {
				q.Status, q.StatusText, q.ResponseHeaders = a.Status, a.StatusText, headers(a.Headers)
				if len(a.RequestHeaders) > 0 {
					q.RequestHeaders = headers(a.RequestHeaders)
				}
			}
			q.Source = FromNetwork
			if e.Time > 0 && sent.Wall > 0 {
				at := moment(sent.Wall + max(e.Time-begun, 0))
				q.Answered = &at
			}
		case backend.TransportOpened:
			q.Source = FromNetwork
		case backend.SocketFailed:
			failure = e.Failure
			if begun == 0 {
				begun = e.Time // nothing else tells
			}
		case backend.SocketClosed, backend.TransportClosed:
			ended = e.Time
		}
	}
	if sent.Wall == 0 && begun > 0 && in.offset != nil {
		sent.Wall = begun + *in.offset
	}
	base := r.common(sent, in)
	base.Number = r.numbers[0]
	base.RequestHeaders, base.ResponseHeaders = q.RequestHeaders, q.ResponseHeaders
	base.Status, base.StatusText, base.Source, base.Answered = q.Status, q.StatusText, q.Source, q.Answered
	base.Messages, base.MessageCount = r.readMessages(in), r.messageCount
	for _, m := range base.Messages {
		base.Size += int64(len(m.Data))
	}
	switch {
	case failure != nil:
		base.fail(failure, in)
	case !r.over:
		base.State = Pending
		base.Millis = ms(in.now.Sub(base.Start).Seconds() * 1000)
		r.abandon(&base)
		return []Request{base}
	default:
		base.State = Done
	}
	if begun > 0 && ended > begun {
		base.Millis = ms((ended - begun) * 1000)
	}
	return []Request{base}
}

// readMessages reads what is kept of a stream.
func (r *record) readMessages(in reading) []Message {
	var list []Message
	for _, m := range r.messages {
		e, ok := m.Read()
		if !ok || e.Message == nil {
			continue
		}
		list = append(list, Message{
			Time: in.at(e.Time), Sent: m.Kind == backend.SocketSent, Binary: e.Message.Opcode == 2, Opcode: e.Message.Opcode,
			Event: e.Message.Name, ID: e.Message.ID, Data: e.Message.Data,
		})
	}
	return list
}

// at is a time by the running clock.
func (in reading) at(clock float64) time.Time {
	if in.offset == nil || clock <= 0 {
		return in.now
	}
	return moment(clock + *in.offset)
}
