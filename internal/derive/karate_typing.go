package derive

import (
	"strings"

	"rove/recording"
)

// typed is a text as the keys that type it: Karate leaves out a line break, and rove's input
// clears the field where the first is no key, as what is typed behind what it holds must not.
func typed(do *recording.Do) string {
	if unseated[do.Who.Type] || do.Value == "" {
		return value(do.Value)
	}
	var keys []string
	if do.Op == "type" && !do.Empty {
		keys = append(keys, "Key.END")
	}
	for i, line := range strings.Split(do.Value, "\n") {
		if i > 0 {
			keys = append(keys, "Key.ENTER")
		}
		if line != "" {
			keys = append(keys, value(line))
		}
	}
	return strings.Join(keys, " + ")
}

// keys are the keys that type a text. One that is made anew for each run may have line
// breaks as well, for which Karate has another key.
func (c *calls) keys(do *recording.Do) string {
	v := typed(do)
	for _, p := range c.flow.Params {
		if strings.Contains(p.Value, "\n") && strings.Contains(do.Value, "{{param:"+p.Name+"}}") {
			return "(" + v + ").replace(/\\n/g, Key.ENTER)"
		}
	}
	return v
}
