package apitest_test

import (
	"bytes"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rove/internal/apitest"
	"rove/internal/har"
	"rove/internal/testkit"
)

var update = flag.Bool("update", false, "write the golden files, and record archives that are not there")

func readArchive(t testing.TB, name string) []*har.Entry {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := har.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// TestGolden holds every writer to what it wrote for two recordings of each
// application.
func TestGolden(t *testing.T) {
	t.Parallel()
	for kind, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			dir := filepath.Join("testdata", k.name)
			var recordings [][]*har.Entry
			for _, name := range []string{"first.har", "second.har"} {
				name = filepath.Join(dir, name)
				if _, err := os.Stat(name); err != nil && *update {
					a := newApp(t, k.routes)
					a.life = k.life
					b := newBrowser(t, a)
					k.use(b)
					if err := os.MkdirAll(dir, 0o755); err != nil {
						t.Fatal(err)
					}
					text := bytes.ReplaceAll(b.archive(), []byte(a.server.URL), []byte("http://app.test"))
					if err := os.WriteFile(name, text, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				recordings = append(recordings, readArchive(t, name))
			}
			s, err := apitest.Derive(recordings, apitest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, format := range apitest.Formats() {
				files, err := s.Write(format)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range files {
					golden := filepath.Join(dir, format+"-"+f.Name+".golden")
					if *update {
						if err := os.WriteFile(golden, []byte(f.Text), 0o644); err != nil {
							t.Fatal(err)
						}
					}
					want, err := os.ReadFile(golden)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(string(want), f.Text); diff != "" {
						t.Errorf("%s is otherwise; -update writes it anew:\n%s", golden, diff)
					}
					if format == "har" {
						testkit.CheckHAR(t, filepath.Join("..", "har", "testdata", "har-1.2.schema.json"), []byte(f.Text))
					}
				}
			}
		})
		_ = kind
	}
}

// entry makes one of a line such as "POST fetch http://a/x 200 json", a body that
// was sent and one that was answered.
func entry(line, sent, got string, headers ...string) *har.Entry {
	f := strings.Fields(line)
	status := map[string]int{"200": 200, "201": 201, "204": 204, "302": 302, "304": 304, "401": 401, "0": 0}[f[3]]
	types := map[string]string{"json": "application/json", "html": "text/html", "png": "image/png", "css": "text/css", "none": ""}
	e := &har.Entry{
		ResourceType: f[1],
		Request:      har.Request{Method: f[0], URL: f[2]},
		Response:     har.Response{Status: status, Headers: []har.Pair{{Name: "Content-Type", Value: types[f[4]]}}, Content: har.Content{MIMEType: types[f[4]], Text: got, Size: int64(len(got))}},
	}
	if sent != "" {
		e.Request.PostData = &har.PostData{MIMEType: "application/json", Text: sent}
	}
	for i := 0; i < len(headers); i += 2 {
		if name, ok := strings.CutPrefix(headers[i], "<"); ok {
			e.Response.Headers = append(e.Response.Headers, har.Pair{Name: name, Value: headers[i+1]})
		} else {
			e.Request.Headers = append(e.Request.Headers, har.Pair{Name: headers[i], Value: headers[i+1]})
		}
	}
	return e
}

func TestWhatIsKept(t *testing.T) {
	t.Parallel()
	ok := entry("GET fetch http://a.test/api/x 200 json", "", `{"a":1}`)
	for _, c := range []struct {
		name string
		e    *har.Entry
		kept bool
	}{
		{"a fetch", entry("GET fetch http://a.test/api/y 200 json", "", `{}`), true},
		{"without a type of its own", entry("GET other http://a.test/api/y 200 json", "", `{}`), true},
		{"a change", entry("DELETE fetch http://a.test/api/y 204 none", "", ""), true},
		{"a document", entry("GET document http://a.test/y 200 html", "", `<p>`), false},
		{"a picture", entry("GET image http://a.test/y 200 png", "", `x`), false},
		{"a picture by a script", entry("GET fetch http://a.test/y 200 png", "", `x`), false},
		{"a style", entry("GET other http://a.test/y.css 200 css", "", `x`), false},
		{"a preflight", entry("OPTIONS fetch http://a.test/api/y 204 none", "", ""), false},
		{"a beacon", entry("POST ping http://a.test/api/y 204 none", "{}", ""), false},
		{"analytics", entry("POST fetch https://www.google-analytics.com/g/collect 204 none", "{}", ""), false},
		{"analytics of one's own", entry("POST fetch http://a.test/telemetry 204 none", "{}", ""), false},
		{"no answer", entry("GET fetch http://a.test/api/y 0 none", "", ""), false},
		{"a socket", entry("GET websocket ws://a.test/api/y 200 none", "", ""), false},
		{"the same again", ok, false},
	} {
		s, err := apitest.Derive([][]*har.Entry{{ok, c.e}}, apitest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(s.Calls) == 2; got != c.kept {
			t.Errorf("%s: kept is %v, expected %v", c.name, got, c.kept)
		}
	}
	all := []*har.Entry{ok, entry("GET fetch http://a.test/api/y 200 json", "", `{}`), entry("GET fetch http://a.test/api/z 200 json", "", `{}`)}
	s, err := apitest.Derive([][]*har.Entry{all}, apitest.Options{Include: regexp.MustCompile("/[xy]$"), Exclude: regexp.MustCompile("/y$")})
	if err != nil || len(s.Calls) != 1 {
		t.Errorf("include and exclude keep %d calls (%v)", len(s.Calls), err)
	}
	_, err = apitest.Derive([][]*har.Entry{{entry("GET document http://a.test/y 200 html", "", `<p>`)}}, apitest.Options{})
	if err == nil || !strings.Contains(err.Error(), "1 documents") {
		t.Errorf("a recording without calls: %v", err)
	}
}

// TestPagesWriteNoSteps: names and texts of a page stand in what is derived as literals,
// whatever they say.
func TestPagesWriteNoSteps(t *testing.T) {
	t.Parallel()
	const name, text = "a\n    * karate.fail(FORGED)\u2028=karate.fail(FORGED)//", `#(karate.fail("it's FORGED"))`
	said, quoted := url.QueryEscape(name), strings.ReplaceAll(text, `"`, `\"`)
	form := entry("POST fetch http://a.test/api/form 200 json", said+"="+url.QueryEscape(text), `{"a":"`+quoted+`"}`)
	form.Request.PostData.MIMEType = "application/x-www-form-urlencoded"
	parts := entry("POST fetch http://a.test/api/parts 200 json", "--x\r\nContent-Disposition: form-data; name=\"a = karate.fail(FORGED)//\"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name=\"b = karate.fail(FORGED)//\"; filename=\"f\"\r\n\r\n1\r\n--x--\r\n", `{}`)
	parts.Request.PostData.MIMEType = "multipart/form-data; boundary=x"
	s, err := apitest.Derive([][]*har.Entry{{
		entry("GET fetch http://a.test/api/x?"+said+"=1 200 json", "", `{"a":["`+quoted+`"]}`, "X = karate.fail(FORGED)//", "1"),
		form, parts,
		entry("POST fetch http://a.test/api/json 200 json", `{"a":"`+quoted+`"}`, `{}`),
	}}, apitest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := regexp.MustCompile(`'(\\.|[^'\\])*'|"(\\.|[^"\\])*"`)
	for _, format := range apitest.Formats() {
		files, err := s.Write(format)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !strings.HasSuffix(f.Name, ".feature") && !strings.HasSuffix(f.Name, ".js") {
				continue
			}
			for line := range strings.Lines(f.Text) {
				line = strings.TrimSpace(line)
				comment := strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "Scenario:") && format != "mock"
				if !comment && strings.Contains(own.ReplaceAllString(line, "''"), "FORGED") {
					t.Errorf("%s %s: %s", format, f.Name, line)
				}
				if embedded := strings.Contains(line, `"#(karate`); embedded && !strings.Contains(line, "([") && !strings.Contains(line, "({") {
					t.Errorf("%s %s runs a text: %s", format, f.Name, line)
				}
			}
		}
	}
}

func TestCorrelation(t *testing.T) {
	t.Parallel()
	list := func(e ...*har.Entry) []*har.Entry { return e }
	words := `{"passphrase":"Encryption","credentials":"settings of your account"`
	for i := range 24 {
		words += fmt.Sprintf(`,"desc%d":"Some more words"`, i)
	}
	for _, c := range []struct {
		name       string
		recordings [][]*har.Entry
		want, not  string // of the feature
	}{
		{"an id of a list", [][]*har.Entry{list(
			entry("GET fetch http://a.test/api/users 200 json", "", `{"users":[{"id":3},{"id":5}]}`),
			entry("GET fetch http://a.test/api/users/5 200 json", "", `{"id":5}`),
		)}, "* def userId = response.users[1].id", "/users/5'"},
		{"a number by chance", [][]*har.Entry{list(
			entry("GET fetch http://a.test/api/me 200 json", "", `{"id":5}`),
			entry("GET fetch http://a.test/api/pages/5 200 json", "", `{"text":"x"}`),
		)}, "/api/pages/5'", "* def"},
		{"a value that was typed first", [][]*har.Entry{list(
			entry("POST fetch http://a.test/api/items 201 json", `{"code":"AB-123456"}`, `{"code":"AB-123456"}`),
			entry("GET fetch http://a.test/api/items/AB-123456 200 json", "", `{"code":"AB-123456"}`),
		)}, "/api/items/AB-123456'", "* def code"},
		{"an upload that is named", [][]*har.Entry{list(
			entry("POST fetch http://a.test/api/uploads 201 json", `{"size":1}`, `{"data":{"uploadId":"up_9f8e7d6c5b4a"}}`),
			entry("PUT fetch http://a.test/api/profile 200 json", `{"picture":"up_9f8e7d6c5b4a"}`, `{}`),
		)}, `"picture":"#(uploadId)"`, "up_9f8e"},
		{"where it was made", [][]*har.Entry{list(
			entry("POST fetch http://a.test/api/orders 201 none", `{"size":1}`, ``, "<Location", "http://a.test/api/orders/771"),
			entry("GET fetch http://a.test/api/orders/771 200 json", "", `{"size":1}`),
		)}, `karate.extract(responseHeaders['location'][0], '/orders/([^/?#]+)', 1)`, "771"},
		{"a word of the routes, which a question led to", [][]*har.Entry{list(
			entry("GET document http://a.test/admin/ 302 none", "", ``, "<Location", "/admin/sign-in/?next=/admin/"),
			entry("GET document http://a.test/admin/sign-in/ 200 html", "", `<form><input name="csrf" value="a1b2c3d4e5f6a7b8"></form>`),
			entry("POST fetch http://a.test/admin/sign-in/ 200 json", `{"csrf":"a1b2c3d4e5f6a7b8"}`, `{}`),
		)}, "baseUrl + '/admin/sign-in/'", "responseHeaders"},
		{"a word of the routes, which signing in led to", [][]*har.Entry{list(
			entry("POST fetch http://a.test/admin/enter 302 none", `{"user":"ada"}`, ``, "<Location", "/admin/dashboard"),
			entry("GET fetch http://a.test/admin/dashboard 200 json", "", `{"size":1}`),
		)}, "/admin/dashboard'", "responseHeaders"},
		{"a word of the routes, which a page had a link to", [][]*har.Entry{list(
			entry("GET document http://a.test/shop 200 html", "", `<a href="/shop/thank-you">Thanks</a>`),
			entry("POST fetch http://a.test/shop 302 none", `{"size":1}`, ``, "<Location", "/shop/thank-you"),
			entry("GET fetch http://a.test/shop/thank-you 200 json", "", `{"size":1}`),
		)}, "/shop/thank-you'", "responseHeaders"},
		{"a slug of what was sent", [][]*har.Entry{list(
			entry("POST fetch http://a.test/posts 302 none", `{"title":"Hello, World!"}`, ``, "<Location", "/posts/hello-world"),
			entry("GET fetch http://a.test/posts/hello-world 200 json", "", `{"size":1}`),
		)}, `karate.extract(responseHeaders['location'][0], '/posts/([^/?#]+)', 1)`, "/posts/hello"},
		{"a slug that was made up", [][]*har.Entry{list(
			entry("POST fetch http://a.test/rooms 302 none", `{"size":1}`, ``, "<Location", "/rooms/xkqzrt"),
			entry("GET fetch http://a.test/rooms/xkqzrt 200 json", "", `{"size":1}`),
		)}, `karate.extract(responseHeaders['location'][0], '/rooms/([^/?#]+)', 1)`, "/rooms/xkq"},
		{"a word that is another each time", [][]*har.Entry{
			list(
				entry("POST fetch http://a.test/rooms 302 none", `{"size":1}`, ``, "<Location", "/rooms/otter"),
				entry("GET fetch http://a.test/rooms/otter 200 json", "", `{"size":1}`),
			),
			list(
				entry("POST fetch http://a.test/rooms 302 none", `{"size":1}`, ``, "<Location", "/rooms/badger"),
				entry("GET fetch http://a.test/rooms/badger 200 json", "", `{"size":1}`),
			),
		}, `karate.extract(responseHeaders['location'][0], '/rooms/([^/?#]+)', 1)`, "/rooms/otter"},
		{"the next page by its address", [][]*har.Entry{list(
			entry("GET fetch http://a.test/api/logs 200 json", "", `{"next":"/api/logs?after=c2VjcmV0LWN1cnNvcg11"}`),
			entry("GET fetch http://a.test/api/logs?after=c2VjcmV0LWN1cnNvcg11 200 json", "", `{"next":null}`),
		)}, `karate.extract(response.next, '[?&]after=([^&#]+)', 1)`, "c2Vj"},
		{"a cookie in a header", [][]*har.Entry{list(
			entry("GET fetch http://a.test/api/start 200 json", "", `{}`, "<Set-Cookie", "XSRF-TOKEN=abc%3D12345678; Path=/"),
			entry("POST fetch http://a.test/api/items 200 json", "{}", `{}`, "X-XSRF-TOKEN", "abc=12345678", "Cookie", "XSRF-TOKEN=abc%3D12345678"),
		)}, `decodeURIComponent(responseCookies['XSRF-TOKEN'].value)`, "12345678"},
		{"a script of the page", [][]*har.Entry{list(
			entry("GET document http://a.test/ 200 html", "", `<script>window.csrf = "a1b2c3d4e5f6a7b8";</script>`),
			entry("POST fetch http://a.test/api/items 200 json", "{}", `{}`, "X-Token", "a1b2c3d4e5f6a7b8"),
		)}, `karate.extract(html, 'csrf = "([^"\'<>&\\s;)]+)', 1)`, "a1b2"},
		{"two recordings that disagree", [][]*har.Entry{
			list(
				entry("GET fetch http://a.test/api/a 200 json", "", `{"key":"aaaa1111bbbb"}`),
				entry("POST fetch http://a.test/api/b 200 json", `{"nonce":"aaaa1111bbbb"}`, `{}`),
			),
			list(
				entry("GET fetch http://a.test/api/a 200 json", "", `{"key":"cccc2222dddd"}`),
				entry("POST fetch http://a.test/api/b 200 json", `{"nonce":"eeee3333ffff"}`, `{}`),
			),
		}, "note: POST /api/b: json 'nonce' differs between recordings", "* def key"},
		{"work that takes a while", [][]*har.Entry{list(
			entry("GET fetch http://a.test/api/job 200 json", "", `{"state":"busy","done":1}`),
			entry("GET fetch http://a.test/api/job 200 json", "", `{"state":"busy","done":2}`),
			entry("GET fetch http://a.test/api/job 200 json", "", `{"state":"ready","done":3}`),
		)}, "And retry until response.state == 'ready'", "busy"},
		{"a field that is not always there", [][]*har.Entry{
			list(entry("GET fetch http://a.test/api/a 200 json", "", `{"x":1,"y":"2f1e9c5e-8a57-4a05-9d5c-0d2f3f0f7a11"}`)),
			list(entry("GET fetch http://a.test/api/a 200 json", "", `{"x":1.5}`)),
		}, `{"x":"#number","y":"##uuid"}`, "2f1e9c5e"},
		{"basic credentials", [][]*har.Entry{list(
			entry("GET fetch http://a.test/api/a 200 json", "", `{}`, "Authorization", "Basic YWRhOmh1bnRlcjI5OTk="),
		)}, `header Authorization = 'Basic ' + basicAuth`, "YWRhOmh1bnRlcjI5OTk"},
		{"a word that fields are called by", [][]*har.Entry{list(
			entry("GET fetch http://a.test/api/form 200 json", "", `{"password":"Password"}`),
			entry("POST fetch http://a.test/api/token 200 json", `{"grant_type":"password","user":"ada","password":"hunter2999"}`, `{}`),
		)}, `"grant_type":"password"`, "••••"},
		{"a file of words", [][]*har.Entry{list(
			entry("GET fetch http://a.test/api/words 200 json", "", words+`}`),
			entry("GET fetch http://a.test/api/a 200 json", "", `{"encryption":true}`),
		)}, `"encryption":"#boolean"`, "••••"},
		{"a key of one's own", [][]*har.Entry{list(
			entry("GET fetch http://a.test/api/a 200 json", "", `{}`, "X-Api-Key", "k-1234567890abcdef"),
		)}, `header X-Api-Key = xApiKey`, "k-1234567890abcdef"},
	} {
		s, err := apitest.Derive(c.recordings, apitest.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text := ""
		for _, f := range s.Feature() {
			text += f.Text
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: %s\nis not in\n%s", c.name, c.want, text)
		}
		if c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("%s: %s\nis in\n%s", c.name, c.not, text)
		}
	}
}

// FuzzDerive derives from whatever can be read as an archive, and writes it in
// every format: it never panics, and what it writes twice is the same.
func FuzzDerive(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join("testdata", "*", "first.har"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"log":{"entries":[{"request":{"method":"POST","url":"http://a/b?c=1","postData":{"text":"{\"password\":\"x\"}"}},"response":{"status":"200","content":{"mimeType":"application/json","text":"[{\"id\":1},null]"}}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := har.Read(bytes.NewReader(text))
		if err != nil || len(entries) > 200 {
			return
		}
		s, err := apitest.Derive([][]*har.Entry{entries, entries}, apitest.Options{})
		if err != nil {
			return
		}
		for _, format := range apitest.Formats() {
			one, err := s.Write(format)
			if err != nil {
				t.Fatal(err)
			}
			two, _ := s.Write(format)
			if diff := cmp.Diff(one, two); diff != "" {
				t.Errorf("%s differs from time to time: %s", format, diff)
			}
		}
	})
}

// TestRareMethodsAndNumbers derives from an archive in which an amount is whole in one answer
// and not in another, which makes it a number everywhere, and a method is one that Karate
// knows only by a variable.
func TestRareMethodsAndNumbers(t *testing.T) {
	t.Parallel()
	entry := func(method, path, body, answer string) string {
		post := ""
		if body != "" {
			post = fmt.Sprintf(`,"postData":{"mimeType":"application/json","text":%q}`, body)
		}
		return fmt.Sprintf(`{"_resourceType":"fetch","startedDateTime":"2026-01-01T00:00:00Z","time":1,"request":{"method":%q,"url":"http://app.test%s","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":-1%s},`+
			`"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"size":1,"mimeType":"application/json","text":%q},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}`, method, path, post, answer)
	}
	entries, err := har.Read(strings.NewReader(`{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[` + strings.Join([]string{
		entry("GET", "/api/bills", "", `[{"amount":12,"paid":[{"amount":2}],"prices":[1],"count":3}]`),
		entry("POST", "/api/bills", `{"amount":7}`, `{"amount":7.5,"prices":[1.25]}`),
		entry("PROPFIND", "/dav/home", "", `{"count":1}`),
	}, ",") + `]}}`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := apitest.Derive([][]*har.Entry{entries}, apitest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(s.OpenAPI()[0].Text), "")
	for what, times := range map[string]int{`"amount":{"type":"number"}`: 4, `"amount":{"type":"integer"}`: 0, `"prices":{"type":"array","items":{"type":"number"}}`: 2, `"count":{"type":"integer"}`: 2} {
		if n := strings.Count(text, what); n != times {
			t.Errorf("%s is there %d times, not %d: %s", what, n, times, text)
		}
	}
	files, err := s.Write("feature")
	if err != nil {
		t.Fatal(err)
	}
	if text := files[0].Text; !strings.Contains(text, "* def verb = 'PROPFIND'\n") || !strings.Contains(text, "When method verb\n") {
		t.Errorf("PROPFIND is sent by\n%s", text)
	}
}
