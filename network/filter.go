package network

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Filter chooses requests. The zero value is all of them.
type Filter struct {
	// URL is a part of the address, or, with * in it, the whole: * is anything,
	// as in *.example.com/api/*.
	URL string
	// Type is a type of request, or several with commas: fetch,xhr.
	Type string
	// Status is a status (404), a class (4xx), failed, cancelled, pending or ok
	// (2xx and 3xx); several with commas.
	Status string
	// Source is where answers came from: network, service worker, …
	Source string
	// Number is one request.
	Number int
	// After leaves out those up to this number.
	After int
	// Limit is how many, the newest ones; 0 is all.
	Limit int
}

// Types are the types a Filter takes.
var Types = []string{
	"document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "prefetch", "eventsource", "websocket",
	"webtransport", "manifest", "signedexchange", "ping", "cspviolationreport", "preflight", "fedcm", "other",
}

// Sources are where answers come from.
var Sources = []string{FromNetwork, FromWorker, FromMemory, FromDisk, FromPrefetch, FromLocal}

// matcher is a filter that was read.
type matcher struct {
	part   string
	whole  *regexp.Regexp
	types  []string
	status []func(*Request) bool
	Filter
}

var statusClass = regexp.MustCompile(`^[1-5]xx$`)

// Check says what is wrong with a filter.
func (f Filter) Check() error {
	_, err := f.read()
	return err
}

func (f Filter) read() (*matcher, error) {
	m := &matcher{Filter: f, part: strings.ToLower(f.URL)}
	if strings.Contains(f.URL, "*") {
		var b strings.Builder
		b.WriteString("(?is)^")
		for i, lit := range strings.Split(f.URL, "*") {
			if i > 0 {
				b.WriteString(".*")
			}
			b.WriteString(regexp.QuoteMeta(lit))
		}
		b.WriteString("$")
		var err error
		if m.whole, err = regexp.Compile(b.String()); err != nil {
			return nil, fmt.Errorf("the filter %q cannot be used: %w", cut(f.URL, 100), err)
		}
	}
	for _, t := range split(f.Type) {
		if !slices.Contains(Types, t) {
			return nil, fmt.Errorf("there is no type %q: say %s", t, strings.Join(Types, ", "))
		}
		m.types = append(m.types, t)
	}
	for _, s := range split(f.Status) {
		is, err := status(s)
		if err != nil {
			return nil, err
		}
		m.status = append(m.status, is)
	}
	if f.Source != "" && !slices.Contains(Sources, strings.ToLower(f.Source)) {
		return nil, fmt.Errorf("there is no source %q: say %s", f.Source, strings.Join(Sources, ", "))
	}
	if f.Limit < 0 {
		return nil, fmt.Errorf("limit is how many: 1 or more, not %d", f.Limit)
	}
	return m, nil
}

// split reads a list with commas.
func split(s string) []string {
	var list []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.ToLower(strings.TrimSpace(part)); part != "" {
			list = append(list, part)
		}
	}
	return list
}

func status(s string) (func(*Request) bool, error) {
	switch {
	case s == "failed":
		return func(q *Request) bool { return q.State == Failed }, nil
	case s == "cancelled" || s == "canceled":
		return func(q *Request) bool { return q.State == Cancelled }, nil
	case s == "pending":
		return func(q *Request) bool { return q.State == Pending }, nil
	case s == "ok":
		return func(q *Request) bool {
			return q.State != Failed && q.State != Cancelled && q.Status >= 100 && q.Status < 400
		}, nil
	case statusClass.MatchString(s):
		return func(q *Request) bool { return q.Status/100 == int(s[0]-'0') }, nil
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 100 && n <= 999 {
		return func(q *Request) bool { return q.Status == n }, nil
	}
	return nil, fmt.Errorf("there is no status %q: say a status such as 404, a class such as 4xx, failed, cancelled, pending or ok", s)
}

func (m *matcher) matches(q *Request) bool {
	switch {
	case m.Number > 0 && q.Number != m.Number,
		m.After > 0 && q.Number <= m.After,
		m.whole != nil && !m.whole.MatchString(q.URL),
		m.whole == nil && m.part != "" && !strings.Contains(strings.ToLower(q.URL), m.part),
		len(m.types) > 0 && !slices.Contains(m.types, q.Type),
		m.Source != "" && !strings.EqualFold(m.Source, q.Source):
		return false
	}
	return len(m.status) == 0 || slices.ContainsFunc(m.status, func(is func(*Request) bool) bool { return is(q) })
}

// any says that every request matches.
func (m *matcher) any() bool {
	return m.URL == "" && len(m.types) == 0 && len(m.status) == 0 && m.Source == "" && m.Number == 0 && m.After == 0
}

// least is the number below which no request is asked for.
func (m *matcher) least(records []record) int {
	least := max(m.Number, m.After+1)
	if !m.any() || m.Limit == 0 {
		return least
	}
	var numbers []int
	for i := range records {
		numbers = append(numbers, records[i].numbers...)
	}
	if len(numbers) <= m.Limit {
		return least
	}
	slices.Sort(numbers)
	return numbers[len(numbers)-m.Limit]
}

// Found is the answer to a filter.
type Found struct {
	Requests []Request `json:"requests"`          // in the order in which they began
	Matched  int       `json:"matched"`           // how many there are that match, with those over the limit
	All      int       `json:"all"`               // how many there are
	Dropped  int       `json:"dropped,omitempty"` // how many were forgotten for want of space
}

// Requests gives the requests that a filter chooses, oldest first.
func (l *Log) Requests(f Filter) (Found, error) {
	m, err := f.read()
	if err != nil {
		return Found{}, err
	}
	records, in, found := l.snapshot()
	least := m.least(records)
	for i := range records {
		numbers := records[i].numbers
		found.All += len(numbers)
		if len(numbers) == 0 || numbers[len(numbers)-1] < least {
			continue // not to be read: it takes the most time
		}
		for _, q := range records[i].read(in) {
			if m.matches(&q) {
				found.Matched++
				found.Requests = append(found.Requests, q)
			}
		}
	}
	if m.any() {
		found.Matched = found.All
	}
	// Hops of one record may have begun after requests of the next.
	slices.SortStableFunc(found.Requests, func(a, b Request) int { return a.Number - b.Number })
	if found.Requests == nil {
		found.Requests = []Request{}
	}
	if n := len(found.Requests); f.Limit > 0 && n > f.Limit {
		found.Requests = slices.Clone(found.Requests[n-f.Limit:])
	}
	return found, nil
}

// snapshot copies what is there, to be read without the lock.
func (l *Log) snapshot() ([]record, reading, Found) {
	l.mu.Lock()
	defer l.mu.Unlock()
	records := make([]record, len(l.records))
	numbers := make(map[string]int, len(l.records))
	for i, r := range l.records {
		records[i] = *r // what its slices hold is only added to, but for messages
		records[i].messages = slices.Clone(r.messages)
		if n := len(r.numbers); n > 0 {
			numbers[r.id] = r.numbers[n-1]
		}
	}
	in := reading{offset: l.offset, now: time.Now(), refuses: l.Refuses, number: func(id string) int { return numbers[id] }}
	return records, in, Found{Dropped: l.dropped}
}
