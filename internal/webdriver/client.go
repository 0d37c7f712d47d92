package webdriver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"rove/driver/backend"
	"rove/internal/wire"
)

// Remote is what listens for WebDriver commands: a driver, or a grid of them.
type Remote struct {
	base   *url.URL
	client *http.Client
}

// NewRemote is the one at an address; a name and password in it go along with every
// command.
func NewRemote(base *url.URL) *Remote {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 10 * time.Second, MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second}
	return &Remote{base: base, client: &http.Client{Transport: transport}}
}

// Refusal is a command that was refused: the error and message of the protocol.
type Refusal struct{ Code, Message string }

func (r *Refusal) Error() string { return r.Code + ": " + r.Message }

// NotWebDriver is an answer that is none of the protocol's.
type NotWebDriver struct {
	Status     string
	StatusCode int
}

func (e *NotWebDriver) Error() string { return "it answers " + e.Status }

// maxAnswer bounds an answer: a picture of a long page, and then some.
const maxAnswer = 512 << 20

// Do sends a command and decodes the value of its answer.
func (r *Remote) Do(ctx context.Context, method, path string, body, out any) error {
	at := *r.base
	at.User = nil
	var text []byte
	if method == http.MethodPost && body == nil {
		body = object{} // a POST without a body is refused
	}
	if body != nil {
		var err error
		if text, err = wire.Marshal(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(at.String(), "/")+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	if u := r.base.User; u != nil {
		password, _ := u.Password()
		req.SetBasicAuth(u.Username(), password)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	defer resp.Body.Close()
	if text, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer)); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("the answer broke off: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		var answer struct {
			Value struct {
				Error   string `json:"error"`
				Message string `json:"message"`
			} `json:"value"`
		}
		if resp.StatusCode == http.StatusUnauthorized || wire.Unmarshal(text, &answer) != nil || answer.Value.Error == "" {
			return &NotWebDriver{resp.Status, resp.StatusCode}
		}
		return &Refusal{answer.Value.Error, reason(answer.Value.Error, answer.Value.Message)}
	}
	if out == nil {
		return nil
	}
	value := struct {
		Value any `json:"value"`
	}{out}
	if err := wire.Unmarshal(text, &value); err != nil {
		return &NotWebDriver{"what cannot be read: " + err.Error(), resp.StatusCode}
	}
	return nil
}

// reason is the first line of a message, or the second, where the first has but the name of
// the error: chromedriver says there what it came from.
func reason(name, message string) string {
	first, rest, _ := strings.Cut(message, "\n")
	if first != name || rest == "" {
		return first
	}
	second, _, _ := strings.Cut(rest, "\n")
	return strings.TrimPrefix(second, "from unknown error: ")
}

// Close forgets connections that are kept.
func (r *Remote) Close() { r.client.CloseIdleConnections() }

type object = map[string]any

// kinds are the errors of the protocol that say what is the matter.
var kinds = map[string]backend.Kind{
	"invalid session id": backend.KindClosed, "no such window": backend.KindClosed,
	"no such frame": backend.KindNavigated, "stale element reference": backend.KindNavigated, "no such element": backend.KindNavigated,
	"no such shadow root": backend.KindNavigated, "detached shadow root": backend.KindNavigated,
	"javascript error": backend.KindScript,
	"unknown command":  backend.KindUnsupported, "unknown method": backend.KindUnsupported, "unsupported operation": backend.KindUnsupported,
}

// fault gives an error of the client its kind.
func fault(err error) error {
	var known *backend.Error
	var refused *Refusal
	switch {
	case err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &refused):
		if kind, ok := kinds[refused.Code]; ok {
			return &backend.Error{Kind: kind, Text: refused.Message, Err: err}
		}
		return &backend.Error{Kind: backend.KindProtocol, Err: err}
	}
	// The driver itself does not answer.
	return &backend.Error{Kind: backend.KindClosed, Err: errors.Join(backend.ErrGone, err)}
}
