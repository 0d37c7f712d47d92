package httpx

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
)

// A Part is one part of a multipart body.
type Part struct {
	Name string
	// FileName makes the part a file.
	FileName string
	// ContentType is guessed from the file's name where it is "".
	ContentType string
	// Encoding is told as Content-Transfer-Encoding; the data is not changed.
	Encoding string
	Data     []byte
}

// writeParts writes parts as browsers do: names and file names in UTF-8, with
// only quotes and line ends escaped.
func writeParts(parts []Part) (body []byte, boundary string, err error) {
	var seed [16]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return nil, "", fmt.Errorf("no boundary for the parts: %w", err)
	}
	boundary = "rove" + hex.EncodeToString(seed[:])
	var b bytes.Buffer
	for _, p := range parts {
		fmt.Fprintf(&b, "--%s\r\nContent-Disposition: form-data", boundary)
		if p.Name != "" {
			fmt.Fprintf(&b, `; name="%s"`, quoted.Replace(p.Name))
		}
		if p.FileName != "" {
			fmt.Fprintf(&b, `; filename="%s"`, quoted.Replace(p.FileName))
		}
		b.WriteString("\r\n")
		contentType := p.ContentType
		if contentType == "" && p.FileName != "" {
			contentType = TypeByName(p.FileName)
		}
		if contentType != "" {
			fmt.Fprintf(&b, "Content-Type: %s\r\n", oneLine.Replace(contentType))
		}
		if p.Encoding != "" {
			fmt.Fprintf(&b, "Content-Transfer-Encoding: %s\r\n", oneLine.Replace(p.Encoding))
		}
		b.WriteString("\r\n")
		b.Write(p.Data)
		b.WriteString("\r\n")
	}
	fmt.Fprintf(&b, "--%s--\r\n", boundary)
	return b.Bytes(), boundary, nil
}

var (
	quoted  = strings.NewReplacer("\r", "%0D", "\n", "%0A", `"`, "%22")
	oneLine = strings.NewReplacer("\r", "", "\n", "")
)

// TypeByName is the content type that a file of this name has, the same on every
// machine.
func TypeByName(name string) string {
	if t, ok := types[strings.ToLower(filepath.Ext(name))]; ok {
		return t
	}
	return "application/octet-stream"
}

// types are those that Karate knows; servers in tests expect no others.
var types = map[string]string{
	".json": "application/json", ".map": "application/json", ".jsonld": "application/ld+json", ".xml": "application/xml", ".txt": "text/plain",
	".html": "text/html", ".htm": "text/html", ".js": "text/javascript", ".css": "text/css", ".pdf": "application/pdf", ".mp4": "video/mp4",
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".svg": "image/svg+xml", ".ico": "image/x-icon", ".woff2": "application/font-woff2",
	".rdf": "application/rdf+xml", ".nt": "application/n-triples", ".ttl": "text/turtle", ".nq": "application/n-quads", ".trig": "application/trig", ".n3": "text/n3",
}
