package driver

import (
	"context"
	"fmt"
	"strings"

	"rove/aria"
	"rove/driver/backend"
)

// Role is the ARIA role of the element a locator finds, by the ARIA and
// HTML-AAM specifications.
func (d *Driver) Role(ctx context.Context, locator string) (string, error) {
	role, _, err := d.Tab().describe(ctx, "role", locator)
	return role, err
}

// Name is the accessible name of the element a locator finds, by the accname
// specification.
func (d *Driver) Name(ctx context.Context, locator string) (string, error) {
	_, name, err := d.Tab().describe(ctx, "name", locator)
	return name, err
}

// describeArg is the argument of the page script's describe.
type describeArg struct {
	CSS string `json:"css,omitempty"`
	Ref int    `json:"ref,omitempty"`
}

func (t *Tab) describe(ctx context.Context, op, locator string) (role, name string, err error) {
	op += " " + locator
	ctx, cancel := bounded(ctx, 0, scriptTimeout)
	defer cancel()
	frame, arg, err := t.resolve(op, locator)
	if err != nil {
		return "", "", err
	}
	results, err := t.tab.Call(ctx, backend.Call{Frame: frame, Func: "describe", Arg: arg})
	if err == nil {
		err = results[0].Err
	}
	if err != nil {
		return "", "", failed(op, err)
	}
	role, name, _ = strings.Cut(results[0].Value, "\t")
	if role != "error" {
		return role, name, nil
	}
	switch name {
	case "stale":
		return "", "", stale(aria.Ref(strings.TrimPrefix(locator, "ref:")))
	case "notfound":
		return "", "", &Error{
			Code: CodeNotFound, Op: op, Message: fmt.Sprintf("element not found: %s on %s", locator, t.URL()),
			Hint: "look to see what is there",
		}
	default:
		return "", "", Invalid(op, "%s", name)
	}
}

// resolve reads a locator: where to look, and for what.
func (t *Tab) resolve(op, locator string) (backend.FrameID, describeArg, error) {
	if locator == "" {
		return "", describeArg{}, Invalid(op, "locator cannot be null or empty")
	}
	if ref, ok := strings.CutPrefix(locator, "ref:"); ok {
		frame, number, err := t.ownerOf(aria.Ref(ref))
		return frame, describeArg{Ref: number}, err
	}
	return "", describeArg{CSS: locator}, nil
}
