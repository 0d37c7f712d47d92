package repl

import (
	"context"
	"strings"

	"rove"
	"rove/feature"
	"rove/internal/tool"
)

// isKarate says whether a line is for Karate: a step with its star, or a script
// that begins with karate.
func isKarate(line string) bool {
	return strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "karate.") || line == "karate"
}

// karate runs a line as a step of a feature: with the config of this folder, and
// a driver, requests and files of its own, which no session's bounds hold. Where there
// are any, none is run.
func (r *repl) karate(ctx context.Context, line string) (tool.Output, error) {
	if o := &r.opts.Browser; len(o.Allow)+len(o.Block)+len(o.Caps)+len(o.Confirm) > 0 || o.Uploads != nil {
		return tool.Output{}, &rove.Error{
			Code: rove.CodePolicy, Op: "karate", Message: "a step of Karate has a driver, requests and files of its own, which --allow, --block, --caps, --confirm and --uploads do not hold",
			Hint: "use the verbs here; features are run by rove run, or in a repl without these flags",
		}
	}
	if r.console == nil {
		c, err := feature.NewConsole(ctx, feature.Options{})
		if err != nil {
			return tool.Output{}, err
		}
		r.console = c
	}
	text, err := r.console.Eval(ctx, line)
	return tool.Output{Text: text}, err
}
