package feature

import (
	"encoding/base64"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// What is given under the name of a secret is in no report and in no log, however it got
// there: sent, answered, printed, given to a call, compared. An ordinary word is left alone.
func TestSecretsOfProperties(t *testing.T) {
	const secret, key = `S3cret-"77"/x`, "k9-key-0123456789"
	t.Setenv("SHOP_API_KEY", key)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"was":"` + base64.StdEncoding.EncodeToString([]byte(secret)) + `","user":"admin"}`))
	}))
	defer server.Close()
	dir := t.TempDir()
	files := map[string]string{
		"a.feature": `Feature: a
Scenario: sends and fails
  * def password = karate.properties['password']
  * print 'with', password, java.lang.System.getenv('SHOP_API_KEY')
  * call read('b.feature') { pass: '#(password)' }
  Given url '` + server.URL + `'
  And param q = password
  And header X-Key = java.lang.System.getenv('SHOP_API_KEY')
  And request { user: 'admin', password: '#(password)' }
  When method post
  Then match response.was == password
`,
		"b.feature": "@ignore\nFeature: b\nScenario: b\n  * print pass\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	var told strings.Builder
	result, err := Run(t.Context(), Options{
		Dir: dir, Threads: 1, Verbose: true, Properties: map[string]string{"password": secret, "password2": "admin", "token.url": server.URL, "pin": "1234"},
		Progress: func(p Progress) {
			mu.Lock()
			defer mu.Unlock()
			told.WriteString(p.Text)
			if p.Ended != nil {
				told.WriteString(p.Ended.Error)
			}
		},
	})
	if err != nil || result.Failed != 1 {
		t.Fatalf("%+v, %v", result, err)
	}
	texts := map[string]string{"the progress": told.String()}
	err = filepath.WalkDir(result.Output, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	})
	if err != nil || len(texts) < 4 {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	all := ""
	for where, text := range texts {
		for _, value := range []string{secret, key} {
			for _, spelled := range []string{value, url.QueryEscape(value), base64.StdEncoding.EncodeToString([]byte(value)), strings.ReplaceAll(value, `"`, `\"`), strings.ReplaceAll(value, `"`, "&quot;"), strings.ReplaceAll(value, `"`, "&#34;")} {
				if strings.Contains(text, spelled) {
					t.Errorf("%s has %s", where, spelled)
				}
			}
		}
		all += text
	}
	for _, kept := range []string{"admin", server.URL, "with ••••"} {
		if !strings.Contains(all, kept) {
			t.Errorf("no report has %q", kept)
		}
	}
}
