package apitest_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rove/internal/apitest"
	"rove/internal/har"
)

// TestDisguise: an archive that may lie on a disk has no secret, and the same tests are
// derived from it.
func TestDisguise(t *testing.T) {
	t.Parallel()
	for _, k := range kinds {
		text, err := os.ReadFile(filepath.Join("testdata", k.name, "first.har"))
		if err != nil {
			t.Fatal(err)
		}
		disguised, err := apitest.Disguise(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		var suites [2]string
		for i, archive := range [][]byte{text, disguised} {
			entries, err := har.Read(bytes.NewReader(archive))
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				for _, c := range append(e.Request.Cookies, e.Response.Cookies...) {
					if i == 0 && len(c.Value) > 8 && bytes.Contains(disguised, []byte(c.Value)) {
						t.Errorf("%s: the cookie %s=%s is in it", k.name, c.Name, c.Value)
					}
				}
				for _, h := range e.Request.Headers {
					if i == 0 && h.Name == "Authorization" && bytes.Contains(disguised, []byte(h.Value)) {
						t.Errorf("%s: %s is in it", k.name, h.Value)
					}
				}
			}
			s, err := apitest.Derive([][]*har.Entry{entries}, apitest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range s.Feature() {
				suites[i] += "-- " + f.Name + " --\n" + f.Text
			}
		}
		if diff := cmp.Diff(suites[0], suites[1]); diff != "" {
			t.Errorf("%s: other tests are derived from it:\n%s", k.name, diff)
		}
		if strings.Contains(suites[1], "••••") {
			t.Errorf("%s: a mask is sent", k.name)
		}
	}
}

// TestDisguiseMasksWhatWasTyped: in whatever field, and a word only there.
func TestDisguiseMasksWhatWasTyped(t *testing.T) {
	t.Parallel()
	const archive = `{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[` +
		`{"_resourceType":"fetch","startedDateTime":"2026-01-01T00:00:00Z","time":1,"request":{"method":"POST","url":"http://app.test/api/demo","headers":[],"postData":{"mimeType":"application/x-www-form-urlencoded","text":"user=ada&word=demo&again=it%27s+9+o%22clock"}},` +
		`"response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"mimeType":"application/json","text":"{\"said\":\"it's 9 o\\\"clock\",\"kind\":\"demo\"}"}}},` +
		`{"_resourceType":"fetch","startedDateTime":"2026-01-01T00:00:01Z","time":1,"request":{"method":"POST","url":"http://app.test/api/more","headers":[],"postData":{"mimeType":"application/json","text":"{\"word\": \"demo\",\"passcode\":\"demo\"}"}},` +
		`"response":{"status":204,"headers":[],"content":{}}}]}}`
	out, err := apitest.Disguise([]byte(archive), []string{"demo", `it's 9 o"clock`})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := har.Read(bytes.NewReader(out))
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v\n%s", err, out)
	}
	if e := entries[0]; e.Request.URL != "http://app.test/api/demo" || e.Request.PostData.Text != "user=ada&word=••••&again=••••" || e.Response.Content.Text != `{"said":"••••","kind":"demo"}` {
		t.Errorf("%s\n%s\n%s", e.Request.URL, e.Request.PostData.Text, e.Response.Content.Text)
	}
	if text := entries[1].Request.PostData.Text; text != `{"word": "••••","passcode":"••••"}` {
		t.Error(text)
	}
}
