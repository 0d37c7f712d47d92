package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Pages hold half surrogate pairs and broken text, and they must come through
// (as U+FFFD) instead of failing the whole reply. Objects come from a browser's
// serializer, which does not repeat names, so looking for repeats is wasted.
var (
	decoding = json.JoinOptions(
		jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true),
	)
	encoding = json.JoinOptions(
		jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true),
		json.Deterministic(true),
	)
)

// Marshal encodes v as JSON.
func Marshal(v any) ([]byte, error) { return json.Marshal(v, encoding) }

// Unmarshal decodes the JSON value b into v.
func Unmarshal(b []byte, v any) error { return json.Unmarshal(b, v, decoding) }

// members calls each for every member of the JSON object in msg, in order. The
// value is a part of msg. Everything is checked: syntax, one object and no
// more, no name twice in the outer object.
func members(msg []byte, each func(name string, value []byte) error) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(msg), decoding)
	open, err := d.ReadToken()
	if err != nil {
		return plain(err)
	}
	if open.Kind() != '{' {
		return errors.New("not an object")
	}
	seen := make(map[string]bool, 4)
	for d.PeekKind() != '}' {
		tok, err := d.ReadToken()
		if err != nil {
			return plain(err)
		}
		name := tok.String()
		if seen[name] {
			return fmt.Errorf("%q occurs twice", name)
		}
		seen[name] = true
		value, err := d.ReadValue()
		if err != nil {
			return plain(err)
		}
		end := int(d.InputOffset())
		if err := each(name, msg[end-len(value):end:end]); err != nil {
			return err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return plain(err)
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}

// plain turns the end of input into what it means here.
func plain(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("cut off")
	}
	return err
}

// appendString appends s as a JSON string.
func appendString(dst []byte, s string) []byte {
	// Text that is not UTF-8 is replaced and reported; replaced is enough.
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}
