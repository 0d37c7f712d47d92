package chrome

import (
	"context"
	"errors"

	"rove/cdp"
	"rove/driver/backend"
)

var (
	_ backend.Raw       = (*Tab)(nil)
	_ backend.Commander = (*Tab)(nil)
)

// Raw is the protocol itself; see cdp.Of.
func (t *Tab) Raw() any { return cdp.Access{Conn: t.browser.conn, Session: t.session} }

// Command sends a command to the page. What the browser refuses is a reply, too.
func (t *Tab) Command(ctx context.Context, method string, params map[string]any) (*backend.Reply, error) {
	pending := t.session.Start(method, params)
	err := pending.Wait(ctx, nil)
	if refused, ok := errors.AsType[*cdp.Error](err); ok && !errors.Is(err, cdp.ErrSessionGone) {
		return &backend.Reply{Code: refused.Code, Message: refused.Message}, nil
	}
	if err != nil {
		return nil, fault(err)
	}
	result, err := pending.Result()
	if err != nil {
		return nil, fault(err)
	}
	return &backend.Reply{Result: result}, nil
}
