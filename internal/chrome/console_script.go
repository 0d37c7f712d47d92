package chrome

import (
	"bytes"
	"context"
	"strings"

	"rove/cdp"
	"rove/driver/backend"
)

// loadedScript is a script as it was loaded once. Its source map is looked for when it
// has failed.
type loadedScript struct {
	from    *Source // whose request it was
	request string
	url     string

	asked *mapSearch
	found *backend.Script // nil where it has no source map; guarded by the teller's lock
}

// scriptLimit is how many scripts are known.
const scriptLimit = 500

// requested notes a script that is being loaded. The lock is held.
func (l *consoleTeller) requested(o *origin, ev cdp.Event) {
	if !bytes.Contains(ev.Params, []byte(`"type":"Script"`)) && !bytes.Contains(ev.Params, []byte(`"type":"Other"`)) {
		return
	}
	var e struct {
		ID      string `json:"requestId"`
		Request struct {
			URL string `json:"url"`
		} `json:"request"`
	}
	if ev.Decode(&e) != nil || strings.HasPrefix(e.Request.URL, "data:") {
		return
	}
	if len(l.scripts) >= scriptLimit {
		clear(l.scripts) // those to come are what matters
	}
	l.scripts[e.Request.URL] = &loadedScript{from: o.source, request: e.ID, url: e.Request.URL}
}

// mapSearch is a search for the source map in a script.
type mapSearch struct {
	log     *consoleTeller
	script  *loadedScript
	pending *cdp.Pending
	done    chan struct{}
}

// search looks for the source maps of the scripts in a trace, and notes them in
// the record. The browser searches: a script without a source map in it, which is
// most of them, does not have to come here. The lock is held.
func (l *consoleTeller) search(r *consoleEntry, t *stackTrace) []*mapSearch {
	var searches []*mapSearch
	r.scripts = make(map[string]*loadedScript)
	for ; t != nil; t = t.Parent {
		for _, call := range t.Calls {
			s := l.scripts[call.URL]
			if s == nil || r.scripts[call.URL] != nil {
				continue
			}
			r.scripts[call.URL] = s
			if s.asked == nil && l.searches.take(l.now()) {
				s.asked = &mapSearch{log: l, script: s, done: make(chan struct{}), pending: s.from.Start(s.from.Command(
					"Network.searchInResponseBody", map[string]any{"requestId": s.request, "query": "sourceMappingURL=data:"},
				))[0]}
				l.asking.Go(s.asked.run)
			}
			if s.asked != nil {
				searches = append(searches, s.asked)
			}
		}
	}
	return searches
}

func (q *mapSearch) run() {
	defer close(q.done)
	ctx, cancel := context.WithTimeout(q.log.life, askingTimeout)
	defer cancel()
	var answer struct {
		Lines []struct {
			Content string `json:"lineContent"`
		} `json:"result"`
	}
	if q.pending.Wait(ctx, &answer) != nil || len(answer.Lines) == 0 {
		return
	}
	q.log.mu.Lock()
	defer q.log.mu.Unlock()
	q.script.found = &backend.Script{URL: q.script.url, MapURL: answer.Lines[len(answer.Lines)-1].Content}
}

func (q *mapSearch) wait(ctx context.Context) {
	select {
	case <-q.done:
	case <-ctx.Done():
	}
}
