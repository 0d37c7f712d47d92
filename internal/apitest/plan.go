package apitest

import (
	"fmt"
	"slices"
	"strings"
)

var (
	version = pattern(`(?i)^(api|rest|v\d+(\.\d+)?|graphql)$`)
	leaving = pattern(`(?i)/(log-?out|sign-?out|logoff|revoke)(/|$)`)
	renewal = pattern(`(?i)refresh|renew`)
	signIn  = pattern(`(?i)/(log-?in|sign-?in|signin|sessions?|auth(enticate)?|oauth\d?|token|authorize|connect/token)(/|$)`)
)

// plan finds who signs in, and puts the calls into scenarios.
func (d *deriver) plan() {
	s := d.suite
	if login := d.login(); login != nil {
		d.signing(login)
	}
	d.findLeaving()
	rest := slices.DeleteFunc(slices.Clone(d.calls), func(c *Call) bool { return slices.Contains(s.Auth, c) })
	groups := d.chains(rest)
	for _, g := range groups {
		sc := &Scenario{Calls: g}
		sc.Signed = len(s.Auth) > 0 && slices.ContainsFunc(g, d.needsSession)
		sc.Own = sc.Signed && slices.ContainsFunc(g, func(c *Call) bool { return c.leaves || d.renews(c) })
		sc.Name = scenarioName(g)
		s.Scenarios = append(s.Scenarios, sc)
	}
	if len(s.Scenarios) == 0 && len(s.Auth) > 0 {
		// Nothing but signing in was recorded: that is the test.
		s.Scenarios = []*Scenario{{Name: scenarioName(s.Auth), Calls: s.Auth}}
		s.Auth, s.Cookies = nil, nil
	}
	uniqueNames(s.Scenarios)
	s.Fresh = len(s.Auth) > 0 && (d.shortLived() || slices.ContainsFunc(rest, d.renews))
}

// findLeaving marks the calls that end a session: by their names, and by what
// comes of them, where a call that was answered is refused afterwards.
func (d *deriver) findLeaving() {
	answered := map[string]bool{}
	var last *Call
	for _, c := range d.calls {
		named := leaving().MatchString(c.pathShape()) || c.Method == "DELETE" && signIn().MatchString(c.pathShape())
		c.leaves = named && c.writes() && c.Answer.Status < 400
		if c.Answer.Status == 401 && answered[c.shape] && last != nil {
			last.leaves = true
		}
		answered[c.shape] = answered[c.shape] || c.Answer.Status < 400
		if c.writes() && c.Answer.Status < 400 {
			last = c
		}
	}
}

func uniqueNames(list []*Scenario) {
	seen := map[string]int{}
	for _, sc := range list {
		seen[sc.Name]++
		if n := seen[sc.Name]; n > 1 {
			sc.Name += fmt.Sprintf(" (%d)", n)
		}
	}
}

// login is the call that signs in: it sends a password, or it gives what later
// calls prove themselves with.
func (d *deriver) login() *Call {
	for _, c := range d.calls {
		if c.Answer.Status < 400 && c.writes() && slices.ContainsFunc(c.slots(), func(s slot) bool {
			return c.isPassword(s) && len(s.text.variables()) > 0
		}) && (len(c.setNames) > 0 || len(c.Finds) > 0) {
			return c
		}
	}
	for _, c := range d.calls {
		if c.Answer.Status < 400 && c.writes() && signIn().MatchString(c.pathShape()) && (len(c.setNames) > 0 || slices.ContainsFunc(c.Finds, func(v *Variable) bool { return v.Secret })) {
			return c
		}
	}
	return nil
}

// signing makes a login and what it needs the part that is done once.
func (d *deriver) signing(login *Call) {
	s := d.suite
	part := map[*Call]bool{}
	var add func(*Call)
	add = func(c *Call) {
		if part[c] {
			return
		}
		part[c] = true
		for _, from := range d.needs(c) {
			add(from)
		}
	}
	add(login)
	for _, c := range d.calls {
		if part[c] {
			s.Auth = append(s.Auth, c)
			for _, v := range c.Finds {
				v.shared = true
			}
		}
	}
	for _, c := range s.Auth {
		for _, name := range c.setNames {
			if slices.Contains(s.Cookies, name) || measuringCookie().MatchString(name) {
				continue
			}
			s.Cookies = append(s.Cookies, name)
		}
	}
}

// needsSession says whether a call is made by someone who signed in.
func (d *deriver) needsSession(c *Call) bool {
	for _, name := range d.suite.Cookies {
		if value, ok := c.sent[name]; ok && value != "" && c.ID > d.suite.Auth[len(d.suite.Auth)-1].ID {
			return true
		}
	}
	return slices.ContainsFunc(c.slots(), func(s slot) bool {
		return slices.ContainsFunc(s.text.variables(), func(v *Variable) bool { return v.shared })
	}) || slices.ContainsFunc(d.needs(c), func(from *Call) bool { return !slices.Contains(d.suite.Auth, from) && d.needsSession(from) })
}

// renews says whether a call gets new tokens for old ones.
func (d *deriver) renews(c *Call) bool {
	if !c.writes() || c.Body == nil && len(c.sent) == 0 {
		return false
	}
	gives := len(c.setNames) > 0 || slices.ContainsFunc(c.Finds, func(v *Variable) bool { return v.Secret })
	if gives && renewal().MatchString(c.pathShape()) {
		return true
	}
	return gives && slices.ContainsFunc(c.slots(), func(s slot) bool {
		return (s.kind == "json" || s.kind == "field") && slices.ContainsFunc(s.text.variables(), func(v *Variable) bool { return v.shared && v.Secret && renewal().MatchString(v.Name) })
	})
}

// shortLived says whether the login told that what it gives is soon of no use.
func (d *deriver) shortLived() bool {
	for _, c := range d.suite.Auth {
		short := false
		leaves(c.Answer.JSON, nil, func(l leaf) {
			if n, ok := l.value.(int64); ok && strings.HasPrefix(words(l.key()), "expiresin") && n > 0 && n <= 120 {
				short = true
			}
		})
		if short {
			return true
		}
	}
	return false
}

// chains are groups of calls that need each other, in order: by variables, by
// cookies, by what is expected of them, and by writing to the same thing, or asking for
// what has its number: what is asked of a draft is another thing once it is published.
func (d *deriver) chains(calls []*Call) (groups [][]*Call) {
	of := map[*Call]*Call{}
	var root func(*Call) *Call
	root = func(c *Call) *Call {
		if of[c] == c {
			return c
		}
		of[c] = root(of[c])
		return of[c]
	}
	for _, c := range calls {
		of[c] = c
	}
	join := func(a, b *Call) {
		if of[a] != nil && of[b] != nil {
			of[root(b)] = root(a)
		}
	}
	written := map[string]*Call{}
	numbered := map[string][]*Call{} // who answered with the number of what was written
	for _, c := range calls {
		for _, from := range d.needs(c) {
			join(from, c)
		}
		for _, v := range c.Expect.variables() {
			if v.From != nil && v.From != c {
				join(v.From, c)
			}
		}
		if c.writes() && !c.Needed {
			written[d.about(c)] = c
			for _, s := range c.slots() {
				for _, v := range s.text.variables() {
					if v.From != nil && of[v.From] != nil && digits().MatchString(v.Value) {
						numbered[v.Value] = append(numbered[v.Value], v.From)
					}
				}
			}
		}
	}
	for _, c := range calls {
		for _, s := range c.slots() {
			if s.kind == "path" || s.kind == "query" {
				for _, from := range numbered[s.text.plain()] {
					if from.ID < c.ID {
						join(from, c)
					}
				}
			}
		}
	}
	for i, c := range calls {
		if w := written[d.about(c)]; w != nil {
			join(w, c)
		}
		if c.document && !c.Needed && i > 0 { // it shows what the form before it sent
			join(calls[i-1], c)
		}
		if c.leaves {
			for _, later := range calls[i+1:] { // what comes after it comes after it
				join(c, later)
			}
		}
	}
	for _, c := range calls {
		if root(c) != c && !slices.ContainsFunc(groups, func(g []*Call) bool { return root(g[0]) == root(c) }) || root(c) == c && !slices.ContainsFunc(groups, func(g []*Call) bool { return root(g[0]) == c }) {
			groups = append(groups, nil)
			g := &groups[len(groups)-1]
			for _, one := range calls {
				if root(one) == root(c) {
					*g = append(*g, one)
				}
			}
		}
	}
	return groups
}

// about is the resource of a call, and whether it was made before anybody signed in: what is
// refused then may be granted later.
func (d *deriver) about(c *Call) string {
	signedIn := len(d.suite.Auth) == 0 || c.ID > d.suite.Auth[len(d.suite.Auth)-1].ID
	return fmt.Sprint(signedIn, " ", c.resource())
}

// resource is what a path is about: the first segment that is a name.
func (c *Call) resource() string {
	if op := operation(c.Body); op != "" {
		return "graphql"
	}
	for _, s := range c.Path {
		if text := s.plain(); len(s.variables()) == 0 && !version().MatchString(text) && !idLike(text) {
			return fmt.Sprint(c.Origin, " ", text)
		}
	}
	return ""
}

// variables are those that an expectation speaks of.
func (e *Expect) variables() (list []*Variable) {
	if e.Schema != nil {
		e.Schema.all(nil, func(_ []any, s *Schema) { list = append(list, s.Equal.variables()...) })
	}
	for _, m := range e.Has {
		for _, t := range m.Want {
			list = append(list, t.variables()...)
		}
	}
	for _, l := range e.Lacks {
		list = append(list, l.Var)
	}
	return list
}

// scenarioName tells what a chain does in a few words.
func scenarioName(calls []*Call) string {
	calls = slices.DeleteFunc(slices.Clone(calls), func(c *Call) bool { return c.Needed })
	if len(calls) == 0 {
		return "pages"
	}
	name := calls[0].title()
	if len(calls) == 2 {
		return name + ", then " + calls[1].title()
	}
	if len(calls) > 2 {
		return fmt.Sprintf("%s, then %d more calls up to %s", name, len(calls)-1, calls[len(calls)-1].title())
	}
	return name
}
