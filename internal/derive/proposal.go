package derive

import (
	"encoding/json"
	"fmt"
	"strings"

	"rove/recording"
)

type proposed struct {
	ID        string         `json:"id"`
	Source    string         `json:"source"`
	Timestamp string         `json:"timestamp"`
	Context   map[string]any `json:"context"`
	Actions   []proposedCall `json:"actions"`
}

type proposedCall struct {
	ID         string         `json:"id"`
	Tool       string         `json:"tool"`
	Parameters map[string]any `json:"parameters"`
	Metadata   map[string]any `json:"metadata,omitempty"`
}

// writeProposal writes the flow as calls of rove's own tools. Secrets are there by
// their names, as rove types them.
func writeProposal(f *recording.Flow) (string, error) {
	p := proposed{
		ID: strings.ToLower(strings.ReplaceAll(title(f), " ", "-")), Source: "rove derive", Timestamp: "2026-01-01T00:00:00Z",
		Context: map[string]any{"goal": title(f), "verdict": f.Proof.String()},
	}
	if f.Proof != nil && len(f.Proof.Dropped) > 0 {
		p.Context["dropped"] = f.Proof.Dropped
	}
	fill := func(text string) string {
		return recording.ParamPlace.ReplaceAllStringFunc(text, func(place string) string {
			name := recording.ParamPlace.FindStringSubmatch(place)[1]
			for _, o := range f.Params {
				switch {
				case o.Name != name:
				case o.Kind == recording.Fresh:
					before, after := freshParts(o)
					return strings.TrimRight(before, "+ ") + after
				case o.Kind == recording.Today: // that of the recording: a proposal reckons nothing
					return o.Value
				}
			}
			return "{{secret:" + name + "}}"
		})
	}
	add := func(tool, id string, parameters map[string]any, meta string) {
		c := proposedCall{ID: id, Tool: tool, Parameters: parameters}
		if meta != "" {
			c.Metadata = map[string]any{"about": meta}
		}
		p.Actions = append(p.Actions, c)
	}
	for i := range f.Steps {
		do := &f.Steps[i]
		id := fmt.Sprintf("step_%d", i+1)
		step := map[string]any{"ref": "_page", "op": do.Op}
		if do.Value != "" || do.Op == "input" {
			step["value"] = fill(do.Value)
		}
		about := ""
		switch {
		case do.Op == "go":
			to := fill(do.Value)
			if strings.HasPrefix(to, "/") {
				to = f.Base + to
			}
			add("go", id, map[string]any{"url": to}, "")
		case do.Op == "script":
			add("eval", id, map[string]any{"js": fill(do.Value)}, "")
		default:
			if do.Who != nil {
				step["ref"] = fill(query(do.Who))
				about = strings.TrimSpace(do.Who.Role + " " + fill(do.Who.Name))
				there := fill(query(do.Who))
				if there != "" && !strings.ContainsAny(there[:1], "/({#[") { // CSS that a wait would take for a script
					there = "document.querySelector(" + jsonText(there) + ") != null"
				}
				add("wait", id+"_there", map[string]any{"for": there, "timeout": 10000}, "")
				if len(do.Who.Frame) > 0 {
					p.Actions = p.Actions[:len(p.Actions)-1] // a wait looks at the page itself
				}
			}
			add("act", id, step, about)
		}
		for n, c := range do.Checks {
			cond := ""
			switch c.Kind {
			case "url":
				cond = "url:" + fill(c.Text)
			case "text":
				cond = "text:" + fill(c.Text)
				// What stands by itself is looked for so: a message may say it, too. A wait looks at the page itself.
				alone := whole[c.Role] || c.Role == "heading" || c.Query == wordForWord(c.Text)
				if c.Role == "place" || c.Query != "" && alone && !c.Frame && len(frameOf(do)) == 0 {
					cond = fill(c.Query)
				}
			case "gone":
				cond = "gone:" + fill(c.Text)
				if whole[c.Role] { // a message may still name it
					cond = "!" + fill(c.Query)
				}
				if c.With != "" {
					add("wait", fmt.Sprintf("%s_check_%d_there", id, n+1), map[string]any{"for": fill(c.With), "timeout": 10000}, "")
				}
			case "value":
				cond = "true && " + recording.Held(fill(c.Query)) + " == " + jsonText(fill(c.Text))
			case "kept", "unkept":
				cond = "true && " + recording.Kept(c.Kind, fill(c.Query), fill(c.Text))
			case "title":
				cond = "document.title == " + jsonText(fill(c.Text))
			default:
				continue
			}
			add("wait", fmt.Sprintf("%s_check_%d", id, n+1), map[string]any{"for": cond, "timeout": 10000}, c.String())
		}
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(p)
	return b.String(), err
}
