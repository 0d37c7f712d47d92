package chrome

import (
	"bytes"
	"context"
	_ "embed"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/wire"
)

//go:embed deep.js
var deepScript string

// reach is how much is asked for of an object.
type reach struct{ depth, nodes, width, chars int }

// Of what a page logs now and then all is kept that anybody could want to read; of
// large objects that come in floods, enough to know them by.
var (
	wholly  = reach{depth: 40, nodes: 100_000, width: 100_000, chars: 8 << 20}
	briefly = reach{depth: 6, nodes: 1000, width: 200, chars: 64 << 10}
)

const deepArgs = 20 // arguments of one call

// How much is asked. A page that writes more is told less of.
const (
	detailBurst, detailRate = 1000, 50 // entries at once, and a second
	wholeBurst, wholeRate   = 200, 10  // of them wholly
	searchBurst, searchRate = 16, 4    // scripts
	askingTimeout           = 5 * time.Second
	// So many objects may be held in a page before they are let go of together.
	heldLimit = 200
	heldTime  = 500 * time.Millisecond
)

// consoleGroup is where the browser puts the objects that pages log.
const consoleGroup = "console"

// bucket bounds how often something is done.
type bucket struct {
	size, rate float64
	spent      float64
	at         time.Time
}

func (b *bucket) take(now time.Time) bool {
	b.spent = max(0, b.spent-now.Sub(b.at).Seconds()*b.rate)
	b.at = now
	if b.spent+1 > b.size {
		return false
	}
	b.spent++
	return true
}

// askForDetails asks for what the event does not tell, and has the browser let go of
// what it told of. The lock is held.
func (l *consoleTeller) askForDetails(r *consoleEntry) {
	holds := bytes.Contains(r.params, []byte(`"objectId":"`))
	failed := r.method == "Runtime.exceptionThrown" || r.is("error") || r.is("assert") || r.is("trace") ||
		holds && bytes.Contains(r.params, []byte(`"subtype":"error"`))
	if !holds && !failed {
		return
	}
	if r.method == "Log.entryAdded" || !l.details.take(l.now()) {
		l.hold(r.origin)
		return
	}
	args, trace, ok := r.decode()
	if !ok {
		return
	}
	var cmds, releases []cdp.Command
	var wanted []int // arguments, in the order of the first commands
	s := r.origin.source
	var far reach
	for i := range args {
		if args[i].ID == "" {
			continue
		}
		if v := args[i].value(); len(wanted) < deepArgs && args[i].Subtype != "proxy" && args[i].Class != "Window" && !r.is("table") && isIncomplete(&v) {
			if far.depth == 0 {
				if far = briefly; l.wholes.take(l.now()) {
					far = wholly
				}
			}
			cmds = append(cmds, deep(s, args[i].ID, true, far))
			wanted = append(wanted, i)
		}
		releases = append(releases, s.Command("Runtime.releaseObject", map[string]any{"objectId": args[i].ID}))
	}
	var searches []*mapSearch
	if failed {
		searches = l.search(r, trace)
	}
	if len(wanted) == 0 && len(searches) == 0 {
		if len(releases) > 0 {
			s.Start(releases...)
		}
		return
	}
	pending := s.Start(cmds...)
	r.ready = make(chan struct{})
	l.asking.Go(func() {
		defer close(r.ready)
		ctx, cancel := context.WithTimeout(l.life, askingTimeout)
		defer cancel()
		details, refused, size := make(map[int]backend.Value), false, 0
		for i, arg := range wanted {
			node, again, ok := deepAnswer(ctx, pending[i])
			if again {
				node, _, ok = deepAnswer(ctx, s.Start(deep(s, args[arg].ID, false, far))[0])
			}
			if ok {
				v := foundValue(node)
				details[arg], size = v, size+valueBytes(&v)
			} else {
				refused = true // its error is an object in the page as well
			}
		}
		if len(releases) > 0 {
			s.Start(releases...)
		}
		for _, q := range searches {
			q.wait(ctx)
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		r.details = details
		if refused {
			l.hold(r.origin)
		}
		if size > 0 {
			l.fn(&s.Source, backend.WrittenGrew{Entry: r, By: size})
		}
	})
}

// deep is a call of deep.js.
func deep(s *Source, object string, checked bool, far reach) cdp.Command {
	arg := func(v any) any { return map[string]any{"value": v} }
	return s.Command("Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": deepScript, "objectId": object,
		"arguments":     []any{arg(checked), arg(far.depth), arg(far.nodes), arg(far.width), arg(far.chars)},
		"returnByValue": true, "silent": true, "throwOnSideEffect": checked,
	})
}

// deepAnswer waits for what deep.js says.
func deepAnswer(ctx context.Context, p *cdp.Pending) (node any, again, ok bool) {
	var a struct {
		Result struct {
			Value struct {
				Node  any  `json:"node"`
				Again bool `json:"again"`
			} `json:"value"`
		} `json:"result"`
		Exception any `json:"exceptionDetails"`
	}
	if p.Wait(ctx, &a) != nil || a.Exception != nil {
		return nil, false, false
	}
	return a.Result.Value.Node, a.Result.Value.Again, true
}

// is says whether it is a call of that console function.
func (r *consoleEntry) is(function string) bool {
	return bytes.HasPrefix(r.params, []byte(`{"type":"`+function+`"`))
}

// decode gives the values of a record and where it came from.
func (r *consoleEntry) decode() ([]remote, *stackTrace, bool) {
	if r.method == "Runtime.exceptionThrown" {
		var t thrownEvent
		if wire.Unmarshal(r.params, &t) != nil {
			return nil, nil, false
		}
		if t.Details.Exception == nil {
			return nil, t.Details.Trace, true
		}
		return []remote{*t.Details.Exception}, t.Details.Trace, true
	}
	var c calledEvent
	if wire.Unmarshal(r.params, &c) != nil {
		return nil, nil, false
	}
	return c.Args, c.Trace, true
}

// hold counts an object that the browser keeps. They are let go of together, once
// there are many or a moment has passed. The lock is held.
func (l *consoleTeller) hold(o *origin) {
	o.held++
	if o.held >= heldLimit {
		o.release()
		return
	}
	if l.releases == nil {
		l.releases = time.AfterFunc(heldTime, l.releaseAll)
	} else if o.held == 1 {
		l.releases.Reset(heldTime)
	}
}

func (l *consoleTeller) releaseAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return
	}
	for _, o := range l.origins {
		if o.held > 0 {
			o.release()
		}
	}
}

func (o *origin) release() {
	o.held = 0
	o.source.Start(o.source.Command("Runtime.releaseObjectGroup", map[string]any{"objectGroup": consoleGroup}))
}
