package har

import (
	"mime"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"

	"rove/internal/wire"
)

// MarkSecret notes the names of the fields that have one of some values: what was typed
// into fields that hide it, whatever the application calls it.
func (p *PostData) MarkSecret(values []string) {
	if p == nil || len(values) == 0 || p.Comment == "base64" {
		return
	}
	see := func(name, value string) {
		if name != "" && slices.Contains(values, value) && !slices.Contains(p.Secret, name) {
			p.Secret = append(p.Secret, name)
		}
	}
	kind, params, _ := mime.ParseMediaType(p.MIMEType)
	switch {
	case kind == "application/x-www-form-urlencoded":
		form, _ := url.ParseQuery(p.Text)
		for name, list := range form {
			for _, value := range list {
				see(name, value)
			}
		}
	case kind == "multipart/form-data":
		r := multipart.NewReader(strings.NewReader(p.Text), params["boundary"])
		for range mostParts {
			part, err := r.NextRawPart()
			if err != nil {
				break
			}
			value := make([]byte, longestSecret)
			n, _ := part.Read(value)
			see(part.FormName(), string(value[:n]))
		}
	default:
		var v any
		if wire.Unmarshal([]byte(p.Text), &v) == nil {
			seeJSON("", v, see)
		}
	}
	slices.Sort(p.Secret)
}

const (
	mostParts     = 1000
	longestSecret = 4096
)

func seeJSON(name string, v any, see func(name, value string)) {
	switch v := v.(type) {
	case string:
		see(name, v)
	case []any:
		for _, one := range v {
			seeJSON(name, one, see)
		}
	case map[string]any:
		for key, one := range v {
			seeJSON(key, one, see)
		}
	}
}
