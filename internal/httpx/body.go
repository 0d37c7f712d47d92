package httpx

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"golang.org/x/net/html/charset"
)

// read takes the whole body, decoded, and no more than the limit.
func (c *Client) read(body io.Reader, length int64, h http.Header) ([]byte, error) {
	limit := c.Config.MaxBody
	if limit <= 0 {
		limit = Defaults().MaxBody
	}
	if length >= 0 && length <= min(limit, known) && h.Get("Content-Encoding") == "" {
		whole := make([]byte, length)
		_, err := io.ReadFull(body, whole)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return whole, err
	}
	if length > limit {
		return nil, tooLarge(limit) // by its own word, so that none of it is read
	}
	r := bufio.NewReader(body)
	if _, err := r.Peek(1); err == io.EOF {
		return []byte{}, nil
	}
	var decoded io.Reader = r
	encodings := strings.Split(strings.ToLower(h.Get("Content-Encoding")), ",")
	for i := len(encodings) - 1; i >= 0; i-- {
		var err error
		switch name := strings.TrimSpace(encodings[i]); name {
		case "", "identity":
			continue
		case "gzip", "x-gzip":
			decoded, err = gzip.NewReader(decoded)
		case "deflate":
			decoded, err = inflate(decoded)
		case "br":
			decoded = brotli.NewReader(decoded)
		default:
			// Bytes that cannot be decoded are given as they are.
			continue
		}
		if err != nil {
			return nil, &Error{Reason: "encoding", Message: fmt.Sprintf("the answer says it is %s, and is not: %v", encodings[i], err), Err: err}
		}
		h.Del("Content-Encoding")
		h.Del("Content-Length")
	}
	whole, n, err := readAll(decoded, limit+1)
	if n > limit {
		return nil, tooLarge(limit)
	}
	if err != nil {
		if decoded != io.Reader(r) {
			how := strings.Join(encodings, ",")
			if n == 0 {
				return nil, &Error{Reason: "encoding", Message: fmt.Sprintf("the answer says it is %s, and is not, or is cut short: %v", how, err), Err: err}
			}
			return nil, &Error{Reason: "encoding", Message: fmt.Sprintf("the answer's encoding (%s) is broken after %d bytes: %v", how, n, err), Err: err}
		}
		return nil, err
	}
	return whole, nil
}

// readAll reads up to limit bytes, in pieces that are joined at the end: a buffer that
// grows would hold three times what is too large to be taken.
func readAll(r io.Reader, limit int64) (whole []byte, n int64, err error) {
	var pieces [][]byte
	for size := int64(4 << 10); n < limit && err == nil; size = min(2*size, 4<<20) {
		piece := make([]byte, min(size, limit-n))
		at := 0
		for at < len(piece) && err == nil {
			var got int
			got, err = r.Read(piece[at:])
			at += got
		}
		n += int64(at)
		pieces = append(pieces, piece[:at])
	}
	if err == io.EOF {
		err = nil
	}
	if n >= limit || err != nil {
		return nil, n, err
	}
	return bytes.Join(pieces, nil), n, nil
}

func tooLarge(limit int64) error {
	return &Error{Reason: "size", Message: fmt.Sprintf("the answer is larger than %d MiB, which is the limit (configure maxResponseSize)", limit>>20)}
}

// known is up to which length a body is taken at its word: room is made for it before
// it comes.
const known = 1 << 20

// inflate reads "deflate", which servers write with and without zlib's frame.
func inflate(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

// Text is a body as text, by the charset that its content type tells. Without
// one it is UTF-8, and so is what can only be that whatever its type says: many
// servers write UTF-8 and tell ISO-8859-1.
func Text(body []byte, contentType string) string {
	_, params, _ := mime.ParseMediaType(contentType)
	name := params["charset"]
	if name == "" || strings.EqualFold(name, "utf-8") || strings.EqualFold(name, "utf8") {
		body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
		if utf8.Valid(body) {
			return string(body)
		}
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	if latin.MatchString(name) && utf8.Valid(body) {
		return string(body)
	}
	encoding, _ := charset.Lookup(name)
	if encoding == nil {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	text, err := encoding.NewDecoder().Bytes(body)
	if err != nil {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return string(text)
}

// latin are the charsets of one byte for each letter.
var latin = regexp.MustCompile(`(?i)^(iso-?8859-?\d+|latin-?\d+|windows-125\d|us-ascii|ascii)$`)

// Encode is text in a charset, for a request's body.
func Encode(text, name string) ([]byte, error) {
	if name == "" || strings.EqualFold(name, "utf-8") {
		return []byte(text), nil
	}
	encoding, _ := charset.Lookup(name)
	if encoding == nil {
		return nil, &Error{Reason: "encoding", Message: fmt.Sprintf("charset %q is not known", name)}
	}
	b, err := encoding.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return nil, &Error{Reason: "encoding", Message: fmt.Sprintf("the text cannot be written in %s: %v", name, err), Err: err}
	}
	return b, nil
}

// A Kind says what a body is, by its content type.
type Kind string

// The kinds of bodies.
const (
	JSON   Kind = "json"
	XML    Kind = "xml"
	Plain  Kind = "text"
	HTML   Kind = "html"
	Binary Kind = "binary"
	None   Kind = ""
)

// KindOf is the kind of a content type, None where it is not told or not known.
func KindOf(contentType string) Kind {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		t, _, _ = strings.Cut(contentType, ";")
		t = strings.ToLower(strings.TrimSpace(t))
	}
	switch {
	case t == "":
		return None
	case strings.HasSuffix(t, "/json"), strings.HasSuffix(t, "+json"):
		return JSON
	case t == "image/svg+xml": // text that is shown, as Karate has it
		return HTML
	case strings.HasSuffix(t, "/xml"), strings.HasSuffix(t, "+xml") && t != "application/xhtml+xml":
		return XML
	case t == "text/html", t == "application/xhtml+xml":
		return HTML
	case strings.HasPrefix(t, "text/"), t == "application/javascript", t == "application/x-www-form-urlencoded", t == "application/graphql", t == "application/yaml", t == "application/x-yaml":
		return Plain
	case strings.HasPrefix(t, "image/"), strings.HasPrefix(t, "audio/"), strings.HasPrefix(t, "video/"), strings.HasPrefix(t, "font/"),
		t == "application/octet-stream", t == "application/pdf", t == "application/zip", t == "application/gzip", t == "application/x-protobuf", t == "application/grpc":
		return Binary
	}
	return None
}
