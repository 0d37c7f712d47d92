package apitest

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"rove/internal/outlet"
)

var (
	password = pattern(`(?i)passw|passphrase|^pass$|^pwd$|^pin$|client[-_]?secret|^otp$`)
	userName = pattern(`(?i)^(user|username|user[-_]?name|email|e[-_]?mail|login|name|account|client[-_]?id|identifier)$`)
)

// isPassword says whether a place has a password: by its name, or by what it was typed into,
// whatever the application calls it.
func (c *Call) isPassword(s slot) bool {
	return s.kind != "path" && (password().MatchString(s.name) || c.hidden[s.name] && (s.kind == "field" || s.kind == "json"))
}

// hides has the call know names of fields whose values nobody was to see.
func (c *Call) hides(names ...string) {
	for _, name := range names {
		if c.hidden == nil {
			c.hidden = map[string]bool{}
		}
		c.hidden[name] = true
	}
}

// hideTyped finds the fields of forms that hide what is typed into them: what is sent to
// where the form goes has a password under that name.
func hideTyped(calls []*Call) {
	for _, page := range calls {
		if !strings.Contains(page.Answer.Type, "html") || !strings.Contains(page.Answer.Text, "password") {
			continue
		}
		action := ""
		z := html.NewTokenizer(strings.NewReader(page.Answer.Text))
		for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
			if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
				continue
			}
			t := z.Token()
			of := map[string]string{}
			for _, a := range t.Attr {
				of[a.Key] = a.Val
			}
			switch {
			case t.Data == "form":
				action = page.pathOf(of["action"])
			case t.Data == "input" && strings.EqualFold(of["type"], "password") && of["name"] != "":
				for _, c := range calls {
					if c.writes() && c.Origin == page.Origin && c.pathOf("") == action {
						c.hides(of["name"])
					}
				}
			}
		}
	}
}

// pathOf is the path of an address as a call's page has it; that of the call itself for "".
func (c *Call) pathOf(address string) string {
	var own []string
	for _, s := range c.Path {
		own = append(own, s.plain())
	}
	base := &url.URL{Path: "/" + strings.Join(own, "/")}
	if u, err := base.Parse(address); err == nil {
		return u.Path
	}
	return ""
}

// keepSecrets makes variables of the config of what is sent and is a secret, and
// learns every secret of the recordings, so that no text has it.
func (d *deriver) keepSecrets() {
	for _, c := range d.calls {
		signing := slices.ContainsFunc(c.slots(), func(s slot) bool { return c.isPassword(s) })
		for _, s := range c.slots() {
			d.hide(c, s, signing)
		}
	}
	for _, c := range d.calls {
		for _, one := range append(append([]*Call{c}, c.folded...), c.twins...) {
			if one != nil {
				d.learn(one)
			}
		}
		for _, v := range c.Finds {
			if outlet.Secretive(v.Name) || outlet.Secretive(v.Source.Name) || v.Source.Kind == "cookie" || jwt().MatchString(v.Value) {
				v.Secret = true
			}
			if v.Secret {
				d.secret(v.Name, v.Value)
			}
		}
	}
	for name, value := range d.o.Secrets {
		d.secrets[name] = value
	}
}

func (d *deriver) hide(c *Call, s slot, signing bool) {
	if s.kind == "path" || s.kind == "text" || len(*s.text) == 0 || s.node != nil && s.node.Kind == 'l' {
		return
	}
	last := &(*s.text)[len(*s.text)-1]
	if last.Var != nil {
		last.Var.Secret = last.Var.Secret || s.kind == "header" && strings.EqualFold(s.name, "Authorization") || outlet.Secretive(s.name) && s.kind != "query"
		return
	}
	value, name := last.Lit, s.name
	prefix := scheme().FindString(value)
	given := d.givenSecret(value)
	switch {
	case value == "":
		return
	case given != "":
		name = given
	case strings.Contains(value, outlet.Mask):
	case c.isPassword(s):
		if !password().MatchString(name) {
			name = "password" // "p" says nothing to who has to give it
		}
	case s.kind == "header" && strings.EqualFold(name, "Authorization"):
		name = strings.ToLower(strings.TrimSpace(prefix)) + "Token"
		if strings.EqualFold(strings.TrimSpace(prefix), "basic") {
			name = "basicAuth"
		}
	case s.kind == "cookie" && opaque(value), s.kind != "cookie" && outlet.Secretive(name) && !(s.kind == "query" && !opaque(value)):
	case signing && userName().MatchString(name):
		d.configured(s, "", name, value, false)
		return
	default:
		return
	}
	if s.kind != "header" || given != "" {
		prefix = ""
	}
	d.configured(s, prefix, name, strings.TrimPrefix(value, prefix), true)
}

// givenSecret is the name of a secret that was given with its value.
func (d *deriver) givenSecret(value string) string {
	best := ""
	for name, secret := range d.o.Secrets {
		if secret != "" && secret == value && (best == "" || name < best) {
			best = name
		}
	}
	return best
}

// configured makes a place read its value from the config.
func (d *deriver) configured(s slot, prefix, name, value string, secret bool) {
	key := value
	if strings.Contains(value, outlet.Mask) {
		key = name + value // masks look alike
	}
	v := d.config[key]
	if v == nil {
		v = &Variable{Name: d.unique(name), Value: value, Secret: secret, Number: s.node != nil && s.node.Kind == 'n'}
		if !secret {
			v.Default = value
		}
		d.config[key] = v
		d.suite.Config = append(d.suite.Config, v)
	}
	v.Secret = v.Secret || secret
	*s.text = nil
	if prefix != "" {
		*s.text = literal(prefix)
	}
	*s.text = append(*s.text, Part{Var: v})
}

func (d *deriver) secret(name, value string) {
	if value == "" || strings.Contains(value, outlet.Mask) {
		return
	}
	d.secrets[name+" "+value] = value
}

// learn takes the secrets of a call: what was sent and answered under such names,
// cookies, credentials, tokens that tell by their form.
func (d *deriver) learn(c *Call) {
	for _, s := range c.slots() {
		value := s.text.plain()
		if prefix := scheme().FindString(value); prefix != "" && s.kind == "header" {
			value = value[len(prefix):]
			if strings.EqualFold(strings.TrimSpace(prefix), "basic") {
				if raw, err := base64.StdEncoding.DecodeString(value); err == nil {
					_, pass, _ := strings.Cut(string(raw), ":")
					d.secret(s.name, pass)
				}
			}
			d.secret(s.name, value)
		}
		if s.kind != "path" && (outlet.Secretive(s.name) && (s.node == nil || s.node.Kind != 'l') || jwt().MatchString(value)) || c.isPassword(s) {
			d.secret(s.name, value)
		}
	}
	for name, value := range c.sent {
		if opaque(value) || outlet.Secretive(name) && len(value) > 3 {
			d.secret(name, value)
		}
	}
	for name, value := range c.Answer.Cookies {
		if opaque(value) || outlet.Secretive(name) && len(value) > 3 {
			d.secret(name, value)
		}
	}
	words := c.words()
	for _, f := range c.sources() {
		named := outlet.Secretive(f.key) && f.source.Kind != "cookie" && !f.number && !(words && f.source.Kind == "json")
		if f.source.Kind == "json" || f.source.Kind == "header" {
			named = named && (opaque(f.value) || password().MatchString(f.key) || len(f.value) >= 12)
		}
		if named || jwt().MatchString(f.value) {
			d.secret(f.key, f.value)
		}
	}
}

// words says that an answer is a file of words, such as a translation: a passphrase is
// what a field is called there.
func (c *Call) words() bool {
	if !c.Answer.IsJSON {
		return false
	}
	n, phrases, other := 0, 0, false
	leaves(c.Answer.JSON, nil, func(l leaf) {
		text, ok := l.value.(string)
		other = other || !ok || opaque(text)
		if n++; strings.Contains(text, " ") {
			phrases++
		}
	})
	return !other && n >= 20 && phrases*4 >= n
}

// outlet is what every text passes before it is handed over. What stands in the
// paths of the API is no secret, whatever else has that value; nor is what a field is
// called: grant_type=password, or {"password": "Password"} in a file of words.
func (d *deriver) outlet() *outlet.Outlet { return outlet.New(d.hidden()) }

// hidden are the secrets that no text may have, by name.
func (d *deriver) hidden() map[string]string {
	public, named := map[string]bool{}, map[string]bool{}
	for _, c := range d.calls {
		for _, s := range c.slots() {
			named[strings.ToLower(s.name)] = true
		}
		for _, f := range c.sources() {
			named[strings.ToLower(f.key)] = true
		}
		for _, s := range c.Path {
			for _, p := range s {
				public[p.Lit] = true
			}
		}
	}
	all := map[string]string{}
	for name, value := range d.secrets {
		if named[strings.ToLower(value)] {
			continue
		}
		if !public[value] && !plainWord().MatchString(value) || len(value) >= 6 && !public[value] {
			all[name] = value
		}
	}
	return all
}
