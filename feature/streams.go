package feature

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"rove/internal/data"
	"rove/internal/httpx"
	"rove/internal/script"
)

// stream is something that messages come from: a web socket, or server-sent
// events. They are handed to its handler while the scenario listens: scripts run on
// one goroutine.
type stream struct {
	s       *scenario
	queue   any // a channel
	value   func(any) any
	handler *script.Func
	ended   bool
}

// listen waits for a signal, or for a message of a stream that its handler takes
// (it gives true); any, where there is no handler.
func (s *scenario) listen(ctx context.Context, limit time.Duration, streams ...*stream) (v any, ok bool, err error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		cases := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(s.signals.values())}, {Dir: reflect.SelectRecv, Chan: reflect.ValueOf(timer.C)}, {Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ctx.Done())}}
		var from []*stream
		for _, one := range streams {
			if !one.ended {
				from = append(from, one)
				cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(one.queue)})
			}
		}
		if len(streams) > 0 && len(from) == 0 && len(s.signals.values()) == 0 {
			return nil, false, nil // nothing can come any more
		}
		var chosen int
		var got reflect.Value
		var open bool
		s.root.rt.Outside(func() { chosen, got, open = reflect.Select(cases) })
		switch {
		case chosen == 0:
			return got.Interface(), true, nil
		case chosen == 1:
			return nil, false, nil
		case chosen == 2:
			return nil, false, errInterrupted(ctx)
		case !open:
			from[chosen-3].ended = true
			continue
		}
		one := from[chosen-3]
		message := one.value(got.Interface())
		if one.handler == nil {
			return message, true, nil
		}
		result, err := one.handler.Do(ctx, message)
		if err != nil {
			return nil, false, jsError(one.handler.Source(), err)
		}
		if result.Truthy() {
			return message, true, nil
		}
	}
}

// member are those that all streams have.
func (o *stream) member(name string) (any, bool) {
	switch name {
	case "listen":
		return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
			limit := 5 * time.Second
			if len(args) > 0 {
				if ms, ok := args[0].Export().(int64); ok {
					limit = time.Duration(ms) * time.Millisecond
				}
			}
			if len(args) > 1 && args[1].Func() != nil {
				o.handler = args[1].Func()
			}
			v, _, err := o.s.listen(ctx, limit, o)
			return v, err
		}), true
	case "handler", "setTextHandler", "setBinaryHandler":
		return script.Function(func(_ context.Context, args []script.Value) (any, error) {
			if len(args) > 0 {
				o.handler = args[0].Func()
			}
			return nil, nil
		}), true
	}
	return nil, false
}

// streamClient is what a stream is opened with: karate.webSocket(url, handler,
// { headers, subProtocol }).
func streamClient(c *karateCall) (client *httpx.Client, header httpx.Fields, options *data.Object, err error) {
	config, err := httpOf(c.s).config()
	if err != nil {
		return nil, nil, nil, err
	}
	options, ok := c.arg(2).Export().(*data.Object)
	if !ok {
		options = data.NewObject()
	}
	if v, ok := options.Get("headers"); ok {
		if list, ok := v.(*data.Object); ok {
			for name, each := range list.All() {
				header.Set(name, textsOf(each)...)
			}
		}
	}
	return &httpx.Client{Pool: c.s.suite.httpPool(), Config: config}, header, options, nil
}

// openSocket opens a web socket.
func openSocket(c *karateCall, binary bool) (any, error) {
	address, err := c.text(0)
	if err != nil {
		return nil, err
	}
	client, header, options, err := streamClient(c)
	if err != nil {
		return nil, err
	}
	var protocols []string
	if p := member(options, "subProtocol"); p != "" {
		protocols = append(protocols, p)
	}
	o := &socketObject{binary: binary}
	c.s.root.rt.Outside(func() { o.socket, err = client.Dial(c.ctx, address, header, protocols...) })
	if err != nil {
		return nil, err
	}
	c.s.onClose(o.socket.Close)
	o.stream = stream{s: c.s, queue: o.socket.Queue(), handler: c.arg(1).Func(), value: func(v any) any {
		m := v.(httpx.Message)
		if m.Binary {
			return m.Data
		}
		return string(m.Data)
	}}
	c.s.root.streams = append(c.s.root.streams, &o.stream)
	return o, nil
}

// socketObject is a web socket in scripts.
type socketObject struct {
	stream
	socket *httpx.Socket
	binary bool
}

func (o *socketObject) Member(name string) (any, bool) {
	switch name {
	case "send", "sendBytes":
		return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
			if len(args) == 0 {
				return nil, fmt.Errorf("webSocket: %s needs a message", name)
			}
			m := httpx.Message{Binary: o.binary || name == "sendBytes"}
			switch v := args[0].Export().(type) {
			case []byte:
				m.Binary, m.Data = true, v
			default:
				m.Data = []byte(data.Text(v))
			}
			var err error
			o.s.root.rt.Outside(func() { err = o.socket.Send(ctx, m) })
			return nil, err
		}), true
	case "close":
		return script.Function(func(context.Context, []script.Value) (any, error) {
			o.s.root.rt.Outside(o.socket.Close)
			return nil, nil
		}), true
	}
	return o.member(name)
}

// Members is part of script.Host.
func (o *socketObject) Members() []string { return nil }

// openEvents opens a stream of server-sent events: karate.eventSource(url,
// handler, { headers }).
func openEvents(c *karateCall) (any, error) {
	address, err := c.text(0)
	if err != nil {
		return nil, err
	}
	client, header, _, err := streamClient(c)
	if err != nil {
		return nil, err
	}
	o := &eventsObject{}
	c.s.root.rt.Outside(func() { o.events, err = client.Listen(c.ctx, address, header) })
	if err != nil {
		return nil, err
	}
	c.s.onClose(o.events.Close)
	o.stream = stream{s: c.s, queue: o.events.Queue(), handler: c.arg(1).Func(), value: func(v any) any {
		e := v.(httpx.Event)
		return data.NewObject("event", e.Name, "data", e.Data, "id", orNil(e.ID))
	}}
	c.s.root.streams = append(c.s.root.streams, &o.stream)
	return o, nil
}

// eventsObject is a stream of server-sent events in scripts.
type eventsObject struct {
	stream
	events *httpx.Events
}

func (o *eventsObject) Member(name string) (any, bool) {
	if name == "close" {
		return script.Function(func(context.Context, []script.Value) (any, error) {
			o.s.root.rt.Outside(o.events.Close)
			return nil, nil
		}), true
	}
	return o.member(name)
}

// Members is part of script.Host.
func (o *eventsObject) Members() []string { return nil }
