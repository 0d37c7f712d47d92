package apitest

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// deriver is one derivation under way.
type deriver struct {
	o       *Options
	suite   *Suite
	given   int // the recordings that were given; runs come after them
	calls   []*Call
	known   map[string][]found // what answers had so far, by value
	free    map[string]bool    // what was sent before any answer had it
	names   map[string]bool
	config  map[string]*Variable // by value
	secrets map[string]string
	seen    map[string]bool // of notes
	routes  routes
}

// correlate finds the values that are sent after an answer had them, and makes
// variables of them.
func (d *deriver) correlate() {
	setters := map[string]*Call{}
	for _, c := range d.calls {
		d.cookies(c, setters)
		d.routes.ask(c)
		for _, s := range c.slots() {
			d.place(c, s)
		}
		for _, f := range c.sources() {
			if !d.sentBefore(f.key, f.value) && !d.routes.word(&f) {
				d.known[f.value] = append(d.known[f.value], f)
			}
		}
		d.routes.link(c)
		for _, name := range c.setNames {
			setters[name] = c
		}
	}
}

// cookies makes places of the cookies that no answer set: scripts of the page did.
func (d *deriver) cookies(c *Call, setters map[string]*Call) {
	for name, value := range c.sent {
		if setters[name] == nil && !measuringCookie().MatchString(name) {
			c.Cookies = append(c.Cookies, &Field{Name: name, Value: literal(value)})
		}
	}
	slices.SortFunc(c.Cookies, func(a, b *Field) int { return strings.Compare(a.Name, b.Name) })
}

var measuringCookie = pattern(`(?i)^(_ga|_gid|_gat|_gcl|_fbp|_fbc|ajs_|amp_|amplitude|_hj|mp_|intercom|optanon|cookieconsent|__utm|_pk_|ph_|_clck|_clsk|_dd_s)`)

func freeKey(name, value string) string {
	if len(value) >= 6 {
		return value
	}
	return strings.ToLower(name) + "\x00" + value
}

func (d *deriver) sentBefore(name, value string) bool { return d.free[freeKey(name, value)] }

// place finds where the value of a place comes from.
func (d *deriver) place(c *Call, s slot) {
	value := s.text.plain()
	if s.kind == "path" {
		if plain, err := url.PathUnescape(value); err == nil {
			value = plain
		}
	}
	if value == "" || s.node != nil && s.node.Kind == 'l' || s.kind == "header" && s.name == "Accept" {
		return
	}
	if d.renew(c, s, value) {
		return
	}
	prefix := ""
	if m := scheme().FindString(value); s.kind == "header" && m != "" {
		prefix, value = m, value[len(m):]
	}
	if v := d.source(c, s, prefix, value); v != nil {
		*s.text = nil
		if prefix != "" {
			*s.text = literal(prefix)
		}
		*s.text = append(*s.text, Part{Var: v})
		return
	}
	if s.kind != "path" && prefix == "" && d.within(c, s, value) {
		return
	}
	d.free[freeKey(s.name, value)] = true
	if s.kind == "path" {
		d.free[freeKey("id", value)] = idLike(value) || d.free[freeKey("id", value)]
	}
	d.differs(c, s)
}

// renew makes a value that the application takes only once another each time.
func (d *deriver) renew(c *Call, s slot, value string) bool {
	v := d.config[value]
	if v == nil || !v.Fresh {
		if !slices.Contains(d.o.fresh, place{c.ID, s.key}) {
			return false
		}
		v = &Variable{Name: d.unique(s.name), Value: value, Default: value, Fresh: true, first: place{c.ID, s.key}}
		d.config[value] = v
		d.suite.Config = append(d.suite.Config, v)
		d.note("%s: the application takes %s only once, so that it is another each time", c.title(), quote(s.name))
	}
	*s.text = Text{{Var: v}}
	return true
}

var scheme = pattern(`^(?i:bearer|token|basic|jwt|apikey)\s+`)

// differs tells of a place whose value is another in each recording, and that
// no answer had.
func (d *deriver) differs(c *Call, s slot) {
	for _, t := range c.twins[:d.given] {
		if t == nil {
			continue
		}
		for _, other := range t.slots() {
			if other.key == s.key && other.text.plain() != s.text.plain() && !c.isPassword(s) {
				d.note("%s: %s %s differs between recordings, and no answer had it before: it is sent as first recorded", c.title(), s.kind, quote(s.name))
				return
			}
		}
	}
}

func (d *deriver) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !d.seen[text] {
		d.seen[text] = true
		d.suite.Notes = append(d.suite.Notes, text)
	}
}

// source is the variable that a value is, or nil.
func (d *deriver) source(c *Call, s slot, prefix, value string) *Variable {
	var best found
	bestScore := 0
	for _, f := range d.known[value] {
		score := d.score(s, f, value, prefix != "")
		if score > bestScore && d.confirmed(c, s, prefix, f) {
			best, bestScore = f, score
		}
	}
	if bestScore == 0 && opaque(value) {
		for i := len(d.calls) - 1; i >= 0 && bestScore == 0; i-- {
			if d.calls[i].ID >= c.ID {
				continue
			}
			if f, ok := d.calls[i].inText(value); ok && !d.sentBefore(f.key, value) && d.confirmed(c, s, prefix, f) {
				best, bestScore = f, 1
			}
		}
	}
	if bestScore == 0 {
		return nil
	}
	for _, v := range best.call.Finds {
		if sameSource(v.Source, best.source) {
			return v
		}
	}
	v := &Variable{Name: d.name(best), From: best.call, Source: best.source, Number: best.number, Value: value}
	best.call.Finds = append(best.call.Finds, v)
	best.call.refers = best.call.refers || says(value, best.call.referer)
	return v
}

// says reports whether a value is an address, or has it in it: some pages have no more of
// it than its path.
func says(value, address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (strings.Contains(value, address) || len(u.Path) > 1 && value == u.RequestURI())
}

// refer has those calls say where they are asked from whose answers had that in them, such
// as a form that leads back there: without it they would have nothing to send on.
func (d *deriver) refer() {
	for _, c := range d.calls {
		for i, origin := range d.suite.recorded {
			path, ok := strings.CutPrefix(c.referer, origin)
			if c.refers && ok && (path == "" || path[0] == '/') {
				from := Text{{Var: &Variable{Name: baseName(i), Value: origin}}}
				if path != "" {
					from = append(from, Part{Lit: path})
				}
				c.Headers = append(c.Headers, &Field{Name: "Referer", Value: from})
				break
			}
		}
	}
}

func sameSource(a, b Source) bool {
	return a.Kind == b.Kind && a.Name == b.Name && a.Pattern == b.Pattern && slices.Equal(a.Path, b.Path)
}

// within replaces long values of variables inside of a longer text.
func (d *deriver) within(c *Call, s slot, value string) bool {
	for _, from := range d.calls {
		if from.ID >= c.ID {
			break
		}
		for _, v := range from.Finds {
			before, after, ok := strings.Cut(value, v.Value)
			if len(v.Value) < 16 || !ok || s.node != nil && s.node.Kind != 's' {
				continue
			}
			*s.text = nil
			if before != "" {
				*s.text = literal(before)
			}
			*s.text = append(*s.text, Part{Var: v})
			if after != "" {
				*s.text = append(*s.text, Part{Lit: after})
			}
			return true
		}
	}
	return false
}

// score says how likely a place has its value from there: 0 is not at all.
func (d *deriver) score(s slot, f found, value string, credential bool) int {
	score := 0
	related := d.related(s, f)
	switch {
	case opaque(value) || credential || f.source.Kind == "field" && strings.EqualFold(f.key, s.name) && s.kind == "field":
		score = 10
	case related > 0 && idName().MatchString(f.key):
		score = 5
	case related > 0 && (f.source.Kind == "header" || f.source.Pattern != ""):
		score = 5
	case s.kind == "header" && f.source.Kind == "header" && conditional().MatchString(s.name):
		score = 10
	default:
		return 0
	}
	score += 4 * related
	if f.depth == 0 {
		score += 2
	}
	switch f.source.Kind { // what is meant to be read comes first
	case "json":
		if f.source.Pattern == "" {
			score += 2
		}
	case "field", "meta":
		score++
	case "header": // where an answer leads is where the address is read
		if s.kind == "path" && strings.EqualFold(f.source.Name, "Location") {
			score += 2
		}
	}
	return score
}

var (
	idName      = pattern(`(?i)(^|_|-)(id|uuid|guid|key|slug|cursor|next|after|offset|token|version|revision|rev|etag|nonce|seq|code|number|ref|handle|hash)$|[a-z](Id|ID|Uuid|Key|Token|Cursor|Version|Code|Ref|Number)$`)
	conditional = pattern(`(?i)^if-(none-)?match$`)
)

// related says whether the name of a place and that of a value speak of the same
// thing.
func (d *deriver) related(s slot, f found) int {
	key := words(f.key)
	place := words(s.name)
	if s.kind != "path" {
		if key == place && key != "" && key != "id" {
			return 2
		}
		if (place == "after" || place == "before" || strings.HasSuffix(place, "cursor") || strings.HasPrefix(place, "page")) && (strings.Contains(key, "cursor") || strings.HasPrefix(key, "next") || key == "after") {
			return 2
		}
		if s.kind == "header" && conditional().MatchString(s.name) && (key == "etag" || key == "version") {
			return 2
		}
		place = strings.TrimSuffix(strings.TrimSuffix(place, "s"), "id")
		if place == "" {
			return 0
		}
	}
	place = singular(place)
	if place == "" {
		return 0
	}
	if key == place+"id" || key == place {
		return 2
	}
	if !idName().MatchString(f.key) && f.source.Pattern == "" {
		return 0
	}
	if f.source.Pattern != "" && singular(words(f.key)) == place {
		return 1
	}
	// The name of the list or object it stands in, or of the collection that was
	// asked for.
	for i := len(f.source.Path) - 2; i >= 0; i-- {
		if step, ok := f.source.Path[i].(string); ok {
			if singular(words(step)) == place {
				return 2
			}
			if key == "id" && !envelope().MatchString(step) {
				return 0 // it is that of something else
			}
		}
	}
	for i := len(f.call.Path) - 1; i >= 0 && f.source.Kind == "json"; i-- {
		segment := f.call.Path[i].plain()
		if idLike(segment) {
			continue
		}
		if singular(words(segment)) == place {
			return 1
		}
		break
	}
	return 0
}

// envelope are names of what only wraps an answer.
var envelope = pattern(`(?i)^(data|items|results?|content|records|rows|list|payload|response|edges|nodes?|entries|values|body)$`)

func words(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", "[", "", "]", "", ".", "").Replace(s))
}

func singular(s string) string {
	switch {
	case strings.HasSuffix(s, "ies") && len(s) > 4:
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses") || strings.HasSuffix(s, "xes") || strings.HasSuffix(s, "ches") || strings.HasSuffix(s, "shes"):
		return s[:len(s)-2]
	case strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && len(s) > 2:
		return s[:len(s)-1]
	}
	return s
}

// confirmed asks the other recordings: the same place must have had the value of
// the same source there.
func (d *deriver) confirmed(c *Call, s slot, prefix string, f found) bool {
	for k, t := range c.twins[:d.given] {
		if t == nil || f.call.twins[k] == nil {
			continue
		}
		want, ok := f.call.twins[k].Answer.lookup(f.source)
		if !ok {
			return false
		}
		for _, other := range t.slots() {
			if other.key != s.key {
				continue
			}
			got := other.text.plain()
			if s.kind == "path" {
				if plain, err := url.PathUnescape(got); err == nil {
					got = plain
				}
			}
			if got != prefix+want && !strings.EqualFold(got, prefix+want) {
				return false
			}
		}
	}
	return true
}

var (
	uuid     = pattern(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	date     = pattern(`^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$`)
	tokenish = pattern(`^[A-Za-z0-9_\-+/=.~:|"%!*\\]+$`)
	packed   = pattern(`^[A-Za-z0-9+/]{24,}={0,2}$`) // one in 64 begins as a path does
	hasDigit = pattern(`\d`)
	hasAlpha = pattern(`[A-Za-z]`)
	jwt      = pattern(`^eyJ[\w-]+\.[\w-]+\.[\w-]*$`)
)

// opaque says whether a value is one that a machine made: nobody types it, and
// nobody has it by chance.
func opaque(s string) bool {
	switch {
	case len(s) < 8 || len(s) > 16<<10 || date().MatchString(s) || !tokenish().MatchString(s):
		return false
	case uuid().MatchString(s) || jwt().MatchString(s):
		return true
	case strings.HasPrefix(s, "/") && !(packed().MatchString(s) && hasDigit().MatchString(s) && mixed(s)) || strings.Contains(s, "://"):
		return false
	case !hasDigit().MatchString(s):
		return len(s) >= 20 && hasAlpha().MatchString(s) && mixed(s)
	case !hasAlpha().MatchString(s):
		return len(s) >= 12
	}
	digits := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			digits++
		}
	}
	return len(s) >= 16 || digits >= 2
}

// mixed says whether letters change case as no word does.
func mixed(s string) bool {
	changes := 0
	for i := 1; i < len(s); i++ {
		if a, b := s[i-1], s[i]; a >= 'a' && a <= 'z' && b >= 'A' && b <= 'Z' {
			changes++
		}
	}
	return changes >= 3
}
