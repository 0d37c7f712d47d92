package tool

import (
	"encoding/json"
	"errors"
	"slices"

	"rove"
	"rove/internal/policy"
)

// toolRule is what a tool owes to the rules of its session beside what the verbs hold
// to by themselves.
type toolRule struct {
	needs string // the capability without which it is nothing
	// op is the operation that somebody may have to agree to, on what its input
	// has in target and value. One with a value is none without it.
	op, target, value string
}

// rulesOfTools are those of the tools that are more than looking. A tool that is not here
// needs nothing to be switched on, and what it does is asked about by the verb it
// is made of: see TestEveryToolKnowsItsRule.
var rulesOfTools = map[string]toolRule{
	"eval": {needs: "eval"},

	"browser_eval":                   {needs: "eval"},
	"browser_take_screenshot":        {needs: "screenshot"},
	"browser_pdf":                    {needs: "pdf", op: "pdf"},
	"browser_upload":                 {needs: "upload"},
	"browser_recent_console_logs":    {needs: "console"},
	"browser_clear_console_logs":     {needs: "console"},
	"browser_network_requests":       {needs: "network"},
	"browser_clear_network_requests": {needs: "network"},
	"browser_set_offline":            {needs: "network", op: "offline"},
	"browser_service_workers":        {needs: "network", op: "worker", target: "scope", value: "action"},
	"browser_pwa_report":             {needs: "network"},
	"derive_api":                     {needs: "network"},
	"read_image":                     {needs: "file"},
}

// Able gives the tools that are of use where some capabilities are switched off.
func Able(tools []*Tool, caps []string) ([]*Tool, error) {
	parsed, err := policy.ParseCaps(caps)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t *Tool) bool { return parsed.Off(rulesOfTools[t.Name].needs) }), nil
}

// allowed refuses a tool that needs what is switched off.
func (t *Tool) allowed(opts rove.Options) error {
	needs := rulesOfTools[t.Name].needs
	if needs == "" {
		return nil
	}
	caps, err := policy.ParseCaps(opts.Caps)
	if err == nil {
		err = caps.Check(needs)
	}
	if r, ok := errors.AsType[*policy.Refusal](err); ok {
		return &rove.Error{Code: rove.CodePolicy, Op: t.Name, Message: r.Reason, Hint: r.Hint, Err: err}
	}
	return err
}

// question is what a session may have to be asked before a tool runs.
type question struct{ op, target, value string }

// question is that of what a tool does which is not made of the verbs; nil where there is
// none.
func (t *Tool) question(input []byte) *question {
	d := rulesOfTools[t.Name]
	if d.op == "" {
		return nil
	}
	var in map[string]any
	_ = json.Unmarshal(input, &in) // it was read before
	target, _ := in[d.target].(string)
	value, _ := in[d.value].(string)
	if d.value != "" && value == "" {
		return nil
	}
	return &question{d.op, target, value}
}
