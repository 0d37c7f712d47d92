package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"rove"
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
		refuse(w, http.StatusBadRequest, rove.CodeInvalid, "the body %v", err)
		return nil, false
	}
	return body, true
}

// deepest is more than any tool's input nests.
const deepest = 16

// check holds a body to what there is only one way to read: one object, in UTF-8,
// no name twice, no U+0000, nothing but the path to say which session is meant.
func check(body []byte) error {
	if !utf8.Valid(body) {
		return errors.New("is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return errors.New("is not a JSON object")
	}
	if err := object(d, 1); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("has more than one value")
	}
	return nil
}

func object(d *json.Decoder, depth int) error {
	seen := map[string]bool{}
	for d.More() {
		tok, err := d.Token()
		name, ok := tok.(string)
		switch {
		case err != nil || !ok:
			return errors.New("is not JSON")
		case strings.ContainsRune(name, 0):
			return errors.New("has a U+0000 in it")
		case seen[name]:
			return fmt.Errorf("has %.40q twice", name)
		case depth == 1 && name == "session":
			return errors.New("names a session, which the path does already")
		}
		seen[name] = true
		if err := value(d, depth); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return errors.New("is not JSON")
	}
	return nil
}

func value(d *json.Decoder, depth int) error {
	tok, err := d.Token()
	if err != nil {
		return errors.New("is not JSON")
	}
	if depth >= deepest {
		return errors.New("is nested too deep")
	}
	switch v := tok.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			return errors.New("has a U+0000 in it")
		}
	case json.Delim:
		if v == '{' {
			return object(d, depth+1)
		}
		for d.More() {
			if err := value(d, depth+1); err != nil {
				return err
			}
		}
		if _, err := d.Token(); err != nil {
			return errors.New("is not JSON")
		}
	}
	return nil
}
