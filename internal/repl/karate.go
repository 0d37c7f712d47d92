package repl

import (
	"context"
	"strings"

	"rove/feature"
	"rove/internal/tool"
)

// isKarate says whether a line is for Karate: a step with its star, or a script
// that begins with karate.
func isKarate(line string) bool {
	return strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "karate.") || line == "karate"
}

// karate runs a line as a step of a feature: with the config of this folder, and
// a driver of its own.
func (r *repl) karate(ctx context.Context, line string) (tool.Output, error) {
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
