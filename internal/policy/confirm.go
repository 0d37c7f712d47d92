package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Confirm are operations that a person has to agree to before they are done.
//
//	upload                   every upload
//	click:Buy                a click on what has Buy in its name
//	click:/^(buy|pay)\b/i    … or a name that matches
//	*@bank.example           everything that changes something on an origin
//	click:Delete@*.example   both
//
// A rule for click stands for every way to set an element off: a press at its place
// by whatever operation, a key that it answers to, an option that is chosen.
type Confirm []rule

type rule struct {
	text   string
	op     string   // "*" is all that changes something
	names  []string // its readings as they are compared; nil is any
	match  *regexp.Regexp
	origin *pattern
}

// Operation is what is about to be done.
type Operation struct {
	Op    string
	Name  string // of the element
	Words string // what a person may know it by beside its name, a line each
	Known bool   // whether the name is; one that is not may be any
	URL   string // of the document; for go, of the page to come
	Sets  bool   // the element is set off by it
	Asked bool   // the operation itself was asked about: what is left is what it sets off
}

// ParseConfirm reads rules. ops are the operations that there are.
func ParseConfirm(list, ops []string) (Confirm, error) {
	var rules Confirm
	for _, text := range list {
		r, err := parseRule(strings.TrimSpace(text), ops)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func parseRule(text string, ops []string) (rule, error) {
	r := rule{text: text}
	rest := text
	// The part after the last @ is an origin; a name with an @ in it is written as
	// a regular expression, which ends with its slash and letters.
	if i := strings.LastIndexByte(rest, '@'); i >= 0 && !strings.Contains(rest[i:], "/") || i >= 0 && strings.Contains(rest[i:], "://") {
		origin, err := parse(rest[i+1:])
		if err != nil {
			return r, fmt.Errorf("confirm %q: %w", text, err)
		}
		if origin.port == 0 {
			origin.port = -1
		}
		r.origin, rest = &origin, rest[:i]
	}
	var name string
	r.op, name, _ = strings.Cut(rest, ":")
	if r.op != "*" && !slices.Contains(ops, r.op) {
		return r, fmt.Errorf("confirm %q: there is no operation %q; write OPERATION[:NAME][@ORIGIN], such as upload, click:Buy or *@bank.example; there are %s", text, r.op, strings.Join(ops, ", "))
	}
	if expression, ok := strings.CutPrefix(name, "/"); ok {
		end := strings.LastIndexByte(expression, '/')
		if end < 0 || strings.Trim(expression[end+1:], "i") != "" {
			return r, fmt.Errorf("confirm %q: a regular expression is written as /…/ or /…/i", text)
		}
		flags := ""
		if expression[end+1:] != "" {
			flags = "(?i)"
		}
		var err error
		if r.match, err = regexp.Compile(flags + expression[:end]); err != nil {
			return r, fmt.Errorf("confirm %q: %w", text, err)
		}
		return r, nil
	}
	if seen(name) != "" {
		r.names = compared(inLetters(name))
	}
	return r, nil
}

// harmless operations change nothing on a page.
var harmless = []string{"hover", "focus", "scroll", "mark", "text", "attribute", "screenshot", "history", "assert", "viewport"}

// Asks gives the rule that an operation falls under, or "".
func (c Confirm) Asks(o Operation) string {
	for _, r := range c {
		if r.matches(o) {
			return r.text
		}
	}
	return ""
}

// Concerns says whether there is a rule for an operation, on whatever.
func (c Confirm) Concerns(o Operation) bool {
	return slices.ContainsFunc(c, func(r rule) bool { return r.operation(o) })
}

// Guards says whether there is a rule about coming to some site.
func (c Confirm) Guards() bool { return slices.ContainsFunc(c, rule.guards) }

// Enters gives the rule that coming to a page falls under, whatever leads there, or
// "": that of an operation go, or of all, on its origin. A go without an origin is about
// the operation alone.
func (c Confirm) Enters(url string) string {
	return slices.DeleteFunc(slices.Clone(c), func(r rule) bool { return !r.guards() }).Asks(Operation{Op: "go", Known: true, URL: url})
}

func (r rule) guards() bool { return r.origin != nil && (r.op == "go" || r.op == "*") }

func (r rule) matches(o Operation) bool {
	if !r.operation(o) {
		return false
	}
	if r.origin != nil {
		a, err := split(o.URL)
		if err != nil || network[a.scheme] == 0 || !r.origin.matches(a.origin) {
			return false
		}
	}
	switch {
	case !o.Known:
		return true // it may be the one
	}
	if r.called(o.Name) {
		return true
	}
	for words := range strings.SplitSeq(o.Words, "\n") {
		if words != "" && r.called(words) {
			return true
		}
	}
	return false
}

// called says whether the rule is for what has a name.
func (r rule) called(name string) bool {
	all := readings(name)
	if r.match != nil {
		return r.match.MatchString(name) || slices.ContainsFunc(all, func(s string) bool {
			return r.match.MatchString(s) || r.match.MatchString(joined(s)) || r.match.MatchString(leet.Replace(s))
		})
	}
	for i, whole := range compared(all) {
		if r.names != nil && (strings.Contains(whole, r.names[i%kinds]) || spread(whole, r.names[i%kinds])) {
			return true
		}
	}
	return r.names == nil
}

func (r rule) operation(o Operation) bool {
	switch {
	case r.op == "click" && o.Sets:
		return true
	case o.Asked:
		return false
	case r.op == "*":
		return !slices.Contains(harmless, o.Op)
	}
	return r.op == o.Op
}
