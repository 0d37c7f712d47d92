package httpx

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// A Builder collects the parts of the next request of a scenario.
type Builder struct {
	URL    string
	Paths  []string
	Params Fields
	Header Fields
	// Cookies replace those of the same name that came before.
	Cookies []Cookie
	// Form fields are the body of a POST, and parameters of a GET.
	Form    Fields
	HasForm bool // also of one whose fields have no values
	// Parts make the body a multipart one.
	Parts []Part
	// Body and its type. A nil body is none, an empty one is sent.
	Body        []byte
	ContentType string
	// Charset is told behind the content type of text; "" tells none.
	Charset string
}

// Reset forgets all but the address, as it is after every request.
func (b *Builder) Reset() {
	*b = Builder{URL: b.URL, Charset: b.Charset}
}

// SetParam sets a parameter of the address. Without values it is taken away.
func (b *Builder) SetParam(name string, values ...string) { setExact(&b.Params, name, values) }

// SetField sets a form field. Without values the form is sent all the same.
func (b *Builder) SetField(name string, values ...string) {
	b.HasForm = true
	setExact(&b.Form, name, values)
}

// setExact is Fields.Set for names whose case counts.
func setExact(f *Fields, name string, values []string) {
	for i, g := range *f {
		if g.Name != name {
			continue
		}
		if len(values) == 0 {
			*f = append((*f)[:i], (*f)[i+1:]...)
		} else {
			(*f)[i].Values = values
		}
		return
	}
	if len(values) > 0 {
		*f = append(*f, Field{name, values})
	}
}

// SetCookie adds a cookie, or replaces the one of its name.
func (b *Builder) SetCookie(c Cookie) { b.Cookies = setCookie(b.Cookies, c) }

// Request makes the request for a method, as far as the client needs it. With
// method "" it is a POST where there are parts, else a GET.
func (b *Builder) Request(method string) (*Request, error) {
	if method == "" {
		method = "GET"
		if len(b.Parts) > 0 {
			method = "POST"
		}
	}
	method = strings.ToUpper(method)
	if !validToken(method) {
		return nil, &Error{Reason: "address", Message: fmt.Sprintf("%q is no HTTP method", method)}
	}
	params, form, parts, isForm := b.Params, b.Form, b.Parts, b.HasForm || len(b.Form) > 0
	switch {
	case method == "GET":
		// The fields of a form are parameters, of several values the last; parts are not
		// sent. Both as in Karate.
		params = params.Clone()
		for _, f := range form {
			setExact(&params, f.Name, f.Values[len(f.Values)-1:])
		}
		form, parts, isForm = nil, nil, false
	case b.Body != nil: // it is what is sent
		form, parts, isForm = nil, nil, false
	}
	address, err := b.address(params)
	if err != nil {
		return nil, err
	}
	r := &Request{Method: method, URL: address, Header: b.Header.Clone()}
	for _, h := range r.Header {
		if !validToken(h.Name) {
			return nil, &Error{Reason: "address", Message: fmt.Sprintf("%q cannot be the name of a header", h.Name)}
		}
	}
	if len(b.Cookies) > 0 {
		r.Header.Set("Cookie", cookieHeader(b.Cookies))
	}
	contentType := r.Header.Get("Content-Type")
	switch {
	case len(parts) > 0:
		// A form's plain fields are parts like the others.
		for _, f := range form {
			for _, v := range f.Values {
				parts = append(parts, Part{Name: f.Name, Data: []byte(v)})
			}
		}
		body, boundary, err := writeParts(parts)
		if err != nil {
			return nil, &Error{Reason: "address", Message: err.Error(), Err: err}
		}
		if contentType == "" {
			contentType = "multipart/form-data"
		}
		r.Body = body
		r.Header.Set("Content-Type", contentType+"; boundary="+boundary)
	case isForm:
		r.Body = []byte(query(form))
		if contentType == "" {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	case b.Body != nil:
		r.Body = b.Body
		if !r.Header.has("Content-Type") {
			contentType = b.ContentType
			if contentType == "" {
				r.Header.Set("Content-Type", "application/octet-stream") // of a number, as Karate has it
				break
			}
		}
		r.Header.Set("Content-Type", WithCharset(contentType, b.Charset)) // one that was set to nothing is sent as nothing
	}
	return r, nil
}

// WithCharset is a content type that tells the charset, where it told none.
func WithCharset(contentType, charset string) string {
	if contentType == "" || charset == "" || strings.Contains(strings.ToLower(contentType), "charset=") {
		return contentType
	}
	return contentType + "; charset=" + charset
}

func (f Fields) has(name string) bool { return f.index(name) >= 0 }

// address joins the address, the path's segments and the parameters.
func (b *Builder) address(params Fields) (string, error) {
	whole := b.URL
	if whole == "" {
		return "", &Error{Reason: "address", Message: "there is no address: say * url '…' first"}
	}
	fragmentless, _, _ := strings.Cut(whole, "#")
	base, rawQuery, hasQuery := strings.Cut(fragmentless, "?")
	if len(b.Paths) > 0 {
		base = withoutEmpty(base) + "/" + joinPaths(b.Paths)
	}
	if q := query(params); q != "" {
		if rawQuery != "" {
			q = rawQuery + "&" + q
		}
		rawQuery, hasQuery = q, true
	}
	if hasQuery {
		base += "?" + rawQuery
	}
	return readable(base)
}

// withoutEmpty takes empty segments out of an address, which more segments follow.
func withoutEmpty(base string) string {
	start := 0
	if i := strings.Index(base, "://"); i >= 0 {
		start = i + len("://")
	}
	head, path := base[:start], base[start:]
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return head + strings.TrimSuffix(path, "/")
}

// joinPaths encodes each path, segment by segment, and puts the segments together
// with one slash in between: "a/b" are two segments, "a\/b" is one, a slash at the
// end is none. An empty path, or "/" as the last one, ends the address with a slash.
// What looks escaped is escaped again: a path is plain text.
func joinPaths(paths []string) string {
	var segments []string
	for i, p := range paths {
		if p == "" || p == "/" && i == len(paths)-1 {
			segments = append(segments, "")
			continue
		}
		for s := range strings.SplitSeq(strings.ReplaceAll(p, `\/`, "\x00"), "/") {
			if s != "" {
				if s = url.PathEscape(strings.ReplaceAll(s, "\x00", "/")); strings.Contains(s, "%") {
					s = pathKept.Replace(s)
				}
				segments = append(segments, s)
			}
		}
	}
	return strings.Join(segments, "/")
}

// pathKept are characters that url.PathEscape escapes and that may stand in a
// path as they are (RFC 3986, sub-delims).
var pathKept = strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%2C", ",", "%3B", ";")

// readable checks an address, and escapes what may not stand in one.
func readable(address string) (string, error) {
	if _, ok := overSocket(address); ok {
		return escapeOdd(address), nil
	}
	u, err := url.Parse(address)
	if err != nil {
		// What an address may not hold, such as a blank or a letter of another
		// alphabet, is escaped; what cannot be helped is told.
		fixed := escapeOdd(address)
		if u, err = url.Parse(fixed); err != nil {
			return "", &Error{Reason: "address", Message: fmt.Sprintf("%q is no address: %v", WithoutLogin(address), plainURLError(err)), Err: err}
		}
		address = fixed
	}
	scheme := u.Scheme
	if port, _, _ := strings.Cut(u.Opaque, "/"); port != "" && strings.Trim(port, "0123456789") == "" {
		scheme = "" // localhost:8080
	}
	switch scheme {
	case "http", "https":
	case "":
		return "", &Error{Reason: "address", Message: fmt.Sprintf("%q has no scheme: write http:// or https:// before it", WithoutLogin(address))}
	default:
		return "", &Error{Reason: "address", Message: fmt.Sprintf("%q: only http and https can be asked, not %s", WithoutLogin(address), u.Scheme)}
	}
	if u.Host == "" {
		return "", &Error{Reason: "address", Message: fmt.Sprintf("%q has no host", address)}
	}
	if n, err := strconv.Atoi(u.Port()); u.Port() != "" && (err != nil || n < 1 || n > 65535) {
		return "", &Error{Reason: "address", Message: fmt.Sprintf("%q: there is no port %s, they go from 1 to 65535", WithoutLogin(address), u.Port())}
	}
	return escapeOdd(address), nil
}

// escapeOdd escapes what may not stand in an address.
func escapeOdd(s string) string {
	var b strings.Builder
	last := 0
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || strings.IndexByte(`"<>\^{|}`+"`", c) >= 0 {
			fmt.Fprintf(&b, "%s%%%02X", s[last:i], c)
			last = i + 1
		}
	}
	if last == 0 {
		return s
	}
	return b.String() + s[last:]
}

func plainURLError(err error) error {
	if e, ok := err.(*url.Error); ok {
		return e.Err
	}
	return err
}

// query writes fields as application/x-www-form-urlencoded, in their order.
func query(fields Fields) string {
	var b strings.Builder
	for _, f := range fields {
		for _, v := range f.Values {
			if b.Len() > 0 {
				b.WriteByte('&')
			}
			b.WriteString(url.QueryEscape(f.Name))
			b.WriteByte('=')
			b.WriteString(url.QueryEscape(v))
		}
	}
	return b.String()
}

// validToken says whether s may be the name of a header, or a method.
func validToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}

// WithoutLogin takes user and password out of an address.
func WithoutLogin(address string) string {
	before, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	if i := strings.LastIndex(host, "@"); i >= 0 {
		host = host[i+1:]
	}
	return before + "://" + host + path
}
