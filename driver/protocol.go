package driver

import (
	"context"
	"strings"

	"rove/driver/backend"
)

// Reply is what a browser answered to a command of its own protocol.
type Reply = backend.Reply

// Protocol sends a command of the browser's own protocol to the current tab's page: what
// the driver has no method for, such as Emulation.setGeolocationOverride. What the browser
// refuses is no error but a Reply that says so. A backend whose protocol has no such
// commands refuses with CodeUnsupported.
func (d *Driver) Protocol(ctx context.Context, method string, params map[string]any) (_ *Reply, err error) {
	const op = "cdp" // as scripts call it
	ctx, noted := d.begin(ctx, op, method, "")
	defer func() { err = noted.end(err) }()
	page, ok := d.Tab().tab.(backend.Commander)
	if !ok {
		return nil, &Error{
			Code: CodeUnsupported, Op: op, Message: "the DevTools protocol is not spoken with this browser: it is driven through " + d.Backend(),
			Hint: "use type chrome, or a method of the driver", Err: &backend.Error{Kind: backend.KindUnsupported},
		}
	}
	ctx, cancel := d.within(ctx, scriptWait)
	defer cancel()
	if strings.HasPrefix(method, "Input.") {
		d.Tab().openAll(ctx) // whatever it is, it was asked for
	}
	reply, err := page.Command(ctx, method, params)
	if err != nil {
		return nil, Explain(op+" "+method, err)
	}
	return reply, nil
}
