package network

import (
	"time"
)

// readSocket reads a web socket or a web transport: a request that lasts.
func (r *record) readSocket(in reading) []Request {
	sent := &event{Type: "websocket", Request: &request{Method: "GET"}}
	q := Request{}
	var begun, ended float64
	var failure string
	for _, ev := range r.events {
		e, ok := ev.decode()
		if !ok {
			continue
		}
		switch ev.kind {
		case kindSocketCreated, kindTransportCreated:
			sent.Request.URL, sent.Initiator = e.URL, e.Initiator
			if ev.kind == kindTransportCreated {
				sent.Type, sent.Request.Method, begun = "webtransport", "CONNECT", e.Time
			}
		case kindSocketRequest:
			begun, sent.Wall = e.Time, e.Wall
			if e.Request != nil {
				q.RequestHeaders = headers(e.Request.Headers)
			}
		case kindSocketResponse:
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
		case kindTransportOpened:
			q.Source = FromNetwork
		case kindSocketError:
			failure = e.ErrorMessage
			if begun == 0 {
				begun = e.Time // nothing else tells
			}
		case kindSocketClosed, kindTransportClosed:
			ended = e.Time
		}
	}
	if sent.Wall == 0 && begun > 0 && in.offset != 0 {
		sent.Wall = begun + in.offset
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
	case failure != "":
		base.fail(&event{Error: failure}, in)
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
		e, ok := m.decode()
		if !ok {
			continue
		}
		out := Message{Time: in.at(e.Time)}
		if m.kind == kindEventMessage {
			out.Event, out.ID, out.Data = e.EventName, e.EventID, e.EventData
		} else if f := e.Response; f != nil {
			out.Sent = m.kind == kindSocketSent
			out.Opcode, out.Data = int(whole(f.Opcode)), f.Payload
			out.Binary = out.Opcode == 2
		}
		list = append(list, out)
	}
	return list
}

// at is a time by the running clock.
func (in reading) at(clock float64) time.Time {
	if in.offset == 0 || clock <= 0 {
		return in.now
	}
	return moment(clock + in.offset)
}
