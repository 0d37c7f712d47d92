package har

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// ReadLimit is how large an archive may be.
const ReadLimit = 512 << 20

// Read reads the entries of an archive that any program wrote: browsers, proxies,
// load testers. They differ in what they leave out and in how they write numbers
// and moments, so that only the shape is held to: what cannot be read of an entry
// is left out of it.
func Read(r io.Reader) ([]*Entry, error) {
	text, err := io.ReadAll(io.LimitReader(r, ReadLimit+1))
	if err != nil {
		return nil, err
	}
	if len(text) > ReadLimit {
		return nil, fmt.Errorf("the archive has more than %d MiB", ReadLimit>>20)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	var root struct {
		Log *struct {
			Entries *[]json.RawMessage `json:"entries"`
		} `json:"log"`
	}
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("it is no HAR: %w", err)
	}
	if root.Log == nil || root.Log.Entries == nil {
		return nil, errors.New(`it is no HAR: it has no "log" with "entries"`)
	}
	var list []*Entry
	for i, raw := range *root.Log.Entries {
		var e looseEntry
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, fmt.Errorf("entry %d of the HAR: %w", i+1, err)
		}
		if e.Request.URL == "" {
			return nil, fmt.Errorf("entry %d of the HAR has no request with an address", i+1)
		}
		list = append(list, e.entry())
	}
	return list, nil
}

// looseEntry is an entry as programs write it.
type looseEntry struct {
	Page    text   `json:"pageref"`
	Started text   `json:"startedDateTime"`
	Time    amount `json:"time"`
	Request struct {
		Method  text        `json:"method"`
		URL     text        `json:"url"`
		Version text        `json:"httpVersion"`
		Headers pairs       `json:"headers"`
		Query   pairs       `json:"queryString"`
		Cookies looseCookie `json:"cookies"`
		Post    *struct {
			Type     text   `json:"mimeType"`
			Text     text   `json:"text"`
			Params   params `json:"params"`
			Secret   []text `json:"_secret"`
			Comment  text   `json:"comment"`
			Encoding text   `json:"encoding"`
		} `json:"postData"`
	} `json:"request"`
	Response struct {
		Status     amount      `json:"status"`
		StatusText text        `json:"statusText"`
		Version    text        `json:"httpVersion"`
		Headers    pairs       `json:"headers"`
		Cookies    looseCookie `json:"cookies"`
		Content    struct {
			Size     amount `json:"size"`
			Type     text   `json:"mimeType"`
			Text     text   `json:"text"`
			Encoding text   `json:"encoding"`
			Comment  text   `json:"comment"`
		} `json:"content"`
		Redirect text `json:"redirectURL"`
		Error    text `json:"_error"`
	} `json:"response"`
	ResourceType text      `json:"_resourceType"`
	FromCache    text      `json:"_fromCache"`
	Initiator    initiator `json:"_initiator"`
}

func (l *looseEntry) entry() *Entry {
	q, a := &l.Request, &l.Response
	e := &Entry{
		Page: string(l.Page), Time: Millis(l.Time), ResourceType: strings.ToLower(string(l.ResourceType)), FromCache: string(l.FromCache),
		Request: Request{
			Method: strings.ToUpper(string(q.Method)), URL: string(q.URL), HTTPVersion: string(q.Version),
			Headers: q.Headers, QueryString: q.Query, Cookies: q.Cookies, HeadersSize: -1, BodySize: -1,
		},
		Response: Response{
			Status: a.Status.whole(), StatusText: string(a.StatusText), HTTPVersion: string(a.Version), Headers: a.Headers, Cookies: a.Cookies,
			Content: Content{
				Size: int64(a.Content.Size.whole()), MIMEType: string(a.Content.Type), Text: string(a.Content.Text),
				Encoding: string(a.Content.Encoding), Comment: string(a.Content.Comment),
			},
			RedirectURL: string(a.Redirect), HeadersSize: -1, BodySize: -1, Error: string(a.Error),
		},
		Initiator: l.Initiator.is,
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999-0700", "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(layout, string(l.Started)); err == nil {
			e.Started = Time(at)
			break
		}
	}
	if p := q.Post; p != nil {
		comment := p.Comment
		if p.Encoding == "base64" {
			comment = "base64"
		}
		e.Request.PostData = &PostData{MIMEType: string(p.Type), Text: string(p.Text), Params: p.Params, Comment: string(comment)}
		for _, name := range p.Secret {
			e.Request.PostData.Secret = append(e.Request.PostData.Secret, string(name))
		}
	}
	return e
}

// text is a string, or what can be read as one; anything else is none.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case len(b) == 0:
	case b[0] == '"':
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		s = string(b)
	}
	*t = text(s)
	return nil
}

// amount is a number, also one in quotes; anything else is none.
type amount float64

func (a *amount) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(b), `" `), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		f = 0
	}
	*a = amount(f)
	return nil
}

func (a amount) whole() int { return int(max(min(float64(a), 1<<40), -1)) }

// pairs is a list of names and values; what is no list is an empty one.
type pairs []Pair

func (p *pairs) UnmarshalJSON(b []byte) error {
	var list params
	_ = list.UnmarshalJSON(b)
	for _, one := range list {
		*p = append(*p, Pair{one.Name, one.Value})
	}
	return nil
}

// params is a list of fields.
type params []Param

func (p *params) UnmarshalJSON(b []byte) error {
	var list []struct {
		Name     text `json:"name"`
		Value    text `json:"value"`
		FileName text `json:"fileName"`
		Type     text `json:"contentType"`
	}
	if json.Unmarshal(b, &list) != nil {
		return nil
	}
	for _, one := range list {
		*p = append(*p, Param{string(one.Name), string(one.Value), string(one.FileName), string(one.Type)})
	}
	return nil
}

// looseCookie is a list of cookies.
type looseCookie []Cookie

func (c *looseCookie) UnmarshalJSON(b []byte) error {
	var list []struct {
		Name   text `json:"name"`
		Value  text `json:"value"`
		Path   text `json:"path"`
		Domain text `json:"domain"`
	}
	if json.Unmarshal(b, &list) != nil {
		return nil
	}
	for _, one := range list {
		*c = append(*c, Cookie{Name: string(one.Name), Value: string(one.Value), Path: string(one.Path), Domain: string(one.Domain)})
	}
	return nil
}

// initiator is an object with a type.
type initiator struct{ is *Initiator }

func (i *initiator) UnmarshalJSON(b []byte) error {
	var one struct {
		Type text `json:"type"`
		URL  text `json:"url"`
	}
	if json.Unmarshal(b, &one) == nil && one.Type != "" {
		i.is = &Initiator{Type: string(one.Type), URL: string(one.URL)}
	}
	return nil
}
