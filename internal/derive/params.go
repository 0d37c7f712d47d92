package derive

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"rove/internal/outlet"
	"rove/recording"
)

var secretName = pattern(`\{\{\s*secret:([^{}]*)\}\}`)

// params takes out of the flow what does not belong into a file, or is another one
// each day.
func (d *deriver) params() {
	f := d.flow
	have := map[string]bool{}
	add := func(p recording.Param) {
		if !have[p.Name] {
			have[p.Name] = true
			f.Params = append(f.Params, p)
		}
	}
	for i := range f.Steps {
		do := &f.Steps[i]
		do.Value = secretName().ReplaceAllStringFunc(do.Value, func(place string) string {
			name := identifier(secretName().FindStringSubmatch(place)[1])
			add(recording.Param{Name: name, Kind: recording.Secret, Env: name})
			return "{{param:" + name + "}}"
		})
		if do.Value == outlet.Mask {
			name := identifier(cmp.Or(d.from[i].Param, "password"))
			add(recording.Param{Name: name, Kind: recording.Secret, Env: strings.ToUpper(name)})
			do.Value = "{{param:" + name + "}}"
		}
		if at := d.from[i].Time; !at.IsZero() && do.Value == at.Local().Format(time.DateOnly) && (do.Op == "input" || do.Op == "set" || do.Op == "type") {
			add(recording.Param{Name: "today", Kind: recording.Today, Value: do.Value})
			do.Value = "{{param:today}}"
		}
	}
}

var notName = pattern(`[^A-Za-z0-9_]+`)

func identifier(s string) string {
	s = notName().ReplaceAllString(strings.TrimSpace(s), "_")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "p" + s
	}
	return s
}

// Freshen makes values that can be taken only once into parameters: what was typed
// into a field before something was saved. It says whether there were any.
func Freshen(f *recording.Flow) bool {
	last := -1
	for i, do := range f.Steps {
		if do.Saves != nil {
			last = i
		}
	}
	n := 0
	for i := range f.Steps[:last+1] {
		do := &f.Steps[i]
		if do.Op != "input" && do.Op != "type" || do.Who == nil || !fields[do.Who.Role] || do.Who.Type == "number" || len(do.Value) < 3 || recording.ParamPlace.MatchString(do.Value) {
			continue
		}
		if strings.Trim(do.Value, "0123456789 .,:-/") == "" || loginField().MatchString(do.Who.Name) && !later(f, i) {
			continue
		}
		n++
		p := recording.Param{Name: identifier(strings.ToLower(cmp.Or(do.Who.Name, fmt.Sprint("value", n)))), Kind: recording.Fresh, Value: do.Value + " {{now}}"}
		if name, host, ok := strings.Cut(do.Value, "@"); ok && !strings.Contains(do.Value, " ") {
			p.Value = name + "+{{now}}@" + host
		}
		for slices.ContainsFunc(f.Params, func(o recording.Param) bool { return o.Name == p.Name }) {
			p.Name += "_"
		}
		f.Params = append(f.Params, p)
		replaceValue(f, i, do.Value, "{{param:"+p.Name+"}}")
	}
	return n > 0
}

var loginField = pattern(`(?i)user|login|e-?mail`)

// later says that a step comes after a login: what was typed before it has to be as
// it was.
func later(f *recording.Flow, i int) bool {
	for _, do := range f.Steps[i:] {
		if do.Who != nil && do.Who.Secret {
			return false
		}
	}
	return true
}

// replaceValue puts a parameter in the place of a value from a step on.
func replaceValue(f *recording.Flow, from int, value, place string) {
	put := func(s *string) { *s = strings.ReplaceAll(*s, value, place) }
	putPath := func(s *string) {
		put(s)
		*s = strings.ReplaceAll(*s, url.PathEscape(value), place)
	}
	for i := from; i < len(f.Steps); i++ {
		do := &f.Steps[i]
		put(&do.Value)
		if do.Saves != nil {
			q := *do.Saves
			do.Saves, do.Also = &q, slices.Clone(do.Also)
			putPath(&q.URL)
			for n := range do.Also {
				putPath(&do.Also[n].URL)
			}
		}
		for _, list := range [][]recording.Check{do.Checks, do.Spares} {
			for n := range list {
				put(&list[n].Text)
				put(&list[n].Query)
				put(&list[n].With)
			}
		}
		if do.Who != nil && i > from {
			who := *do.Who
			who.Ways = slices.Clone(who.Ways)
			put(&who.Name)
			put(&who.Near)
			for n := range who.Ways {
				put(&who.Ways[n].Query)
			}
			do.Who = &who
		}
	}
}
