package httpapi

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"time"

	"rove"
	"rove/internal/strict"
)

// readInput reads the JSON object of a request, or answers what is wrong with it.
func (s *Server) readInput(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	tooLarge := func() ([]byte, bool) {
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusRequestEntityTooLarge, rove.CodeInvalid, "the body is longer than %d bytes", mostBody)
		return nil, false
	}
	if r.ContentLength > mostBody {
		return tooLarge()
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(s.bodyTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	_ = control.SetReadDeadline(time.Time{})
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusRequestTimeout, rove.CodeTimeout, "the body did not come within %v", s.bodyTime)
		return nil, false
	case err != nil:
		refuse(w, http.StatusBadRequest, rove.CodeInvalid, "the body was cut off")
		return nil, false
	}
	if body = bytes.TrimSpace(body); len(body) == 0 {
		body = []byte("{}")
	}
	if err := check(body); err != nil {
		refuse(w, http.StatusBadRequest, rove.CodeInvalid, "%v", err)
		return nil, false
	}
	return body, true
}

// bodyText is what a body is held to. No input nests nearly as deep.
var bodyText = strict.Text{Name: "the body", Deepest: 16, NoNUL: true}

// check holds a body to what there is only one way to read: one object, no U+0000,
// nothing but the path to say which session is meant.
func check(body []byte) error {
	if err := bodyText.Check(body); err != nil {
		return err
	}
	members, ok := strict.Members(body)
	if !ok {
		return errors.New("the body is not a JSON object")
	}
	if slices.ContainsFunc(members, func(m strict.Member) bool { return m.Name == "session" }) {
		return errors.New("the body names a session, which the path does already")
	}
	return nil
}
