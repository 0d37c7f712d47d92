package apitest

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"rove/internal/har"
	"rove/internal/outlet"
)

// Options say what is derived.
type Options struct {
	// Include keeps only calls whose address matches, Exclude leaves some out.
	Include, Exclude *regexp.Regexp
	// BaseURL is where the tests run, if not where the recording was made.
	BaseURL string
	// Secrets are known ones, by the names that tests read them by.
	Secrets map[string]string

	// fresh are the places whose values the application takes only once.
	fresh []place
}

// Suite is what was derived.
type Suite struct {
	// Origins are where calls go; the first is baseUrl.
	Origins []string
	// Calls are all, in the order of the recording; Auth are those that sign in.
	Calls, Auth []*Call
	// Cookies are the names of those that signing in gives.
	Cookies []string
	// Fresh has every scenario sign in by itself: the tokens do not live long.
	Fresh     bool
	Scenarios []*Scenario
	// Config are the variables that the config has: secrets, and who signs in.
	Config []*Variable
	// Notes are what a reader must know, Findings what seems wrong with the
	// application.
	Notes, Findings []string
	// Dropped counts what was left out, by reason.
	Dropped map[string]int
	// Verdict is what the proof came to; empty where there was none.
	Verdict []string

	recorded []string // the origins as recorded
	out      *outlet.Outlet
}

// Scenario is calls that need each other.
type Scenario struct {
	Name  string
	Calls []*Call
	// Signed scenarios need someone to be signed in; Own ones sign in by themselves,
	// because they end the session, or renew it.
	Signed, Own bool
	Negative    *Negative
}

// Derive makes tests of recordings of the same flow: the first is what they are
// made of, the others tell what differs from time to time.
func Derive(recordings [][]*har.Entry, o Options) (*Suite, error) {
	if len(recordings) == 0 {
		return nil, errors.New("there is no recording")
	}
	first := keep(recordings[0], &o, nil)
	others := make([]*recording, 0, len(recordings))
	for _, r := range recordings[1:] {
		others = append(others, keep(r, &o, first.origins))
	}
	return derive(first, others, nil, o)
}

// derive makes a suite of recordings, and of what runs of an earlier suite of the
// same recordings showed, by the numbers of the calls.
func derive(first *recording, others []*recording, seen []marked, o Options) (*Suite, error) {
	if !slices.ContainsFunc(first.calls, func(c *Call) bool { return !c.document }) {
		return nil, fmt.Errorf("there is no API call in the recording%s", first.why())
	}
	for i, c := range first.calls {
		c.ID = i + 1
		c.twins = make([]*Call, len(others), len(others)+len(seen))
	}
	for k, other := range others {
		align(first.calls, other.calls, k)
	}
	for _, run := range seen {
		for _, c := range first.calls {
			c.twins = append(c.twins, run.call(c.ID))
		}
	}
	s := &Suite{Origins: slices.Clone(first.origins), recorded: first.origins, Dropped: first.dropped}
	d := &deriver{
		o: &o, suite: s, given: len(others), calls: first.calls, known: map[string][]found{}, free: map[string]bool{}, names: map[string]bool{},
		config: map[string]*Variable{}, secrets: map[string]string{}, seen: map[string]bool{},
	}
	d.correlate()
	d.keepSecrets()
	d.prune()
	d.sortOrigins()
	d.refer()
	d.expect()
	d.plan()
	if o.BaseURL != "" {
		s.Origins[0] = strings.TrimRight(o.BaseURL, "/")
	}
	s.out = d.outlet()
	return s, nil
}

// call is what a run had for a call; nil where it was not made.
func (m marked) call(id int) *Call {
	e := m[id]
	if e == nil {
		return nil
	}
	u, err := url.Parse(e.Request.URL)
	if err != nil {
		return nil
	}
	return newCall(e, u)
}

// why tells what was left out, for a recording that has nothing else.
func (r *recording) why() string {
	left := maps.Clone(r.dropped)
	for _, c := range r.calls {
		if c.document {
			left["documents"]++
		}
	}
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(left)) {
		list = append(list, fmt.Sprintf("%d %s", left[reason], reason))
	}
	if len(list) == 0 {
		return ": it is empty"
	}
	return ": left out are " + strings.Join(list, ", ")
}

// align finds the calls that are the same in two recordings, in their order.
func align(a, b []*Call, k int) {
	if len(a)*len(b) > 16<<20 {
		return
	}
	length := make([][]int32, len(a)+1)
	for i := range length {
		length[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].shape == b[j].shape && a[i].Answer.Status == b[j].Answer.Status {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].shape == b[j].shape && a[i].Answer.Status == b[j].Answer.Status && length[i][j] == length[i+1][j+1]+1:
			a[i].twins[k] = b[j]
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
}

// prune leaves out documents that no call needs.
func (d *deriver) prune() {
	need := map[*Call]bool{}
	var want func(c *Call)
	want = func(c *Call) {
		if need[c] {
			return
		}
		need[c] = true
		for _, from := range d.needs(c) {
			want(from)
		}
	}
	for i, c := range d.calls {
		if !c.document || d.showsWhatWasSent(i) {
			want(c)
		}
	}
	var kept []*Call
	used := map[*Variable]bool{}
	for i, c := range d.calls {
		if !need[c] {
			d.suite.Dropped["documents"]++
			continue
		}
		c.Needed = c.document && !d.showsWhatWasSent(i)
		kept = append(kept, c)
		for _, s := range c.slots() {
			for _, v := range s.text.variables() {
				used[v] = true
			}
		}
	}
	for _, c := range kept {
		c.Finds = slices.DeleteFunc(c.Finds, func(v *Variable) bool { return !used[v] })
		if c.Answer.Status == 304 && !slices.ContainsFunc(c.Headers, func(f *Field) bool { return conditional().MatchString(f.Name) && f.Value.variables() != nil }) {
			d.note("%s was answered from a cache (304): it is left out", c.title())
			need[c] = false
		}
	}
	kept = slices.DeleteFunc(kept, func(c *Call) bool { return !need[c] })
	d.suite.Config = slices.DeleteFunc(d.suite.Config, func(v *Variable) bool { return !used[v] })
	d.calls, d.suite.Calls = kept, kept
}

// showsWhatWasSent says whether a page was shown after a form was sent, and has
// what was sent: the answer of an application without scripts.
func (d *deriver) showsWhatWasSent(i int) bool {
	c := d.calls[i]
	if !c.document || i == 0 || c.Answer.Status != 200 {
		return false
	}
	p := d.calls[i-1]
	if !p.writes() || p.Body == nil || p.Body.Kind != "form" && p.Body.Kind != "multipart" || p.Answer.Status < 300 || p.Answer.Status > 399 {
		return false
	}
	return slices.ContainsFunc(p.Body.Fields, func(f *Field) bool {
		text := f.Value.plain()
		v := f.Value.alone()
		return len(text) >= 4 && (f.Value.variables() == nil || v != nil && v.Fresh) && strings.Contains(c.Answer.Text, text)
	})
}

// needs are the calls that must be made before one: those that have its variables,
// and pages that gave it its cookies.
func (d *deriver) needs(c *Call) (list []*Call) {
	add := func(from *Call) {
		if from != nil && from != c && !slices.Contains(list, from) {
			list = append(list, from)
		}
	}
	for _, s := range c.slots() {
		for _, v := range s.text.variables() {
			add(v.From)
		}
	}
	for name, value := range c.sent {
		if measuringCookie().MatchString(name) || !opaque(value) && !outlet.Secretive(name) {
			continue
		}
		var setter *Call
		for _, one := range d.calls {
			if one.ID >= c.ID {
				break
			}
			if _, ok := one.Answer.Cookies[name]; ok {
				setter = one
			}
		}
		add(setter)
	}
	return list
}

// sortOrigins makes the origin with the most calls the first.
func (d *deriver) sortOrigins() {
	count := make([]int, len(d.suite.Origins))
	for _, c := range d.calls {
		count[c.Origin]++
	}
	order := make([]int, len(count))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return count[b] - count[a] })
	place := make([]int, len(order))
	var origins []string
	for to, from := range order {
		place[from] = to
		if count[from] > 0 {
			origins = append(origins, d.suite.Origins[from])
		}
	}
	for _, c := range d.calls {
		c.Origin = place[c.Origin]
	}
	d.suite.Origins, d.suite.recorded = origins, slices.Clone(origins)
}

// title names a call for people.
func (c *Call) title() string {
	var b strings.Builder
	b.WriteString(c.Method + " ")
	b.WriteString(c.template("{", "}"))
	b.WriteString(operation(c.Body))
	return b.String()
}

// template is the path with variables, and what looks like an id, between marks.
func (c *Call) template(open, end string) string {
	var b strings.Builder
	for i, s := range c.Path {
		b.WriteByte('/')
		switch text := s.plain(); {
		case len(s.variables()) > 0:
			b.WriteString(open + s.variables()[0].Name + end)
		case idLike(text):
			name := "id"
			if i > 0 && len(c.Path[i-1].variables()) == 0 {
				if of := identifierOf(singular(c.Path[i-1].plain())); of != "" {
					name = of + "Id"
				}
			}
			b.WriteString(open + name + end)
		default:
			b.WriteString(text)
		}
	}
	return b.String()
}

func identifierOf(s string) string {
	return strings.Trim(regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(s, ""), "0123456789")
}
