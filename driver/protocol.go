package driver

import (
	"context"
	"errors"

	"rove/cdp"
	"rove/driver/backend"
)

// Reply is what a browser answered to a command of the DevTools protocol: a result, or a
// refusal with its code.
type Reply struct {
	Result  []byte // JSON
	Code    int
	Message string // "" where it was not refused
}

// Protocol sends a command of the DevTools protocol to the current tab's page: what the
// driver has no method for, such as Emulation.setGeolocationOverride. What the browser
// refuses is no error but a Reply that says so. A backend that does not speak that
// protocol refuses with CodeUnsupported.
func (d *Driver) Protocol(ctx context.Context, method string, params map[string]any) (_ *Reply, err error) {
	const op = "cdp"
	ctx, noted := d.begin(ctx, op, method, "")
	defer func() { err = noted.end(err) }()
	_, session := d.Tab().CDP()
	if session == nil {
		return nil, &Error{
			Code: CodeUnsupported, Op: op, Message: "the DevTools protocol is not spoken with this browser: it is driven through " + d.Backend(),
			Hint: "use type chrome, or a method of the driver", Err: &backend.Error{Kind: backend.KindUnsupported},
		}
	}
	ctx, cancel := d.within(ctx, scriptWait)
	defer cancel()
	pending := session.Start(method, params)
	err = pending.Wait(ctx, nil)
	var refused *cdp.Error
	if errors.As(err, &refused) && !errors.Is(err, cdp.ErrSessionGone) {
		return &Reply{Code: refused.Code, Message: refused.Message}, nil
	}
	if err != nil {
		return nil, Explain(op+" "+method, err)
	}
	result, err := pending.Result()
	if err != nil {
		return nil, Explain(op+" "+method, err)
	}
	return &Reply{Result: result}, nil
}
