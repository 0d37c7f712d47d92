package apitest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"rove/internal/har"
)

// browser does what a person does with an application, and keeps an archive.
type browser struct {
	t       testing.TB
	base    string
	jar     http.CookieJar
	entries []*har.Entry
	at      time.Time
}

func newBrowser(t testing.TB, a *app) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t: t, base: a.server.URL, jar: jar, at: time.Now()}
}

// ask makes a request: a body is a map for JSON, url.Values for a form, or a
// *strings.Reader with its type in the headers. It gives the status, the answer as
// JSON where it is, and as text.
func (b *browser) ask(kind, method, path string, body any, headers ...string) (int, map[string]any, string) {
	b.t.Helper()
	var text, contentType string
	switch v := body.(type) {
	case nil:
	case url.Values:
		text, contentType = v.Encode(), "application/x-www-form-urlencoded"
	case string:
		text = v
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			b.t.Fatal(err)
		}
		text, contentType = string(raw), "application/json"
	}
	address, err := url.Parse(b.base + path)
	if err != nil {
		b.t.Fatal(err)
	}
	q, err := http.NewRequest(method, address.String(), strings.NewReader(text))
	if err != nil {
		b.t.Fatal(err)
	}
	q.Header.Set("User-Agent", "Mozilla/5.0")
	q.Header.Set("Accept", "*/*")
	if contentType != "" {
		q.Header.Set("Content-Type", contentType)
	}
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	for _, k := range b.jar.Cookies(address) {
		q.AddCookie(k)
	}
	a, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		b.t.Fatal(err)
	}
	defer a.Body.Close()
	got, err := io.ReadAll(a.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	b.jar.SetCookies(address, a.Cookies())
	b.at = b.at.Add(50 * time.Millisecond)
	e := &har.Entry{
		Started: har.Time(b.at), ResourceType: kind,
		Request:  har.Request{Method: method, URL: address.String(), HTTPVersion: "HTTP/1.1", Headers: pairs(q.Header)},
		Response: har.Response{Status: a.StatusCode, HTTPVersion: "HTTP/1.1", Headers: pairs(a.Header), Content: har.Content{MIMEType: a.Header.Get("Content-Type"), Text: string(got), Size: int64(len(got))}},
	}
	if text != "" {
		e.Request.PostData = &har.PostData{MIMEType: q.Header.Get("Content-Type"), Text: text}
	}
	b.entries = append(b.entries, e)
	v := map[string]any{}
	_ = json.Unmarshal(got, &v)
	if a.StatusCode >= 300 && a.StatusCode < 400 && a.Header.Get("Location") != "" && kind == "document" {
		return b.ask("document", "GET", a.Header.Get("Location"), nil, "Accept", "text/html,*/*;q=0.8")
	}
	return a.StatusCode, v, string(got)
}

func pairs(h http.Header) (list []har.Pair) {
	for name, values := range h {
		for _, v := range values {
			list = append(list, har.Pair{Name: name, Value: v})
		}
	}
	slices.SortFunc(list, func(a, b har.Pair) int { return strings.Compare(a.Name+a.Value, b.Name+b.Value) })
	return list
}

// between is the text between two marks.
func between(t testing.TB, text, before, after string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, before)
	if !ok {
		t.Fatalf("no %q in %s", before, text)
	}
	out, _, _ := strings.Cut(rest, after)
	return strings.ReplaceAll(out, "&#43;", "+")
}

func (b *browser) archive() []byte {
	var out bytes.Buffer
	if err := har.Write(&out, har.Log{Creator: har.Name{Name: "test", Version: "1"}}, slices.Values(b.entries)); err != nil {
		b.t.Fatal(err)
	}
	return out.Bytes()
}

// useRows does with rows what people do.
func (b *browser) useRows(prefix, title string, headers ...string) {
	b.ask("fetch", "GET", prefix, nil, headers...)
	_, made, _ := b.ask("fetch", "POST", prefix, map[string]any{"title": title, "pinned": false, "due": "2026-12-24"}, headers...)
	one := fmt.Sprintf("%s/%v", prefix, made["id"])
	b.ask("fetch", "GET", one, nil, headers...)
	b.ask("fetch", "PATCH", one, map[string]any{"pinned": true}, headers...)
	b.ask("fetch", "GET", prefix, nil, headers...)
	b.ask("fetch", "DELETE", one, nil, headers...)
	b.ask("fetch", "GET", prefix, nil, headers...)
	b.ask("fetch", "GET", one, nil, headers...)
}

func useCookies(b *browser) {
	_, _, page := b.ask("document", "GET", "/login", nil, "Accept", "text/html,*/*;q=0.8")
	b.ask("image", "GET", "/logo.png", nil)
	csrf := between(b.t, page, `value="`, `"`)
	_, _, page = b.ask("document", "POST", "/login", url.Values{"_csrf": {csrf}, "username": {theUser}, "password": {thePassword}}, "Accept", "text/html,*/*;q=0.8")
	b.useRows("/api/notes", "Buy oat milk", "X-CSRF-Token", between(b.t, page, `content="`, `"`))
}

func useBearer(b *browser) {
	_, in, _ := b.ask("fetch", "POST", "/api/login", map[string]any{"email": theUser, "password": thePassword})
	auth := []string{"Authorization", "Bearer " + fmt.Sprint(in["token"])}
	b.ask("preflight", "OPTIONS", "/api/me", nil)
	b.ask("fetch", "GET", "/api/me", nil, auth...)
	b.ask("fetch", "GET", "/api/me", nil, auth...)
	b.useRows("/api/tasks", "Write the report", auth...)
	b.ask("fetch", "GET", "/api/settings", nil, auth...)
	last := b.entries[len(b.entries)-1]
	tag := ""
	for _, h := range last.Response.Headers {
		if h.Name == "Etag" {
			tag = h.Value
		}
	}
	b.ask("fetch", "PUT", "/api/settings", map[string]any{"theme": "light", "perPage": 50, "ratio": 2.5}, append(auth, "If-Match", tag)...)
	_, events, _ := b.ask("fetch", "GET", "/api/events?limit=2", nil, auth...)
	b.ask("fetch", "GET", "/api/events?limit=2&cursor="+fmt.Sprint(events["nextCursor"]), nil, auth...)
	form := "--xYz\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nmonthly\r\n--xYz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\na,b\n1,2\n\r\n--xYz--\r\n"
	_, up, _ := b.ask("fetch", "POST", "/api/uploads", form, append(auth, "Content-Type", "multipart/form-data; boundary=xYz")...)
	_, job, _ := b.ask("fetch", "POST", "/api/exports", map[string]any{"upload": up["uploadId"], "format": "csv"}, auth...)
	for {
		_, state, _ := b.ask("fetch", "GET", fmt.Sprintf("/api/exports/%v", job["job"]), nil, auth...)
		if state["state"] == "done" {
			break
		}
	}
}

func useRefresh(b *browser) {
	_, in, _ := b.ask("fetch", "POST", "/v1/auth/token", url.Values{"grant_type": {"password"}, "username": {theUser}, "password": {thePassword}})
	auth := func() []string { return []string{"Authorization", "Bearer " + fmt.Sprint(in["access_token"])} }
	b.ask("fetch", "GET", "/v1/orders", nil, auth()...)
	status, _, _ := b.ask("fetch", "GET", "/v1/orders/1", nil, auth()...)
	for range 3 {
		if status == 401 {
			break
		}
		status, _, _ = b.ask("fetch", "GET", "/v1/orders/2", nil, auth()...)
	}
	_, in, _ = b.ask("fetch", "POST", "/v1/auth/refresh", map[string]any{"refresh_token": in["refresh_token"]})
	b.ask("fetch", "GET", "/v1/orders/2", nil, auth()...)
	b.useRows("/v1/orders", "Two lamps", auth()...)
	b.ask("fetch", "POST", "/v1/auth/logout", nil, auth()...)
	b.ask("fetch", "GET", "/v1/orders", nil, auth()...)
}

func useClassic(b *browser) {
	_, _, page := b.ask("document", "GET", "/guests", nil, "Accept", "text/html,*/*;q=0.8")
	b.ask("document", "POST", "/guests", url.Values{"authenticity_token": {between(b.t, page, `value="`, `"`)}, "guest_name": {"Grace Hopper"}}, "Accept", "text/html,*/*;q=0.8")
}
