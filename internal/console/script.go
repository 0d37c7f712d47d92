package console

import (
	"bytes"
	"context"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"rove/cdp"
	"rove/internal/chrome"
)

// script is a script as it was loaded once. Its source map is looked for when it
// has failed.
type script struct {
	from    *chrome.Source // whose request it was
	request string

	asked *search
	found *sourceMap // guarded by the log's lock
}

// scriptLimit is how many scripts are known.
const scriptLimit = 500

// requested notes a script that is being loaded. The lock is held.
func (l *Log) requested(o *origin, ev cdp.Event) {
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
	l.scripts[e.Request.URL] = &script{from: o.source, request: e.ID}
}

// search is a search for the source map in a script.
type search struct {
	log     *Log
	script  *script
	pending *cdp.Pending
	done    chan struct{}
}

// search looks for the source maps of the scripts in a trace, and notes them in
// the record. The browser searches: a script without a source map in it, which is
// most of them, does not have to come here. The lock is held.
func (l *Log) search(r *record, t *trace) []*search {
	var searches []*search
	r.scripts = make(map[string]*script)
	for ; t != nil; t = t.Parent {
		for _, call := range t.Calls {
			s := l.scripts[call.URL]
			if s == nil || r.scripts[call.URL] != nil {
				continue
			}
			r.scripts[call.URL] = s
			if s.asked == nil && l.searches.take(l.now()) {
				s.asked = &search{log: l, script: s, done: make(chan struct{}), pending: s.from.Start(s.from.Command(
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

func (q *search) run() {
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
	m := inlineMap(answer.Lines[len(answer.Lines)-1].Content)
	q.log.mu.Lock()
	defer q.log.mu.Unlock()
	q.script.found = m
}

func (q *search) wait(ctx context.Context) {
	select {
	case <-q.done:
	case <-ctx.Done():
	}
}

// mapper takes places in scripts to where they came from: it has the source maps of
// scripts by their addresses, nil where there is none.
type mapper map[string]*sourceMap

// place writes a place in a script, given counted from 0.
func (m mapper) place(script string, line, column int) string {
	if script == "" {
		return ""
	}
	if source, l, c, ok := m[script].find(line, column); ok && source != "" {
		script, line, column = resolve(script, source), l, c
	}
	return script + ":" + strconv.Itoa(line+1) + ":" + strconv.Itoa(column+1)
}

// resolve makes the name of a source whole, if it is relative to its script.
func resolve(script, source string) string {
	base, err := url.Parse(script)
	if err != nil || base.Opaque != "" {
		return source
	}
	ref, err := url.Parse(source)
	if err != nil || ref.Scheme != "" {
		return source
	}
	return base.ResolveReference(ref).String()
}

func (m mapper) position(t *trace) string {
	if t == nil || len(t.Calls) == 0 {
		return ""
	}
	call := t.Calls[0]
	return m.place(call.URL, call.Line, call.Column)
}

// calls writes a stack.
func (m mapper) calls(t *trace) []string {
	var list []string
	for ; t != nil; t = t.Parent {
		if t.Description != "" && len(list) > 0 {
			list = append(list, t.Description)
		}
		for _, call := range t.Calls {
			switch at := m.place(call.URL, call.Line, call.Column); {
			case call.Function != "" && at != "":
				list = append(list, call.Function+" ("+at+")")
			case call.Function != "" || at != "":
				list = append(list, call.Function+at)
			}
		}
	}
	return list
}

var stackPlace = regexp.MustCompile(`(\S*?[^\s(]):(\d+):(\d+)(\)?)$`)

// stack takes the places in an error's stack to where they came from.
func (m mapper) stack(text string) string {
	if len(m) == 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		at := stackPlace.FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		script := line[at[2]:at[3]]
		begin := at[2] + strings.LastIndexByte(script, '(') + 1
		l, errLine := strconv.Atoi(line[at[4]:at[5]])
		c, errColumn := strconv.Atoi(line[at[6]:at[7]])
		if m[line[begin:at[3]]] == nil || errLine != nil || errColumn != nil || l < 1 || c < 1 {
			continue
		}
		lines[i] = line[:begin] + m.place(line[begin:at[3]], l-1, c-1) + line[at[8]:]
	}
	return strings.Join(lines, "\n")
}
