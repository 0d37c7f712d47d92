package httpx

import (
	"cmp"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Auth are credentials that every request gets which has none of its own.
type Auth struct {
	// Type is basic, bearer, digest or oauth2 (client credentials).
	Type               string
	Username, Password string
	Token              string
	// For oauth2.
	TokenURL, ClientID, ClientSecret, Scope string
}

// Check says what is wrong with credentials, before they are used.
func (a *Auth) Check() error {
	switch a.Type {
	case "basic", "digest":
		if a.Username == "" {
			return authError("type %s needs a username and a password", a.Type)
		}
	case "bearer":
		if a.Token == "" {
			return authError("type bearer needs a token")
		}
	case "oauth2":
		if a.TokenURL == "" || a.ClientID == "" {
			return authError("type oauth2 needs accessTokenUrl, clientId and clientSecret")
		}
	default:
		return authError("type %q is not known: basic, bearer, digest or oauth2", a.Type)
	}
	return nil
}

func authError(format string, args ...any) error {
	return &Error{Reason: "auth", Message: "auth: " + fmt.Sprintf(format, args...)}
}

// before gives the Authorization header that can be known without asking.
func (c *Client) before(ctx context.Context) (string, error) {
	a := c.Config.Auth
	if a == nil {
		return "", nil
	}
	if err := a.Check(); err != nil {
		return "", err
	}
	switch a.Type {
	case "basic":
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(a.Username+":"+a.Password)), nil
	case "bearer":
		return "Bearer " + a.Token, nil
	case "oauth2":
		return c.oauth(ctx, a)
	}
	return "", nil
}

// A token is one that an authorisation server gave.
type token struct {
	value string
	until time.Time
}

// oauth gets a token by client credentials. It is kept until shortly before its
// end, for all scenarios of the suite.
func (c *Client) oauth(ctx context.Context, a *Auth) (string, error) {
	key := strings.Join([]string{a.TokenURL, a.ClientID, a.ClientSecret, a.Scope}, "\x00")
	c.Pool.mu.Lock()
	t := c.Pool.tokens[key]
	c.Pool.mu.Unlock()
	if t != nil && time.Now().Before(t.until) {
		return t.value, nil
	}
	form := url.Values{"grant_type": {"client_credentials"}}
	if a.Scope != "" {
		form.Set("scope", a.Scope)
	}
	r := &Request{Method: "POST", URL: a.TokenURL, Body: []byte(form.Encode())}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(a.ClientID)+":"+url.QueryEscape(a.ClientSecret))))
	asking := *c
	asking.Config.Auth = nil
	answer, err := asking.Do(ctx, r)
	if err != nil {
		return "", err
	}
	var got struct {
		AccessToken string  `json:"access_token"`
		TokenType   string  `json:"token_type"`
		ExpiresIn   float64 `json:"expires_in"`
		Error       string  `json:"error"`
		Description string  `json:"error_description"`
	}
	if err := json.Unmarshal(answer.Body, &got); err != nil || got.AccessToken == "" {
		why := cmp.Or(strings.TrimSpace(got.Error+" "+got.Description), "no access_token in the answer")
		return "", authError("%s gave no token: status %d, %s", WithoutLogin(a.TokenURL), answer.Status, why)
	}
	t = &token{value: "Bearer " + got.AccessToken, until: time.Now().Add(time.Hour)}
	if got.ExpiresIn > 0 {
		t.until = time.Now().Add(time.Duration(got.ExpiresIn*float64(time.Second)) - 10*time.Second)
	}
	c.Pool.mu.Lock()
	c.Pool.tokens[key] = t
	c.Pool.mu.Unlock()
	return t.value, nil
}

// digest answers a server's challenge (RFC 7616), or gives "" where there is
// none that can be answered. cnonce is a word of the client's own, new each time.
func (a *Auth) digest(h http.Header, method, uri string, body []byte, cnonce string) string {
	var c map[string]string
	for _, line := range h.Values("Www-Authenticate") {
		if scheme, rest, _ := strings.Cut(line, " "); strings.EqualFold(scheme, "Digest") {
			d := challenge(rest)
			// The strongest that is offered and known.
			if c == nil || strings.HasPrefix(strings.ToUpper(d["algorithm"]), "SHA-256") {
				c = d
			}
		}
	}
	if c == nil {
		return ""
	}
	var newHash func() hash.Hash
	algorithm := strings.ToUpper(c["algorithm"])
	switch strings.TrimSuffix(algorithm, "-SESS") {
	case "", "MD5":
		newHash = md5.New
	case "SHA-256":
		newHash = sha256.New
	default:
		return ""
	}
	sum := func(parts ...string) string {
		h := newHash()
		h.Write([]byte(strings.Join(parts, ":")))
		return hex.EncodeToString(h.Sum(nil))
	}
	const nc = "00000001"
	one := sum(a.Username, c["realm"], a.Password)
	if strings.HasSuffix(algorithm, "-SESS") {
		one = sum(one, c["nonce"], cnonce)
	}
	var qop string
	for _, q := range strings.Split(c["qop"], ",") {
		q = strings.TrimSpace(q)
		if q == "auth" || q == "auth-int" && qop == "" {
			qop = q
		}
	}
	two := sum(method, uri)
	if qop == "auth-int" {
		two = sum(method, uri, sum(string(body)))
	}
	response := sum(one, c["nonce"], two)
	if qop != "" {
		response = sum(one, c["nonce"], nc, cnonce, qop, two)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `Digest username="%s", realm="%s", nonce="%s", uri="%s", response="%s"`, a.Username, c["realm"], c["nonce"], uri, response)
	if c["algorithm"] != "" {
		fmt.Fprintf(&b, ", algorithm=%s", c["algorithm"])
	}
	if c["opaque"] != "" {
		fmt.Fprintf(&b, `, opaque="%s"`, c["opaque"])
	}
	if qop != "" {
		fmt.Fprintf(&b, `, qop=%s, nc=%s, cnonce="%s"`, qop, nc, cnonce)
	}
	return b.String()
}

// challenge reads name="value" pairs.
func challenge(s string) map[string]string {
	m := map[string]string{}
	for s != "" {
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			break
		}
		name = strings.ToLower(strings.Trim(name, " ,\t"))
		var value string
		if strings.HasPrefix(rest, `"`) {
			value, rest, _ = strings.Cut(rest[1:], `"`)
			_, rest, _ = strings.Cut(rest, ",")
		} else {
			value, rest, _ = strings.Cut(rest, ",")
		}
		m[name] = strings.TrimSpace(value)
		s = rest
	}
	return m
}
