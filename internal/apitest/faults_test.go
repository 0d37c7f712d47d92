package apitest_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rove/feature"
	"rove/internal/apitest"
	"rove/internal/har"
)

// faults are what the applications do wrong, each in turn: a status, a field that
// is gone, a type that changed, doors that stand open, values that are stale.
var faults = []struct {
	kind  int
	fault string
}{
	{0, "status GET /api/notes"},
	{0, "created is 200"},
	{0, "gone title"},
	{0, "gone due"},
	{0, "type pinned"},
	{0, "auth off"},
	{0, "csrf off"},
	{0, "stale list"},
	{0, "stale delete"},
	{1, "status PUT /api/settings"},
	{1, "gone me.email"},
	{1, "type me.roles"},
	{1, "type id"},
	{1, "auth off"},
	{1, "stale patch"},
	{1, "another id"},
	{1, "gone createdAt"},
	{2, "type tags"},
	{2, "stale title"},
	{2, "logout does nothing"},
	{2, "any refresh"},
	{2, "gone id"},
	{1, "etag ignored"},
	{1, "type title"},
	{3, "status GET /guests"},
	{3, "csrf off"},
	{3, "stale list"},
	{4, "auth off"},
	{4, "gone author"},
	{4, "gone author.login"},
	{4, "type likes"},
	{4, "stale text"},
	{4, "stale comments"},
	{4, "stale removal"},
	{4, "status DELETE /api/v1/session"},
}

func TestFaultsAreCaught(t *testing.T) {
	t.Parallel()
	for kind, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			a, s := proved(t, kind, nil)
			dir := write(t, s.Feature())
			try := func() apitest.RunResult {
				a.reset()
				r, err := run(t.Context(), apitest.Run{Dir: dir, File: "api.feature", Properties: map[string]string{"password": thePassword, "passphrase": thePassword}})
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			if r := try(); r.Failed > 0 {
				t.Fatalf("it fails without a fault: %s", r.Failures)
			}
			caught, all := 0, 0
			for _, f := range faults {
				if f.kind != kind {
					continue
				}
				all++
				a.break_(f.fault)
				r := try()
				a.break_("")
				if r.Failed > 0 {
					caught++
				} else {
					t.Errorf("%q is not caught", f.fault)
				}
			}
			t.Logf("%d of %d faults are caught", caught, all)
		})
	}
}

// spellings are the ways in which a secret may hide in a text.
func spellings(secret string) []string {
	list := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString([]byte(secret)), strings.ReplaceAll(secret, "+", "&#43;")}
	for skip := range 3 { // base64 of a text that has it somewhere
		padded := strings.Repeat("x", skip) + secret
		text := base64.StdEncoding.EncodeToString([]byte(padded))
		begin, end := (skip*8+5)/6, (len(padded)*8)/6
		list = append(list, text[begin:end], strings.NewReplacer("+", "-", "/", "_").Replace(text[begin:end]))
	}
	return list
}

// noSecrets looks for the secrets of an application in all that is written.
func noSecrets(t *testing.T, s *apitest.Suite, secrets []string) {
	t.Helper()
	for _, format := range apitest.Formats() {
		files, err := s.Write(format)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", format, err)
		}
		for _, f := range files {
			for _, secret := range secrets {
				for _, spelled := range spellings(secret) {
					if strings.Contains(f.Text, spelled) {
						t.Errorf("%s %s has %q", format, f.Name, spelled)
					}
				}
			}
		}
	}
}

func TestNoArtefactHasASecret(t *testing.T) {
	t.Parallel()
	for kind, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			a, entries := recorded(t, kind)
			if len(a.issued) == 0 {
				t.Fatal("the application has no secrets")
			}
			for _, recordings := range [][][]*har.Entry{{entries}, {entries, entries}} {
				s, err := apitest.Derive(recordings, apitest.Options{})
				if err != nil {
					t.Fatal(err)
				}
				noSecrets(t, s, append([]string{thePassword}, a.issued...))
			}
		})
	}
}

// TestMockPlaysTheApplication runs derived tests against the derived mock.
func TestMockPlaysTheApplication(t *testing.T) {
	t.Parallel()
	for kind, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			_, entries := recorded(t, kind)
			s, err := apitest.Derive([][]*har.Entry{entries, entries}, apitest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			dir := write(t, append(s.Feature(), s.Mock()...))
			m, err := feature.StartMock(t.Context(), feature.MockOptions{Features: []string{filepath.Join(dir, "mock.feature")}})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Stop(t.Context())
			r, err := run(t.Context(), apitest.Run{Dir: dir, File: "api.feature", Properties: map[string]string{"password": "anything", "passphrase": "anything", "baseUrl": m.URL()}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Failed > 0 || r.Passed == 0 {
				t.Errorf("%d passed, %d failed: %s", r.Passed, r.Failed, r.Failures)
			}
		})
	}
}

// TestCurl runs the derived shell script.
func TestCurl(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not here", program)
		}
	}
	for kind, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			a, entries := recorded(t, kind)
			a.reset()
			s, err := apitest.Derive([][]*har.Entry{entries}, apitest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(write(t, s.Curl()), "api.sh"))
			cmd.Env = append(os.Environ(), "API_PASSWORD="+thePassword, "API_PASSPHRASE="+thePassword)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			a.break_("gone id")
			if kind > 2 {
				a.break_(map[string]string{"classic": "status GET /guests", "mixed": "status GET /api/v1/projects"}[k.name])
			}
			a.reset()
			cmd = exec.CommandContext(t.Context(), "bash", filepath.Join(write(t, s.Curl()), "api.sh"))
			cmd.Env = append(os.Environ(), "API_PASSWORD="+thePassword, "API_PASSPHRASE="+thePassword)
			if out, err := cmd.CombinedOutput(); err == nil {
				t.Errorf("it passes on a broken application:\n%s", out)
			}
		})
	}
}

// TestOpenAPIIsValid asks a public validator.
func TestOpenAPIIsValid(t *testing.T) {
	t.Parallel()
	python := os.Getenv("ROVE_PYTHON")
	if python == "" {
		python = "python3"
	}
	if err := exec.CommandContext(t.Context(), python, "-c", "import openapi_spec_validator").Run(); err != nil {
		t.Skip("openapi-spec-validator is not here: pip install openapi-spec-validator, and ROVE_PYTHON names the Python that has it")
	}
	files := []string{"-c", "import json, sys\nfrom openapi_spec_validator import validate\nfor f in sys.argv[1:]: validate(json.load(open(f)))"}
	for kind := range kinds {
		_, entries := recorded(t, kind)
		s, err := apitest.Derive([][]*har.Entry{entries}, apitest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Join(write(t, s.OpenAPI()), "openapi.json"))
	}
	if out, err := exec.CommandContext(t.Context(), python, files...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestBesideKarate runs derived features with real Karate, unchanged.
func TestBesideKarate(t *testing.T) {
	if os.Getenv("ROVE_KARATE") == "" {
		t.Skip("real Karate is run by make karate, which sets ROVE_KARATE")
	}
	library, err := exec.CommandContext(t.Context(), filepath.Join("..", "..", "scripts", "fetch-karate.sh")).Output()
	if err != nil {
		t.Skipf("Karate cannot be had here: %v", err)
	}
	for kind, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			a, s := proved(t, kind, nil)
			dir := write(t, s.Feature())
			karate := func() (string, error) {
				a.reset()
				cmd := exec.CommandContext(t.Context(), "java", "-Dpassword="+thePassword, "-Dpassphrase="+thePassword, "-cp", strings.TrimSpace(string(library)), "com.intuit.karate.Main", "-o", t.TempDir(), filepath.Join(dir, "api.feature"))
				cmd.Dir = t.TempDir()
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			out, err := karate()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if want := fmt.Sprintf("scenarios: %4d | passed: %5d | failed: 0", len(s.Scenarios), len(s.Scenarios)); !strings.Contains(out, want) {
				t.Errorf("%q is not in\n%s", want, out)
			}
			a.break_([]string{"gone title", "gone title", "gone title", "stale list", "gone author"}[kind])
			if out, err = karate(); err == nil {
				t.Errorf("it passes on a broken application:\n%s", out)
			}
		})
	}
}
