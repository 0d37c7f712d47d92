package wire

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// Envelope is a message taken apart, its body left as it came.
//
// An event has a Method and no ID. A reply has an ID; when Failed, its body is
// the error object. A browser that could not read a command at all answers
// with an error without an ID.
type Envelope struct {
	ID      int64
	Method  string
	Session string // "" is the browser itself
	Body    []byte // params of an event, result or error of a reply; part of the message
	Failed  bool
}

// Split takes a message apart. Messages in the form that Chrome writes,
//
//	{"id":1,"result":{…},"sessionId":"…"}
//	{"id":1,"error":{…},"sessionId":"…"}
//	{"method":"…","params":{…},"sessionId":"…"}
//
// are split by skipping over the body without parsing it; all others are
// parsed. The two ways agree on every valid message. Of a body that was
// skipped only the nesting is known to be right: the rest shows when it is
// decoded.
func Split(msg []byte) (Envelope, error) {
	if e, ok := splitFast(msg); ok {
		return e, nil
	}
	return splitSlow(msg)
}

var (
	idHead      = []byte(`{"id":`)
	methodHead  = []byte(`{"method":"`)
	resultHead  = []byte(`,"result":{`)
	errorHead   = []byte(`,"error":{`)
	paramsHead  = []byte(`","params":{`)
	sessionHead = []byte(`,"sessionId":"`)
)

func splitFast(msg []byte) (e Envelope, ok bool) {
	var rest []byte // from the body's opening brace on
	if b, found := bytes.CutPrefix(msg, idHead); found {
		n := 0
		for n < len(b) && '0' <= b[n] && b[n] <= '9' {
			e.ID = e.ID*10 + int64(b[n]-'0')
			if n++; n > 18 { // may not fit
				return e, false
			}
		}
		if n == 0 || b[0] == '0' {
			return e, false
		}
		b = b[n:]
		switch {
		case bytes.HasPrefix(b, resultHead):
			rest = b[len(resultHead)-1:]
		case bytes.HasPrefix(b, errorHead):
			rest = b[len(errorHead)-1:]
			e.Failed = true
		default:
			return e, false
		}
	} else if b, found := bytes.CutPrefix(msg, methodHead); found {
		n := plainPrefix(b)
		if n == 0 || !bytes.HasPrefix(b[n:], paramsHead) {
			return e, false
		}
		e.Method = string(b[:n])
		rest = b[n+len(paramsHead)-1:]
	} else {
		return e, false
	}

	n := skipObject(rest)
	if n < 0 {
		return e, false
	}
	e.Body, rest = rest[:n:n], rest[n:]
	if b, found := bytes.CutPrefix(rest, sessionHead); found {
		n := plainPrefix(b)
		if n == len(b) || b[n] != '"' {
			return e, false
		}
		e.Session = string(b[:n])
		rest = b[n+1:]
	}
	return e, len(rest) == 1 && rest[0] == '}'
}

// plainPrefix counts the leading bytes of b that stand for themselves in a
// JSON string.
func plainPrefix(b []byte) int {
	for i, c := range b {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(b)
}

// skipObject returns the length of the JSON object that b begins with, or -1.
// It looks at nesting and strings only. Strings are most of what browsers
// send, and searching for their end is many times quicker than parsing them.
func skipObject(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			n := skipString(b[i+1:])
			if n < 0 {
				return -1
			}
			i += n
		}
	}
	return -1
}

// skipString returns the length of the rest of a string, its closing quote
// included, or -1.
func skipString(b []byte) int {
	// Most strings are names and short values, over before a search pays.
	for i, c := range b[:min(len(b), 16)] {
		if c == '"' {
			return i + 1
		}
		if c == '\\' {
			break
		}
	}
	for at := 0; ; {
		n := bytes.IndexByte(b[at:], '"')
		if n < 0 {
			return -1
		}
		quote := at + n
		i := quote
		for i > at && b[i-1] == '\\' {
			i--
		}
		at = quote + 1
		if (quote-i)%2 == 0 { // the backslashes before it escape each other
			return at
		}
	}
}

func splitSlow(msg []byte) (Envelope, error) {
	var e Envelope
	var params, result, failure []byte
	err := members(msg, func(name string, value []byte) (err error) {
		if string(value) == "null" && name != "result" {
			return nil
		}
		switch name {
		case "id":
			e.ID, err = strconv.ParseInt(string(value), 10, 64)
			if err != nil || e.ID <= 0 {
				return fmt.Errorf("id %.40q", value)
			}
		case "method":
			err = Unmarshal(value, &e.Method)
		case "sessionId":
			err = Unmarshal(value, &e.Session)
		case "params":
			params = value
		case "result":
			result = value
		case "error":
			failure = value
		}
		return err
	})
	switch {
	case err != nil:
	case e.ID != 0 && e.Method != "":
		err = errors.New("a command, not a reply or an event")
	case failure != nil && e.Method == "":
		e.Body, e.Failed = failure, true
	case e.ID != 0:
		e.Body = result
	case e.Method != "":
		e.Body = params
	default:
		err = errors.New("neither a reply nor an event")
	}
	if err != nil {
		return Envelope{}, fmt.Errorf("wire: malformed message %.80q: %w", msg, err)
	}
	return e, nil
}

// AppendCommand appends a command to dst. Params are anything that encodes as
// a JSON object, or nil.
func AppendCommand(dst []byte, id int64, method string, params any, session string) ([]byte, error) {
	dst = append(dst, idHead...)
	dst = strconv.AppendInt(dst, id, 10)
	dst = append(dst, `,"method":`...)
	dst = appendString(dst, method)
	if params != nil {
		body, err := Marshal(params)
		if err != nil {
			return nil, fmt.Errorf("encode params: %w", err)
		}
		switch {
		case body[0] == '{':
			dst = append(dst, `,"params":`...)
			dst = append(dst, body...)
		case string(body) != "null": // a nil pointer or map
			return nil, fmt.Errorf("encode params: %T does not encode as an object", params)
		}
	}
	if session != "" {
		dst = append(dst, sessionHead[:len(sessionHead)-1]...)
		dst = appendString(dst, session)
	}
	return append(dst, '}'), nil
}
