package httpx

import (
	"mime"
	"mime/multipart"
	"strings"
	"testing"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		build  Builder
		want   string
		failed string
	}{
		{"plain", Builder{URL: "http://h/base"}, "http://h/base", ""},
		{"segments are encoded", Builder{URL: "http://h/base/", Paths: []string{"a b", "c/d", "ü", "q?z", "/lead", "trail/"}}, "http://h/base/a%20b/c/d/%C3%BC/q%3Fz/lead/trail", ""},
		{"a path is plain text", Builder{URL: "http://h", Paths: []string{"x%20y"}}, "http://h/x%2520y", ""},
		{"what a path may hold stays", Builder{URL: "http://h", Paths: []string{"a:b@c!$&'()*+,;=~"}}, "http://h/a:b@c!$&'()*+,;=~", ""},
		{"parameters", Builder{URL: "http://h", Params: Fields{{"p", []string{"a b+c"}}, {"l", []string{"x", "y"}}}}, "http://h?p=a+b%2Bc&l=x&l=y", ""},
		{"path before the query", Builder{URL: "http://h/x?y=1", Paths: []string{"q"}, Params: Fields{{"z", []string{"2"}}}}, "http://h/x/q?y=1&z=2", ""},
		{"a fragment is not sent", Builder{URL: "http://h/x#frag", Paths: []string{"q"}}, "http://h/x/q", ""},
		{"form fields of a GET", Builder{URL: "http://h", Form: Fields{{"a", []string{"1"}}}}, "http://h?a=1", ""},
		{"an address with blanks", Builder{URL: "http://h/a b/ü"}, "http://h/a%20b/%C3%BC", ""},
		{"a socket", Builder{URL: "http+unix://%2Ftmp%2Fs/x"}, "http+unix://%2Ftmp%2Fs/x", ""},
		{"none", Builder{}, "", "no address"},
		{"no scheme", Builder{URL: "example.com/x"}, "", "no scheme"},
		{"another scheme", Builder{URL: "ftp://h/x"}, "", "only http and https"},
		{"no host", Builder{URL: "http:///x"}, "", "no host"},
		{"no such port", Builder{URL: "http://h:99999/"}, "", "there is no port 99999"},
		{"no password in errors", Builder{URL: "http://ann:geheim@h:port/"}, "", "is no address"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := c.build.Request("get")
			if c.failed != "" {
				if err == nil || !strings.Contains(err.Error(), c.failed) || strings.Contains(err.Error(), "geheim") {
					t.Fatalf("error %v, want one with %q", err, c.failed)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.URL != c.want {
				t.Errorf("got  %s\nwant %s", r.URL, c.want)
			}
		})
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		build       Builder
		contentType string
		body        string
	}{
		{"form", Builder{Form: Fields{{"a", []string{"x y"}}, {"b", []string{"1", "2"}}}}, "application/x-www-form-urlencoded", "a=x+y&b=1&b=2"},
		{"the charset is told", Builder{Body: []byte("{}"), ContentType: "application/json", Charset: "UTF-8"}, "application/json; charset=UTF-8", "{}"},
		{"once", Builder{Body: []byte("{}"), ContentType: "text/xml; charset=latin1", Charset: "UTF-8"}, "text/xml; charset=latin1", "{}"},
		{"the header wins", Builder{Body: []byte("x"), ContentType: "text/plain", Header: Fields{{"content-type", []string{"text/csv"}}}}, "text/csv", "x"},
		{"a type of nothing is none", Builder{Body: []byte("x"), ContentType: "text/plain", Header: Fields{{"Content-Type", []string{""}}}}, "", "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.build.URL = "http://h"
			r, err := c.build.Request("post")
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Header.Get("Content-Type"); got != c.contentType || string(r.Body) != c.body {
				t.Errorf("%q %q, want %q %q", got, r.Body, c.contentType, c.body)
			}
		})
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	b := Builder{URL: "http://h", Form: Fields{{"plain", []string{"v"}}}, Parts: []Part{
		{Name: "f", FileName: `tëst "日本".txt`, Data: []byte("hello")},
		{Name: "j", ContentType: "application/json", Data: []byte(`{"a":1}`)},
		{Name: "evil", ContentType: "text/plain\r\nX-Injected: 1", Data: []byte("x")},
	}}
	r, err := b.Request("")
	if err != nil {
		t.Fatal(err)
	}
	if r.Method != "POST" {
		t.Errorf("method %s", r.Method)
	}
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	form, err := multipart.NewReader(strings.NewReader(string(r.Body)), params["boundary"]).ReadForm(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	f := form.File["f"][0]
	if f.Filename != `tëst %22日本%22.txt` || f.Header.Get("Content-Type") != "text/plain" || f.Size != 5 {
		t.Errorf("file %q %v %d", f.Filename, f.Header, f.Size)
	}
	if form.Value["j"][0] != `{"a":1}` || form.Value["plain"][0] != "v" || strings.Contains(string(r.Body), "\nX-Injected") {
		t.Errorf("%q", r.Body)
	}
}

func FuzzAddress(f *testing.F) {
	f.Add("http://h", "a b", "x=1")
	f.Add("http://[::1]:80/%zz", "%", "\x00")
	f.Fuzz(func(t *testing.T, base, path, param string) {
		b := Builder{URL: base, Paths: []string{path}, Params: Fields{{param, []string{param}}}}
		r, err := b.Request("GET")
		if err == nil && strings.ContainsAny(r.URL, " \r\n\x00") {
			t.Errorf("%q", r.URL)
		}
	})
}
