package provision

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

const npmDefault = "https://registry.npmjs.org/"

// npmrc is npm's configuration: what npm itself would use on this machine, so
// that a company's registry, proxy, certificates and tokens are used here too.
type npmrc map[string]string

// loadNpmrc reads what npm reads, in its order: environment, project, user,
// global file. The first to name a key wins.
func loadNpmrc() npmrc {
	dir, _ := os.Getwd()
	return readNpmrc(os.Environ(), dir, nodePrefix())
}

func readNpmrc(environ []string, dir, prefix string) npmrc {
	env := make(map[string]string)
	conf := make(npmrc)
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		env[name] = value
		// npm takes its own variables in any case, with _ for - inside.
		if key, ok := strings.CutPrefix(strings.ToLower(name), "npm_config_"); ok && value != "" {
			if !strings.HasPrefix(key, "//") && !strings.HasPrefix(key, "@") {
				key = strings.ReplaceAll(key, "_", "-")
			}
			conf[key] = value
		}
	}
	home := env["HOME"]
	if runtime.GOOS == "windows" {
		home = env["USERPROFILE"]
	}
	files := []string{projectNpmrc(dir, home), conf["userconfig"], conf["globalconfig"]}
	if files[1] == "" && home != "" {
		files[1] = filepath.Join(home, ".npmrc")
	}
	if files[2] == "" && prefix != "" {
		files[2] = filepath.Join(prefix, "etc", "npmrc")
	}
	for _, file := range files {
		if file == "" {
			continue
		}
		if data, err := os.ReadFile(file); err == nil {
			for key, value := range parseNpmrc(string(data), env) {
				if _, set := conf[key]; !set {
					conf[key] = value
				}
			}
		}
	}
	return conf
}

// projectNpmrc is the file beside the nearest package.json or node_modules.
func projectNpmrc(dir, home string) string {
	for dir != "" && dir != home {
		for _, mark := range []string{"package.json", "node_modules"} {
			if _, err := os.Stat(filepath.Join(dir, mark)); err == nil {
				return filepath.Join(dir, ".npmrc")
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

// nodePrefix is the directory npm is installed under.
func nodePrefix() string {
	if p := os.Getenv("PREFIX"); p != "" {
		return p
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(node); err == nil {
		node = real
	}
	if runtime.GOOS == "windows" {
		return filepath.Dir(node)
	}
	return filepath.Dir(filepath.Dir(node))
}

var npmVariable = regexp.MustCompile(`\$\{([^}]+)\}`)

// parseNpmrc reads lines of "key = value", with comments, quotes and ${VARIABLE}.
func parseNpmrc(text string, env map[string]string) map[string]string {
	conf := make(map[string]string)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' || line[0] == '[' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		expand := func(s string) string {
			s = strings.Trim(strings.TrimSpace(s), `"'`)
			return npmVariable.ReplaceAllStringFunc(s, func(v string) string {
				if value, ok := env[v[2:len(v)-1]]; ok {
					return value
				}
				return v // npm leaves unknown ones as they are
			})
		}
		conf[expand(key)] = expand(value)
	}
	return conf
}

// registry is the address of the registry for a scope such as "@sparticuz".
func (c npmrc) registry(scope string) string {
	for _, key := range []string{scope + ":registry", "registry"} {
		if r := c[key]; r != "" {
			if u, err := url.Parse(r); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
				return strings.TrimSuffix(r, "/") + "/"
			}
		}
	}
	return npmDefault
}

// auth is the header that goes with requests to an address. npm keeps secrets by
// the address without its scheme, and looks upwards from the longest path.
func (c npmrc) auth(address string) http.Header {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	for p := strings.TrimSuffix(u.EscapedPath(), "/"); ; {
		for _, where := range []string{"//" + u.Host + p + "/:", "//" + u.Host + p + ":"} {
			if token := c[where+"_authToken"]; token != "" {
				return http.Header{"Authorization": {"Bearer " + token}}
			}
			if basic := c[where+"_auth"]; basic != "" {
				return http.Header{"Authorization": {"Basic " + basic}}
			}
			user, secret := c[where+"username"], c[where+"_password"]
			if plain, err := base64.StdEncoding.DecodeString(secret); user != "" && err == nil && len(plain) > 0 {
				return http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+string(plain)))}}
			}
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			return nil
		}
		p = p[:i]
	}
}

// client is a client that goes the way npm goes: through its proxy, trusting its
// certificates. Without such settings it is the one given.
func (c npmrc) client(base *http.Client) *http.Client {
	transport, ok := base.Transport.(*http.Transport)
	if !ok {
		return base
	}
	transport = transport.Clone()
	changed := false
	for _, key := range []string{"https-proxy", "proxy"} {
		if u, err := url.Parse(c[key]); err == nil && u.Host != "" {
			transport.Proxy, changed = http.ProxyURL(u), true
			break
		}
	}
	if pem, err := os.ReadFile(c["cafile"]); err == nil {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if pool.AppendCertsFromPEM(pem) {
			if transport.TLSClientConfig == nil {
				transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
			}
			transport.TLSClientConfig.RootCAs, changed = pool, true
		}
	}
	if !changed {
		return base
	}
	return &http.Client{Transport: transport}
}
