package rove

import (
	"fmt"
	"maps"
	"net/url"
	"strings"

	"rove/aria"
	"rove/driver"
	"rove/driver/backend"
	"rove/recording"
)

// How many requests a receipt names: those that ask, and those that write, which
// are never left out.
const (
	mostReads  = 4
	mostWrites = 12
)

// notableRequests lists the requests worth a word: what was sent, asked of a server by a
// script, or failed. Pictures and scripts that a page loads are not, nor is what is usual: told of
// a page that was loaded before. from is the page that asked.
func notableRequests(requests []driver.Request, from string, usual map[string]bool) string {
	var list []string
	times := map[string]int{}
	reads, writes, more := 0, 0, 0
	for _, q := range requests {
		write := recording.Writing(q.Method)
		api := q.Type == backend.TypeXHR || q.Type == backend.TypeFetch || q.Method != "GET"
		bad := q.Status >= 400 || q.Failure != "" && q.Reason != backend.ReasonAborted
		if !api && !bad || bad && adorns(q, from) {
			continue
		}
		text := requestLine(q, from)
		if !write && usual[text] {
			continue
		}
		if times[text]++; times[text] > 1 {
			continue
		}
		switch {
		case write && writes == mostWrites:
			// Of very many the kind and the answer are told.
			text = strings.Join(append(strings.Fields(text)[:1], strings.Fields(text)[2:]...), " ")
			if times[text]++; times[text] > 1 {
				continue
			}
		case write:
			writes++
		case reads == mostReads:
			more++
			continue
		default:
			reads++
		}
		list = append(list, text)
	}
	for i, text := range list {
		if n := times[text]; n > 1 {
			list[i] = fmt.Sprintf("%s ×%d", text, n)
		}
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}

// adorns says whether a request was for a picture or a letter form of another host, as of users' portraits:
// nothing that is done here hangs on it.
func adorns(q driver.Request, from string) bool {
	if q.Type != backend.TypeImage && q.Type != backend.TypeFont {
		return false
	}
	u, err := url.Parse(q.URL)
	f, bad := url.Parse(from)
	return err == nil && bad == nil && f.Host != "" && u.Host != f.Host
}

// requestLine is a request as it is told, with its host where that is another than the page's.
func requestLine(q driver.Request, from string) string {
	text := q.Method + " "
	if u, err := url.Parse(q.URL); err == nil && u.Host != "" {
		if f, err := url.Parse(from); err == nil && f.Host != "" && f.Host != u.Host {
			text += aria.Plain(clip(u.Host, 40))
		}
	}
	text += pathOf(q.URL)
	switch {
	case q.Status > 0:
		text += fmt.Sprintf(" %d", q.Status)
	case q.Failure != "":
		_, word, own := strings.Cut(q.Failure, "::") // after the part of the browser that it comes from
		if !own {
			word = q.Failure
		}
		text += " " + word
	case q.Open:
		text += " open"
	}
	return text
}

// asUsual notes in receipts of steps that led to a page what pages of this session asked for and
// complained of before, and which of that is told by now.
func (m *memory) asUsual(done []Receipt) {
	for i := range done {
		e := &done[i].Effect
		if !e.Navigated || e.URL == "" || done[i].usual != nil {
			continue
		}
		if m.asked == nil {
			m.asked = map[string]bool{}
		}
		done[i].usual = maps.Clone(m.asked)
		for _, q := range e.Requests {
			if len(m.asked) < mostAsked {
				m.asked[requestLine(q, e.URL)] = true
			}
		}
		for _, c := range e.Console {
			if len(m.asked) < mostAsked {
				m.asked[consoleLine(c)] = true
			}
		}
	}
}

const mostAsked = 200 // addresses and errors that are remembered

// consoleLine is an error of the page as it is told.
func consoleLine(said string) string { return "console error: " + aria.Plain(clip(said, 160)) }

// answered sums up requests of several steps to one place that all went well, by
// their methods; from is the page that asked. "" where there is more to say.
func answered(requests []driver.Request, from string) string {
	var methods []string
	times := map[string]int{}
	at, host := "", hostOf(from)
	for _, q := range requests {
		if q.Type != backend.TypeXHR && q.Type != backend.TypeFetch && q.Method == "GET" {
			continue
		}
		if q.Status < 200 || q.Status >= 300 {
			return ""
		}
		path := pathOf(q.URL)
		if host != "" && host != hostOf(q.URL) {
			return "" // each is told with its own
		}
		host = hostOf(q.URL)
		switch {
		case at == "" || strings.HasPrefix(at, path+"/"):
			at = path
		case path != at && !strings.HasPrefix(path, at+"/"):
			return ""
		}
		if times[q.Method]++; times[q.Method] == 1 {
			methods = append(methods, q.Method)
		}
	}
	if at == "" || at == "/" {
		return ""
	}
	for i, m := range methods {
		if times[m] > 1 {
			methods[i] = fmt.Sprintf("%s ×%d", m, times[m])
		}
	}
	return fmt.Sprintf("%s %s 2xx", strings.Join(methods, ", "), at)
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}

func pathOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Path == "" {
		return aria.Plain(clip(raw, 60))
	}
	return clip(u.EscapedPath(), 60) // decoded it could have lines of its own
}
