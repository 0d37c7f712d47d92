package feature

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"rove/internal/data"
	"rove/internal/httpx"
)

// addFile is multipart file name = { read: 'x.png', filename: …, contentType: … }
// or { value: …, filename: … }.
func (h *httpSide) addFile(in *input) error {
	name, v, err := h.named(in)
	if err != nil {
		return err
	}
	return h.part(name, v)
}

// part adds what a value says is sent: an object names a file or a value, a list has
// several with their names, null is none, all else is a field.
func (h *httpSide) part(name string, v any) error {
	switch v := v.(type) {
	case nil:
		return nil
	case *data.Object:
		return h.file(cmp.Or(name, member(v, "name")), v)
	case []any:
		for _, each := range v {
			if err := h.part("", each); err != nil {
				return err
			}
		}
		return nil
	}
	return h.field(name, v)
}

func (h *httpSide) file(name string, o *data.Object) error {
	if err := wantName(name); err != nil {
		return err
	}
	p := httpx.Part{Name: name, FileName: member(o, "filename"), ContentType: member(o, "contentType"), Encoding: member(o, "transferEncoding")}
	if path := member(o, "read"); path != "" {
		b, err := h.s.readBytes(path)
		if err != nil {
			return fmt.Errorf("multipart file %s: %w", name, err)
		}
		p.Data = b
		if p.FileName == "" {
			p.FileName = filepath.Base(strings.TrimPrefix(strings.TrimPrefix(path, "classpath:"), "file:"))
		}
		if p.ContentType == "" {
			p.ContentType = httpx.TypeByName(p.FileName)
		}
		if p.Encoding == "" && !textType.MatchString(p.ContentType) {
			p.Encoding = "binary"
		}
	} else {
		value, _ := o.Get("value")
		b, contentType, err := h.bytes(value)
		if err != nil {
			return err
		}
		p.Data = b
		p.ContentType = cmp.Or(p.ContentType, contentType, "application/octet-stream")
	}
	h.addPart(p)
	return nil
}

func wantName(name string) error {
	if name == "" {
		return errors.New("name: a part of a form needs one: { name: 'doc', read: 'x.pdf' }")
	}
	return nil
}

// textType are the types that Karate sends as text; it says that others are binary.
var textType = regexp.MustCompile(`(?i)javascript|json|css|svg|html|xml|plain|woff2|urlencoded|rdf|triples|turtle|quads|trig|n3`)

// addPart adds a part; text says its charset.
func (h *httpSide) addPart(p httpx.Part) {
	if textType.MatchString(p.ContentType) && !strings.Contains(p.ContentType, "charset=") {
		if charset := h.charset(); charset != "" {
			p.ContentType += "; charset=" + charset
		}
	}
	h.build.Parts = append(h.build.Parts, p)
}

// addParts takes an object of names and what they are, or a list of objects with names.
func (h *httpSide) addParts(in *input) error {
	v, err := h.value(in)
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case *data.Object:
		for name, each := range v.All() {
			if err := h.part(name, each); err != nil {
				return err
			}
		}
	case []any:
		return h.part("", v)
	default:
		h.passedOver(in.word, v, "an object or a list")
	}
	return nil
}

func (h *httpSide) addField(in *input) error {
	name, v, err := h.named(in)
	if err != nil {
		return err
	}
	return h.field(name, v)
}

// field adds a value as it is; each of a list is a field of the same name.
func (h *httpSide) field(name string, v any) error {
	if err := wantName(name); err != nil {
		return err
	}
	if list, ok := v.([]any); ok {
		for _, each := range list {
			if err := h.field(name, each); err != nil {
				return err
			}
		}
		return nil
	}
	return h.addValue(name, v)
}

func (h *httpSide) addValue(name string, v any) error {
	b, contentType, err := h.bytes(v)
	if err == nil {
		h.addPart(httpx.Part{Name: name, ContentType: cmp.Or(contentType, "application/octet-stream"), Data: b})
	}
	return err
}

// addEntity adds a part without a name. That is for multipart/related and the like,
// which are told by the header: the parts of a form have names.
func (h *httpSide) addEntity(in *input) error {
	v, err := h.value(in)
	if err != nil {
		return err
	}
	kind := strings.ToLower(h.build.Header.Get("Content-Type"))
	if !strings.HasPrefix(kind, "multipart/") || strings.HasPrefix(kind, "multipart/form-data") {
		return errors.New("name: a part of a form needs one; for parts without names say first: header Content-Type = 'multipart/related'")
	}
	return h.addValue("", v)
}
