package pwserver

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

var _ backend.Observable = (*Context)(nil)

// Observe has fn called with what the pages of the context load and write; see
// backend.Observable. Of workers the server tells nothing but their console.
func (c *Context) Observe(what backend.Observation, fn func(*backend.Source, backend.Event)) (stop func()) {
	return c.observers.Observe(what, fn)
}

// answersKnown is of how many requests the answers are known, for their bodies.
const answersKnown = 5000

// response is what an answer was made with.
type response struct {
	Request    ref    `json:"request"`
	URL        string `json:"url"`
	Status     int    `json:"status"`
	StatusText string `json:"statusText"`
	Headers    pairs  `json:"headers"`
	FromWorker bool   `json:"fromServiceWorker"`
	Timing     struct {
		Start         float64 `json:"startTime"` // milliseconds since 1970; the others from there, -1 for what did not happen
		DNSStart      float64 `json:"domainLookupStart"`
		DNSEnd        float64 `json:"domainLookupEnd"`
		ConnectStart  float64 `json:"connectStart"`
		TLSStart      float64 `json:"secureConnectionStart"`
		ConnectEnd    float64 `json:"connectEnd"`
		RequestStart  float64 `json:"requestStart"`
		ResponseStart float64 `json:"responseStart"`
	} `json:"timing"`
}

// lines are headers by name, a line for each of one name.
func (p pairs) lines() map[string]string {
	out := make(map[string]string, len(p))
	for _, h := range p {
		if old, ok := out[h.Name]; ok {
			out[h.Name] = old + "\n" + h.Value
		} else {
			out[h.Name] = h.Value
		}
	}
	return out
}

// tell tells those who asked for it one thing of a request, which is read when somebody
// wants to know.
func (t *Tab) tell(kind backend.TrafficKind, request string, told raw, read func(*backend.TrafficRecord)) {
	o := &t.context.observers
	if !o.Want(backend.ObserveTraffic) {
		return
	}
	now := float64(time.Now().UnixMicro()) / 1e6
	o.Tell(backend.ObserveTraffic, t.source, backend.Traffic{
		Kind: kind, Request: t.original(request), Redirect: kind == backend.TrafficSent && t.original(request) != request, Raw: told,
		Reader: func(backend.Traffic) *backend.TrafficRecord {
			r := &backend.TrafficRecord{Time: now, Wall: now}
			read(r)
			return r
		},
	})
}

// sent tells of a request.
func (t *Tab) sent(guid string, q *request, main bool) {
	first := t.browser.conn.objectOf(guid).first
	t.tell(backend.TrafficSent, guid, first, func(r *backend.TrafficRecord) {
		r.Type, r.Main = resource(q.Type), main && q.Navigation
		if q.Frame != nil {
			r.Frame = q.Frame.GUID
		}
		r.Request = &backend.SentRequest{URL: q.URL, Method: q.Method, Headers: q.Headers.lines(), HasBody: len(q.Body) > 0, Body: q.Body}
		r.Initiator = &backend.Initiator{Type: "other"}
	})
}

// answers tells of an answer, and remembers where its body is.
func (t *Tab) answers(guid string, a *response, kind string) {
	t.Mu.Lock()
	if t.answersOf == nil || len(t.answersOf) >= answersKnown {
		t.answersOf = map[string]string{}
	}
	t.answersOf[t.original(a.Request.GUID)] = guid
	t.Mu.Unlock()
	t.tell(backend.TrafficResponse, a.Request.GUID, t.browser.conn.objectOf(guid).first, func(r *backend.TrafficRecord) {
		r.Type = resource(kind)
		r.Response = &backend.ResponseHead{
			URL: a.URL, Status: a.Status, StatusText: a.StatusText, Headers: a.Headers.lines(), MIME: anypage.MIME(a.Headers.get("content-type")), FromWorker: a.FromWorker, Remote: true,
		}
		if n := a.Timing; n.Start > 0 && n.RequestStart >= 0 {
			r.Response.Timing = &backend.LoadTiming{
				Start: n.Start / 1000, DNSStart: n.DNSStart, DNSEnd: n.DNSEnd, ConnectStart: n.ConnectStart, ConnectEnd: n.ConnectEnd,
				TLSStart: n.TLSStart, TLSEnd: -1, SendStart: n.RequestStart, SendEnd: n.RequestStart, HeadersEnd: n.ResponseStart,
			}
			if n.TLSStart >= 0 {
				r.Response.Timing.TLSEnd = n.ConnectEnd
			}
		}
	})
}

// ledBy is the status of the answer that came last to a request, and led on.
func (t *Tab) ledBy(request string) int {
	t.Mu.Lock()
	guid := t.answersOf[request]
	t.Mu.Unlock()
	var a response
	t.browser.conn.objectOf(guid).decode(&a)
	return cmp.Or(a.Status, http.StatusFound) // where that is known no more
}

// requestFinished tells that all of an answer is there. How much that is, its head may say.
func (t *Tab) requestFinished(guid, answer string) {
	var a response
	t.browser.conn.objectOf(answer).decode(&a)
	size, err := strconv.ParseInt(a.Headers.get("content-length"), 10, 64)
	if err != nil {
		size = 0
	}
	t.tell(backend.TrafficDone, guid, nil, func(r *backend.TrafficRecord) { r.Encoded = size })
}

// Body gets the body of an answer.
func (t *Tab) Body(ctx context.Context, request string) ([]byte, error) {
	return t.StartBody(request)(ctx)
}

// StartBody asks for the body of an answer, and does not wait.
func (t *Tab) StartBody(request string) func(context.Context) ([]byte, error) {
	t.Mu.Lock()
	guid := t.answersOf[request]
	t.Mu.Unlock()
	if guid == "" {
		return func(context.Context) ([]byte, error) {
			return nil, backend.Fail(backend.KindProtocol, "no answer to that request is known any more")
		}
	}
	asked := t.browser.conn.start(command{guid, "body", nil})[0]
	return func(ctx context.Context) ([]byte, error) {
		var got struct {
			Binary []byte `json:"binary"`
		}
		err := asked.wait(ctx, t.browser.conn, &got)
		return got.Binary, err
	}
}

// consoleEvent is something that was written, or that nobody caught.
type consoleEvent struct {
	Type     string  `json:"type"`
	Text     string  `json:"text"`
	Args     []ref   `json:"args"`
	Time     float64 `json:"timestamp"` // milliseconds since 1970
	Location struct {
		URL         string `json:"url"`
		Line        int    `json:"lineNumber"`
		Column      int    `json:"columnNumber"`
		ErrorLine   int    `json:"line"`
		ErrorColumn int    `json:"column"`
	} `json:"location"`
	Error *struct {
		Error *struct {
			Name    string `json:"name"`
			Message string `json:"message"`
			Stack   string `json:"stack"`
		} `json:"error"`
		Value *value `json:"value"`
	} `json:"error"`
	Worker *ref `json:"worker"`
}

// functions are the names of those that Playwright calls otherwise.
var functions = map[string]string{"warning": "warn", "startGroup": "group", "startGroupCollapsed": "groupCollapsed", "endGroup": "groupEnd"}

// mostArgs is of how many values of a line it is asked what they are.
const mostArgs = 20

// consoleWritten tells those who asked for it what a page wrote. What the values are is asked of
// the server, and known a moment later.
func (t *Tab) consoleWritten(params raw) {
	o := &t.context.observers
	if !o.Want(backend.ObserveConsole) {
		return
	}
	e := &consoleEntry{params: params, ready: make(chan struct{})}
	if wire.Unmarshal(params, &e.event) != nil {
		return
	}
	t.Mu.Lock()
	told := backend.Written{Entry: e, In: "page", URL: t.List[0].URL}
	t.Mu.Unlock()
	if e.event.Worker != nil {
		told.In = "worker"
	}
	var cmds []command
	for i, arg := range e.event.Args {
		if i == mostArgs {
			break
		}
		cmds = append(cmds, command{arg.GUID, "jsonValue", nil})
	}
	asked := t.browser.conn.start(cmds...)
	o.Tell(backend.ObserveConsole, t.source, told)
	go func() {
		defer close(e.ready)
		var args []backend.Value
		by := 0
		for _, r := range asked {
			var got struct {
				Value value `json:"value"`
			}
			one := backend.Value{Kind: backend.ValueObject, Text: "Object", Size: -1, More: true}
			if r.wait(t.Life, t.browser.conn, &got) == nil {
				one = got.Value.logged()
				by += len(r.result)
			}
			args = append(args, one)
		}
		for _, arg := range e.event.Args {
			t.forget(arg.GUID)
		}
		e.args.Store(&args)
		o.Tell(backend.ObserveConsole, t.source, backend.WrittenGrew{Entry: e, By: by})
	}()
}

// consoleEntry is something that was written, and its values once they are known.
type consoleEntry struct {
	params raw
	event  consoleEvent
	args   atomic.Pointer[[]backend.Value]
	ready  chan struct{}
}

func (c *consoleEntry) Ready() <-chan struct{} { return c.ready }

func (c *consoleEntry) Size() int { return len(c.params) }

func (c *consoleEntry) Read() (*backend.ConsoleRecord, bool) {
	e := &c.event
	out := &backend.ConsoleRecord{Kind: backend.ConsoleCall, Function: cmp.Or(functions[e.Type], e.Type), Time: time.UnixMicro(int64(e.Time * 1000))}
	place := backend.ScriptPlace{URL: e.Location.URL, Line: e.Location.Line, Column: e.Location.Column}
	if e.Error != nil {
		place.Line, place.Column = e.Location.ErrorLine, e.Location.ErrorColumn
		out.Kind, out.Function, out.Time = backend.ConsoleException, "", time.Now()
		switch thrown := e.Error; {
		case thrown.Error != nil:
			out.Text = "Uncaught " + thrown.Error.Name + ": " + thrown.Error.Message
			out.Args = []backend.Value{{Kind: backend.ValueError, Text: thrown.Error.Stack}}
		case thrown.Value != nil:
			out.Text = "Uncaught " + thrown.Value.text()
			out.Args = []backend.Value{thrown.Value.logged()}
		}
	} else if len(e.Args) == 0 && e.Text != "" { // nobody called for it: the browser says it
		out.Kind, out.Function, out.Text, out.Level = backend.ConsoleMessage, "", e.Text, cmp.Or(functions[e.Type], e.Type)
	} else if args := c.args.Load(); args != nil {
		out.Args = *args
	} else {
		out.Args = []backend.Value{{Kind: backend.ValueString, Text: e.Text, More: true}}
	}
	if place.URL != "" {
		out.Place, out.Stack = &place, &backend.StackTrace{Calls: []backend.ScriptPlace{place}}
	}
	return out, true
}

// logged is a value as it is told of a console.
func (v *value) logged() backend.Value {
	text := func(s string) backend.Value { return backend.Value{Text: s} }
	switch {
	case v.S != nil:
		return backend.Value{Kind: backend.ValueString, Text: *v.S}
	case v.D != nil:
		return text(*v.D)
	case v.U != nil:
		return text(*v.U)
	case v.BI != nil:
		return text(*v.BI + "n")
	case v.E != nil:
		return backend.Value{Kind: backend.ValueError, Text: v.E.N + ": " + v.E.M}
	case v.A != nil:
		out := backend.Value{Kind: backend.ValueArray, Text: "Array", Size: len(*v.A)}
		for i := range *v.A {
			out.Items = append(out.Items, backend.Item{Value: (*v.A)[i].logged()})
		}
		return out
	case v.O != nil:
		out := backend.Value{Kind: backend.ValueObject, Text: "Object", Size: -1}
		for i := range *v.O {
			out.Items = append(out.Items, backend.Item{Name: (*v.O)[i].K, Value: (*v.O)[i].V.logged()})
		}
		return out
	case v.Ref != 0:
		return backend.Value{Kind: backend.ValueObject, Text: "Object", Size: -1, More: true}
	case v.V != "":
		return text(v.V)
	}
	return text(string(v.json()))
}
