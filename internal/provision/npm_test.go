package provision

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

type tarEntry struct {
	name, body string
	kind       byte // a regular file when 0
	link       string
}

func makeTar(t testing.TB, entries ...tarEntry) []byte {
	t.Helper()
	var buf bytes.Buffer
	tw := tar.NewWriter(&buf)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o755, Size: int64(len(e.body)), Typeflag: e.kind, Linkname: e.link}
		if e.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := tw.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write([]byte(e.body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func br(t testing.TB, data []byte) string {
	t.Helper()
	var buf bytes.Buffer
	w := brotli.NewWriter(&buf)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// makePackage makes a tarball like the real one.
func makePackage(t testing.TB, entries ...tarEntry) []byte {
	t.Helper()
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	if _, err := zw.Write(makeTar(t, entries...)); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func chromiumPackage(t testing.TB) []byte {
	return makePackage(
		t,
		tarEntry{name: "package/LICENSE", body: "MIT"},
		tarEntry{name: "package/bin/chromium.br", body: br(t, []byte("#!/bin/sh\n"))},
		tarEntry{name: "package/bin/al2023.tar.br", body: br(t, makeTar(t, tarEntry{name: "lib/libnss3.so", body: "elf"}))},
		tarEntry{name: "package/bin/fonts.tar.br", body: br(t, makeTar(t, tarEntry{name: "fonts.conf", body: "theirs"}, tarEntry{name: "fonts/a.ttf", body: "font"}))},
		tarEntry{name: "package/bin/swiftshader.tar.br", body: br(t, makeTar(t, tarEntry{name: "libEGL.so", body: "elf"}))},
		tarEntry{name: "package/build/index.js", body: "not wanted"},
	)
}

// registry plays an npm registry under a path, with a token, as companies do.
type registry struct {
	*httptest.Server
	tarball   []byte
	integrity string
	latest    bool // answers for a single version
	host      string
	seen      []string
}

func newRegistry(t *testing.T) *registry {
	t.Helper()
	r := &registry{tarball: chromiumPackage(t), latest: true}
	sum := sha512.Sum512(r.tarball)
	r.integrity = "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.seen = append(r.seen, req.URL.EscapedPath())
		if req.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		version := func(v string) map[string]any {
			return map[string]any{"version": v, "dist": map[string]string{
				"integrity": r.integrity, "tarball": r.host + "/@sparticuz/chromium/-/chromium-" + v + ".tgz",
			}}
		}
		switch path := req.URL.EscapedPath(); {
		case path == "/npm/@sparticuz%2fchromium/latest" && r.latest:
			_ = json.NewEncoder(w).Encode(version("153.0.0"))
		case path == "/npm/@sparticuz%2fchromium":
			_ = json.NewEncoder(w).Encode(map[string]any{
				"dist-tags": map[string]string{"latest": "153.0.0"},
				"versions":  map[string]any{"153.0.0": version("153.0.0"), "147.0.1": version("147.0.1"), "147.0.2": version("147.0.2"), "143.0.4": version("143.0.4")},
			})
		case strings.HasSuffix(path, ".tgz") && strings.HasPrefix(path, "/npm/"):
			_, _ = w.Write(r.tarball)
		default:
			http.NotFound(w, req)
		}
	}))
	r.host = r.URL + "/npm"
	t.Cleanup(r.Close)
	return r
}

func (r *registry) conf() npmrc {
	return npmrc{"@sparticuz:registry": r.URL + "/npm", "//" + strings.TrimPrefix(r.URL, "http://") + "/npm/:_authToken": "secret", "registry": offline}
}

func TestNpmSource(t *testing.T) {
	for _, tc := range []struct {
		name    string
		setup   func(*registry, *finder)
		version string
		want    string // part of the error
		dir     string // of the installed one
	}{
		{name: "plain", dir: "shell-153.0.0"},
		{name: "a version", version: "147", dir: "shell-147.0.2"},
		{name: "no such version", version: "12", want: "no version 12"},
		{name: "registry without single versions", setup: func(r *registry, f *finder) { r.latest = false }, dir: "shell-153.0.0"},
		{name: "address of the public registry", setup: func(r *registry, f *finder) { r.host = "https://registry.npmjs.org" }, dir: "shell-153.0.0"},
		{name: "no token", setup: func(r *registry, f *finder) {
			f.npm = func() npmrc { return npmrc{"registry": r.URL + "/npm"} }
		}, want: "401"},
		{name: "tampered with", setup: func(r *registry, f *finder) { r.tarball = append(r.tarball, 'x') }, want: "checksum"},
		{name: "no checksum", setup: func(r *registry, f *finder) { r.integrity = "" }, want: "no checksum"},
		{name: "odd checksum", setup: func(r *registry, f *finder) { r.integrity = "sha512-abc" }, want: "no checksum"},
		{name: "odd tarball address", setup: func(r *registry, f *finder) { r.host = "file:///etc" }, want: "no tarball"},
		{name: "wrong machine", setup: func(r *registry, f *finder) { f.goarch = "arm64" }, want: "linux/arm64"},
		{name: "offline", setup: func(r *registry, f *finder) { f.npm = func() npmrc { return npmrc{"registry": offline} } }, want: "refused"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, f := newRegistry(t), testFinder(t)
			f.npm = r.conf
			if tc.setup != nil {
				tc.setup(r, f)
			}
			if err := os.MkdirAll(f.store(), 0o700); err != nil {
				t.Fatal(err)
			}
			b, err := f.fetchFrom(t.Context(), npm{f}, Shell, tc.version)
			if tc.want != "" {
				if err == nil || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("err = %v, want one with %q (asked for %s)", err, tc.want, r.seen)
				}
				onlyWork(t, f)
				return
			}
			if err != nil || b.Name != tc.dir {
				t.Fatalf("%+v, %v (asked for %s)", b, err, r.seen)
			}
			for file, want := range map[string]string{
				npmExe: "#!/bin/sh\n", "lib/libnss3.so": "elf", "fonts/a.ttf": "font", "libEGL.so": "elf", npmFonts: fontsConf, "LICENSE": "MIT",
			} {
				if got, err := os.ReadFile(filepath.Join(f.store(), b.Name, file)); err != nil || string(got) != want {
					t.Errorf("%s: %q, %v", file, got, err)
				}
			}
			if len(b.Env) > 0 && strings.HasPrefix(b.Env[0], "LD_LIBRARY_PATH") {
				t.Error("libraries are used though the system's own do")
			}
		})
	}
}

func TestNpmHasNoFullBrowser(t *testing.T) {
	if _, err := (npm{testFinder(t)}).offer(t.Context(), Chrome, ""); err == nil {
		t.Error("no error")
	}
}

// On a machine that lacks libraries those of the package are used, and without
// fonts its fonts; elsewhere neither.
func TestBareMachine(t *testing.T) {
	r, f := newRegistry(t), testFinder(t)
	f.npm = r.conf
	t.Setenv("LD_LIBRARY_PATH", "/mine")
	t.Setenv("FONTCONFIG_FILE", "")
	defer func(dirs []string) { fontDirs = dirs }(fontDirs)
	fontDirs = []string{t.TempDir()}
	f.probe = func(_ context.Context, b Browser) (string, error) {
		for _, e := range b.Env {
			if strings.HasPrefix(e, "LD_LIBRARY_PATH=") {
				return "153.0.1.1", nil
			}
		}
		return "", fmt.Errorf("libnss3.so is missing")
	}
	if _, err := f.find(t.Context(), Request{Fetch: true}); err != nil {
		t.Fatal(err)
	}
	b, err := f.find(t.Context(), Request{})
	dir := filepath.Join(f.store(), "shell-153.0.0")
	want := []string{"LD_LIBRARY_PATH=" + dir + "/lib:/mine", "FONTCONFIG_FILE=" + dir + "/fonts.conf"}
	if err != nil || fmt.Sprint(b.Env) != fmt.Sprint(want) {
		t.Errorf("Env = %v, %v; want %v", b.Env, err, want)
	}
	writeFile(t, filepath.Join(fontDirs[0], "deep", "x.TTF"), "", 0o600)
	if b, _ = f.find(t.Context(), Request{}); len(b.Env) != 1 {
		t.Errorf("with system fonts: Env = %v", b.Env)
	}
}

func TestReadNpmrc(t *testing.T) {
	home, project, prefix := t.TempDir(), t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(home, ".npmrc"), "registry=https://user.example/\n//user.example/:_authToken=${TOKEN}\nproxy=http://user-proxy:1\n", 0o600)
	writeFile(t, filepath.Join(project, "package.json"), "{}", 0o600)
	writeFile(t, filepath.Join(project, ".npmrc"), "; comment\n# comment\n[section]\nnonsense\n @sparticuz:registry = \"https://project.example/npm\" \n", 0o600)
	writeFile(t, filepath.Join(prefix, "etc", "npmrc"), "registry=https://global.example\ncafile=/etc/ca.pem\n", 0o600)
	deep := filepath.Join(project, "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	homeVar := "HOME=" + home
	if runtime.GOOS == "windows" {
		homeVar = "USERPROFILE=" + home
	}
	for _, tc := range []struct {
		name            string
		env             []string
		dir, scope, reg string
	}{
		{"user", nil, "", "@other", "https://user.example/"},
		{"project, scoped", nil, deep, "@sparticuz", "https://project.example/npm/"},
		{"project, another scope", nil, deep, "@other", "https://user.example/"},
		{"environment", []string{"npm_config_registry=https://env.example"}, "", "@sparticuz", "https://env.example/"},
		{"environment in capitals", []string{"NPM_CONFIG_REGISTRY=https://env.example"}, "", "@x", "https://env.example/"},
		{"scope before environment", []string{"npm_config_registry=https://env.example"}, deep, "@sparticuz", "https://project.example/npm/"},
		{"other user file", []string{"npm_config_userconfig=/nowhere"}, "", "@x", "https://global.example/"},
		{"nonsense", []string{"npm_config_registry=not an address"}, "", "@x", npmDefault},
	} {
		conf := readNpmrc(append([]string{homeVar, "TOKEN=abc"}, tc.env...), tc.dir, prefix)
		if got := conf.registry(tc.scope); got != tc.reg {
			t.Errorf("%s: registry %s, want %s", tc.name, got, tc.reg)
		}
		if conf["cafile"] != "/etc/ca.pem" {
			t.Errorf("%s: the global file was not read", tc.name)
		}
	}
	conf := readNpmrc([]string{homeVar, "TOKEN=abc", "npm_config_https_proxy=http://p:2"}, "", prefix)
	if got := conf.auth("https://user.example/@s/x/-/x.tgz").Get("Authorization"); got != "Bearer abc" {
		t.Errorf("Authorization: %s", got)
	}
	if conf["https-proxy"] != "http://p:2" {
		t.Errorf("https-proxy = %q", conf["https-proxy"])
	}
	base := newClient()
	if conf.client(base) == base || (npmrc{}).client(base) != base {
		t.Error("the proxy decides whether there is a client of its own")
	}
}

func TestNpmAuth(t *testing.T) {
	conf := npmrc{
		"//a.example/npm/team/:_authToken": "deep", "//a.example/:_auth": "dTpw",
		"//b.example:8080/:username": "u", "//b.example:8080/:_password": base64.StdEncoding.EncodeToString([]byte("p")),
		"_authToken": "for nobody",
	}
	for address, want := range map[string]string{
		"https://a.example/npm/team/x.tgz": "Bearer deep",
		"https://a.example/npm/other":      "Basic dTpw",
		"https://a.example":                "Basic dTpw",
		"http://b.example:8080/x":          "Basic dTpw",
		"http://b.example/x":               "",
		"https://evil.example/a.example/":  "",
		"%":                                "",
	} {
		if got := conf.auth(address).Get("Authorization"); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

func FuzzParseNpmrc(f *testing.F) {
	f.Add("registry=https://x/\n//x/:_authToken=${T}")
	f.Add("a = \"b\"\r\n;c\n[d]\n=\n${")
	f.Fuzz(func(t *testing.T, text string) {
		conf := npmrc(parseNpmrc(text, map[string]string{"T": "v"}))
		if r := conf.registry("@s"); !strings.HasPrefix(r, "http") || !strings.HasSuffix(r, "/") {
			t.Errorf("registry %q", r)
		}
		_ = conf.auth(conf.registry("@s"))
	})
}
