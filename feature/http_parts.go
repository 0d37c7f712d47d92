package feature

import (
	"cmp"
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
	return h.file(name, v)
}

func (h *httpSide) file(name string, v any) error {
	o, ok := v.(*data.Object)
	if !ok {
		return fmt.Errorf("multipart file takes an object: { read: 'file.pdf', filename: 'file.pdf', contentType: 'application/pdf' }")
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
		value, ok := o.Get("value")
		if !ok {
			return fmt.Errorf("multipart file %s needs read (a file) or value", name)
		}
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

// textType are the types that Karate sends as text; it says that others are binary.
var textType = regexp.MustCompile(`(?i)javascript|json|css|svg|html|xml|plain|woff2|urlencoded|rdf|triples|turtle|quads|trig|n3`)

// addPart adds a part; text says its charset.
func (h *httpSide) addPart(p httpx.Part) {
	if kind := httpx.KindOf(p.ContentType); kind != httpx.Binary && kind != httpx.None && !strings.Contains(p.ContentType, "charset=") {
		if charset := h.charset(); charset != "" {
			p.ContentType += "; charset=" + charset
		}
	}
	h.build.Parts = append(h.build.Parts, p)
}

// addFiles takes an object of name and file, or a list of files with names.
func (h *httpSide) addFiles(in *input) error {
	v, err := h.value(in)
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case *data.Object:
		for name, each := range v.All() {
			if err := h.file(name, each); err != nil {
				return err
			}
		}
		return nil
	case []any:
		for _, each := range v {
			o, ok := each.(*data.Object)
			if !ok {
				return fmt.Errorf("multipart files takes a list of objects")
			}
			if err := h.file(member(o, "name"), o); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("multipart files takes an object or a list, not %s", data.TypeOf(v))
}

func (h *httpSide) addField(in *input) error {
	name, v, err := h.named(in)
	if err != nil {
		return err
	}
	return h.field(name, v)
}

func (h *httpSide) field(name string, v any) error {
	if o, ok := v.(*data.Object); ok {
		// An object that says how it is sent, or one that is sent.
		if _, has := o.Get("value"); has {
			return h.file(name, o)
		}
		if _, has := o.Get("read"); has {
			return h.file(name, o)
		}
	}
	if list, ok := v.([]any); ok {
		for _, each := range list {
			if err := h.field(name, each); err != nil {
				return err
			}
		}
		return nil
	}
	if v == nil {
		return nil
	}
	b, contentType, err := h.bytes(v)
	if err != nil {
		return err
	}
	h.addPart(httpx.Part{Name: name, ContentType: cmp.Or(contentType, "application/octet-stream"), Data: b})
	return nil
}

func (h *httpSide) addFields(in *input) error {
	o, err := h.object(in)
	if err != nil {
		return err
	}
	for name, v := range o.All() {
		if err := h.field(name, v); err != nil {
			return err
		}
	}
	return nil
}

// addEntity adds a part without a name, as multipart/related wants it.
func (h *httpSide) addEntity(in *input) error {
	v, err := h.value(in)
	if err != nil {
		return err
	}
	return h.field("", v)
}
