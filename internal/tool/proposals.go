package tool

import (
	"encoding/json"
	"errors"

	"rove"
	"rove/proposal"
)

// Proposals makes a runtime that has tools for its actions. All run in one session,
// which the door knows: named says what it goes by there, to an action that names one
// itself. Calls of a session take turns, and so do the actions.
func Proposals(tools []*Tool, x proposal.Executor, named string, opts proposal.Options) (*proposal.Runtime, error) {
	opts.InTurn = true
	rt, err := proposal.NewRuntime(x, opts)
	if err != nil {
		return nil, err
	}
	for _, t := range tools {
		schema := proposal.ToolSchema{Name: t.Name, Description: t.Help, Parameters: t.Input(), Idempotent: t.ReadOnly}
		schema.Check = func(params map[string]any) error {
			if _, ok := params["session"]; ok {
				return errors.New("session: a proposal runs in one session, which " + named)
			}
			input, err := json.Marshal(params)
			if err != nil {
				return err
			}
			err = t.Check(input)
			var told *rove.Error
			if errors.As(err, &told) { // whose it is is said already
				return errors.New(told.Message)
			}
			return err
		}
		if err := rt.RegisterToolSchema(schema); err != nil {
			return nil, err
		}
	}
	return rt, nil
}

// Outcome is what a tool answered as the output of an action: its data, or its text
// where it has none, and its pictures in the form that the door gives them; nil is
// none.
func (o Output) Outcome(pictures any) any {
	data := o.Data
	if data == nil {
		if o.Text == "" && len(o.Images) == 0 {
			return nil
		}
		data = map[string]any{"text": o.Text}
	}
	if pictures == nil {
		return data
	}
	var object map[string]any
	if text, err := json.Marshal(data); err != nil || json.Unmarshal(text, &object) != nil || object == nil {
		object = map[string]any{"data": data}
	}
	object["images"] = pictures
	return object
}
