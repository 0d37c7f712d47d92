package proposal

import (
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"

	"rove/internal/strict"
)

// Policy is a rule that no proposal can change: whoever runs proposals sets it,
// not whoever writes them. What it forbids is rejected.
type Policy struct {
	Name string     `json:"name,omitempty"` // said when it forbids something
	Rule PolicyRule `json:"rule"`
	// Target is the tool it is about; a * stands for any characters. "" is every
	// tool, where the rule is not DenyTool.
	Target string `json:"target,omitempty"`
	// Key is the parameter, or the key of the state.
	Key string `json:"key,omitempty"`
	// Pattern is a regular expression that the parameter must not match, neither
	// its value nor any in it; "" forbids the parameter altogether.
	Pattern string `json:"pattern,omitempty"`
	// Value is what the key of the state must equal; nil: it must be there.
	Value any `json:"value,omitempty"`
}

// PolicyRule is what a policy forbids.
type PolicyRule string

const (
	DenyTool      PolicyRule = "deny_tool"       // the tools of Target
	DenyToolParam PolicyRule = "deny_tool_param" // … with a parameter Key that matches Pattern
	RequireState  PolicyRule = "require_state"   // … unless the state has Key
)

var rules = []PolicyRule{DenyTool, DenyToolParam, RequireState}

// policyText is what a policy is held to.
var policyText = strict.Text{Name: "the policy", Deepest: 64}

// UnmarshalJSON reads a policy and refuses what it does not know: a rule that is
// misspelt must not be a rule that is not there.
func (p *Policy) UnmarshalJSON(raw []byte) error {
	if err := policyText.Check(raw); err != nil {
		return err
	}
	*p = Policy{}
	return object(policyText.Path(), raw, []field{
		{"name", into(&p.Name)},
		{"rule", word(&p.Rule, rules)},
		{"target", into(&p.Target)},
		{"key", into(&p.Key)},
		{"pattern", into(&p.Pattern)},
		{"value", into(&p.Value)},
	})
}

// rule is a policy that was checked.
type rule struct {
	Policy
	pattern *regexp.Regexp
}

func newRule(p Policy) (*rule, error) {
	r := &rule{Policy: p}
	name := p.Name
	if name == "" {
		name = string(p.Rule)
	}
	if !slices.Contains(rules, p.Rule) {
		return nil, fmt.Errorf("policy %s: rule %q: it is one of %s", name, p.Rule, words(rules))
	}
	if _, err := path.Match(p.Target, ""); err != nil {
		return nil, fmt.Errorf("policy %s: target %q: %w", name, p.Target, err)
	}
	switch {
	case p.Rule == DenyTool && p.Target == "":
		return nil, fmt.Errorf("policy %s: target is missing: which tool? * is all", name)
	case p.Rule == DenyTool && p.Key != "":
		return nil, fmt.Errorf("policy %s: deny_tool takes no key; deny_tool_param does", name)
	case p.Rule != DenyTool && p.Key == "":
		return nil, fmt.Errorf("policy %s: key is missing", name)
	case p.Rule != DenyToolParam && p.Pattern != "":
		return nil, fmt.Errorf("policy %s: only deny_tool_param takes a pattern", name)
	case p.Rule != RequireState && p.Value != nil:
		return nil, fmt.Errorf("policy %s: only require_state takes a value", name)
	}
	var err error
	if r.pattern, err = regexp.Compile(p.Pattern); err != nil {
		return nil, fmt.Errorf("policy %s: pattern: %w", name, err)
	}
	if r.Value, err = plain(p.Value); err != nil {
		return nil, fmt.Errorf("policy %s: value: %w", name, err)
	}
	r.Name = name
	return r, nil
}

func (r *rule) about(tool string) bool {
	if r.Target == "" {
		return true
	}
	ok, err := path.Match(r.Target, tool)
	return ok && err == nil
}

// forbids says why a call may not be made at all.
func (r *rule) forbids(tool string, params map[string]any) error {
	if !r.about(tool) {
		return nil
	}
	switch r.Rule {
	case DenyTool:
		return fmt.Errorf("policy %s: %s is not allowed", r.Name, tool)
	case DenyToolParam:
		if v, ok := params[r.Key]; ok && r.matches(v) {
			return fmt.Errorf("policy %s: %s is not allowed with this %s", r.Name, tool, r.Key)
		}
	}
	return nil
}

// matches looks at a value, at its JSON, and at all values in it, so that a
// pattern can't be got round by putting a text into a list.
func (r *rule) matches(v any) bool {
	switch v := v.(type) {
	case string:
		return r.pattern.MatchString(v)
	case []any:
		if slices.ContainsFunc(v, r.matches) {
			return true
		}
	case map[string]any:
		for k, item := range v {
			if r.matches(k) || r.matches(item) {
				return true
			}
		}
	}
	text, err := json.Marshal(v)
	return err == nil && r.pattern.Match(text)
}

// blockedByState says why a call may not be made as the state is.
func (r *rule) blockedByState(tool string, get func(string) (any, bool)) error {
	if r.Rule != RequireState || !r.about(tool) {
		return nil
	}
	v, there := get(r.Key)
	switch {
	case !there:
		return fmt.Errorf("policy %s: %s needs %q in the state", r.Name, tool, r.Key)
	case r.Value != nil && !reflect.DeepEqual(v, r.Value):
		return fmt.Errorf("policy %s: %s needs %q to be %s, and it is %s", r.Name, tool, r.Key, brief(r.Value), brief(v))
	}
	return nil
}
