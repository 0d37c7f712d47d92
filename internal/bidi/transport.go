package bidi

import (
	"bytes"
	"errors"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

// transport makes the errors of BiDi, which are strings beside a message, look as the
// connection expects them: an object. All else has the same form.
type transport struct{ wire.Transport }

func (t transport) Read() ([]byte, error) {
	msg, err := t.Transport.Read()
	if err != nil || !bytes.Contains(msg[:min(len(msg), 40)], []byte(`"error"`)) {
		return msg, err
	}
	var e struct {
		ID      *int64 `json:"id"`
		Type    string `json:"type"`
		Error   string `json:"error"`
		Message string `json:"message"`
	}
	if wire.Unmarshal(msg, &e) != nil || e.Type != "error" {
		return msg, nil
	}
	return wire.Marshal(map[string]any{"id": e.ID, "error": map[string]any{"code": 1, "message": e.Error, "data": e.Message}})
}

// kinds are the errors of BiDi that say what is the matter.
var kinds = map[string]backend.Kind{
	"no such frame": backend.KindNavigated, "no such node": backend.KindNavigated, "no such handle": backend.KindNavigated,
	"no such alert": backend.KindProtocol, "unknown command": backend.KindUnsupported, "unsupported operation": backend.KindUnsupported,
	"no such user context": backend.KindClosed, "invalid session id": backend.KindClosed,
}

// fault gives an error of the connection its kind.
func fault(err error) error {
	var known *backend.Error
	var refused *cdp.Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, cdp.ErrClosed):
		return &backend.Error{Kind: backend.KindClosed, Err: errors.Join(backend.ErrGone, err)}
	case errors.As(err, &refused):
		if kind, ok := kinds[refused.Message]; ok {
			return &backend.Error{Kind: kind, Text: refused.Message, Err: err}
		}
		return &backend.Error{Kind: anypage.ChromiumKind(refused.Data), Err: err}
	}
	return err
}
