package feature

import (
	"net/http/httptest"
	"strings"
	"testing"

	"rove/internal/testkit/api"
	"rove/report"
)

// runOn runs features of a folder of testdata against a server for tests.
func runOn(t *testing.T, dir string, paths ...string) (*Result, string) {
	t.Helper()
	server := httptest.NewServer(api.Handler())
	server.Config.ErrorLog = nil
	t.Cleanup(server.Close)
	result, err := Run(t.Context(), Options{Dir: dir, Paths: paths, Threads: 4, Output: "-", Properties: map[string]string{"api": server.URL}})
	if err != nil {
		t.Fatal(err)
	}
	return result, server.URL
}

func allPass(t *testing.T, r *Result, least int) {
	t.Helper()
	for _, f := range r.Files {
		if f.Broken != nil {
			t.Errorf("%s:%d: %s", f.Broken.Path, f.Broken.Line, f.Broken.Error)
		}
		for _, s := range f.Scenarios {
			if s.Status != report.Passed {
				t.Errorf("%s:%d: %s: %s", s.ErrorPath, s.ErrorLine, s.Name, s.Error)
			}
		}
	}
	if r.Passed < least {
		t.Errorf("only %d scenarios passed, of at least %d", r.Passed, least)
	}
}

func TestHTTPKeywords(t *testing.T) {
	t.Parallel()
	r, _ := runOn(t, "testdata/http", "requests.feature", "responses.feature", "ours.feature")
	allPass(t, r, 66)
}

func TestMocks(t *testing.T) {
	t.Parallel()
	r, _ := runOn(t, "testdata/mocks", "cats-test.feature")
	allPass(t, r, 6)
}

// TestHTTPFailures: each failure is one sentence that says what is wrong.
func TestHTTPFailures(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"status": "status code was: 404, expected: 200", "no url": "'url' not set", "retry": "too many retry attempts: 2",
		"nobody listens": "nothing listens at 127.0.0.1:1", "no such host": "no host", "circle": "circle", "closes": "closed the connection",
		"slow": "readTimeout", "large": "maxResponseSize", "lying": "says it is gzip", "no file": "nowhere.txt", "bad ssl": "nowhere.pem",
		"bad auth": "basic, bearer, digest or oauth2", "bad header": "cannot be the name of a header",
		"https where there is none": "does not speak TLS", "no socket": "opened no web socket",
		"no events": "sends no events", "no such port": "there is no port 99999", "rare method": "def verb = 'PROPFIND'",
	}
	r, _ := runOn(t, "testdata/http", "failures.feature")
	for _, s := range r.Files[0].Scenarios {
		if s.Status != report.Failed || !strings.Contains(s.Error, want[s.Name]) || want[s.Name] == "" {
			t.Errorf("%s: %s: %s", s.Name, s.Status, s.Error)
		}
		delete(want, s.Name)
	}
	for name := range want {
		t.Errorf("%s was not run", name)
	}
}

// TestExchangesAreMasked: what reports show of requests holds no credentials.
func TestExchangesAreMasked(t *testing.T) {
	t.Parallel()
	r, _ := runOn(t, "testdata/http", "masked.feature")
	allPass(t, r, 1)
	var seen strings.Builder
	for _, st := range r.Files[0].Scenarios[0].Steps {
		for _, e := range st.Exchanges {
			for _, h := range append(e.Request, e.Response...) {
				seen.WriteString(h.Name + ": " + h.Value + "\n")
			}
			seen.WriteString(e.URL + "\n" + e.RequestBody + "\n" + e.ResponseBody + "\n")
		}
	}
	text := seen.String()
	if strings.Contains(text, "geheim") || !strings.Contains(text, "Bearer ***") || !strings.Contains(text, `"password":"***"`) {
		t.Error(text)
	}
}
