package chrome

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/internal/proc"
	"rove/internal/wire"
)

// Auto asks Running for the browser of the person at this machine.
const Auto = "auto"

// Unreachable is why there is no browser to be had at an address.
type Unreachable struct {
	At     string // the address, or what was looked for
	Reason string
	Hint   string
	Err    error
}

func (e *Unreachable) Error() string { return e.At + ": " + e.Reason }
func (e *Unreachable) Unwrap() error { return e.Err }

// switchOn says how a browser is made to listen.
const switchOn = "switch remote debugging on in that browser (chrome://inspect/#remote-debugging), or open one that has it: rove browser open"

// ParseAddress checks where a running browser is said to be: a port, a host and
// port, an http or ws address, or auto. It gives the address in one form.
func ParseAddress(at string) (*url.URL, error) {
	at = strings.TrimSpace(at)
	wrong := fmt.Errorf("%q is no place of a browser: write a port such as 9222, HOST:PORT, http://HOST:PORT, ws://HOST:PORT/devtools/browser/ID, or auto", at)
	if at == Auto {
		return &url.URL{Scheme: Auto}, nil
	}
	if port, err := strconv.Atoi(at); err == nil {
		if port < 1 || port > 65535 {
			return nil, wrong
		}
		return &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", at)}, nil
	}
	if !strings.Contains(at, "://") {
		at = "http://" + at
	}
	u, err := url.Parse(at)
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme) {
		return nil, wrong
	}
	plain := u.Path == "" || u.Path == "/"
	if u.Scheme[0] == 'h' && (u.Port() == "" && u.Scheme == "http" || !plain) {
		return nil, wrong
	}
	if _, ok := PageID(at); ok {
		return nil, fmt.Errorf("%q is the address of one tab; connect to the browser, and name the tab there: act _page tab", at)
	}
	if u.Scheme[0] == 'w' && plain {
		u.Scheme = map[string]string{"ws": "http", "wss": "https"}[u.Scheme] // the browser says the rest
	}
	return u, nil
}

// Running finds the websocket addresses of a running browser, the likeliest first.
// An error is an *Unreachable, or what ParseAddress says.
func Running(ctx context.Context, at string) ([]string, error) {
	u, err := ParseAddress(at)
	if err != nil {
		return nil, err
	}
	switch u.Scheme {
	case Auto:
		return found(ctx)
	case "ws", "wss":
		return []string{u.String()}, nil
	}
	address, err := versionOf(ctx, u)
	if err == nil {
		return []string{address}, nil
	}
	// One that asks its person each time says nothing over HTTP, but leaves its
	// address in its profile.
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		for _, p := range profiles() {
			if port, path, ok := activePort(p); ok && port == u.Port() {
				return []string{"ws://" + u.Host + path}, nil
			}
		}
	}
	return nil, err
}

// versionOf asks a browser for its address.
func versionOf(ctx context.Context, u *url.URL) (string, error) {
	var v struct {
		Address string `json:"webSocketDebuggerUrl"`
	}
	status, err := ask(ctx, u, "/json/version", &v)
	if status == "" {
		return "", &Unreachable{At: u.Host, Reason: "nothing listens there", Hint: switchOn, Err: err}
	}
	if (err != nil || v.Address == "") && speaksBiDi(ctx, u) {
		return "", &Unreachable{
			At: u.Host, Reason: "it is a Firefox, or another browser that speaks WebDriver BiDi alone, and cannot be connected to as one's own",
			Hint: fmt.Sprintf("take Chrome or one of its kin (rove browser open); features drive this one: configure driver = { type: 'firefox', webSocketUrl: 'ws://%s/session' }", u.Host), Err: err,
		}
	}
	if err != nil || v.Address == "" {
		return "", &Unreachable{
			At: u.Host, Reason: fmt.Sprintf("what listens there is no browser that can be driven: it answers %s to /json/version", status),
			Hint: "take the port of the browser's remote debugging; " + switchOn, Err: err,
		}
	}
	// It may know itself by another name than the one it was reached by.
	told, err := url.Parse(v.Address)
	if err != nil {
		return "", &Unreachable{At: u.Host, Reason: "the browser gives no address of its own", Err: err}
	}
	told.Host = u.Host
	if told.Scheme = "ws"; u.Scheme == "https" {
		told.Scheme = "wss"
	}
	return told.String(), nil
}

// speaksBiDi says whether what listens there takes a connection as Firefox does.
func speaksBiDi(ctx context.Context, u *url.URL) bool {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	at := url.URL{Scheme: "ws", Host: u.Host, Path: "/session"}
	if u.Scheme == "https" {
		at.Scheme = "wss"
	}
	t, err := wire.Dial(ctx, at.String(), nil)
	if err != nil {
		return false
	}
	defer t.Close()
	defer context.AfterFunc(ctx, func() { _ = t.Close() })()
	if t.Write([][]byte{[]byte(`{"id":1,"method":"session.status","params":{}}`)}) != nil {
		return false
	}
	answer, err := t.Read()
	var status struct {
		Result struct {
			Ready *bool `json:"ready"`
		} `json:"result"`
	}
	return err == nil && wire.Unmarshal(answer, &status) == nil && status.Result.Ready != nil
}

const askTime = 5 * time.Second

// ask asks a browser over HTTP. The status is "" where nothing answered.
func ask(ctx context.Context, u *url.URL, path string, out any) (status string, err error) {
	at := url.URL{Scheme: u.Scheme, User: u.User, Host: u.Host, Path: path}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return "", err
	}
	if ip := net.ParseIP(u.Hostname()); ip == nil && u.Hostname() != "localhost" {
		req.Host = "localhost" // browsers answer to addresses, and to this name
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 10 * time.Second, DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: transport, Timeout: askTime}).Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4<<20))
	if err == nil {
		err = wire.Unmarshal(body, out)
	}
	if err == nil && resp.StatusCode != http.StatusOK {
		err = errors.New(resp.Status)
	}
	return resp.Status, err
}

// Recent gives the ids of a browser's tabs, the one that was shown or made last
// first. The protocol itself has no word for it: browsers that ask their person about
// every connection do not tell.
func Recent(ctx context.Context, address string) ([]string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme = "http"; strings.HasPrefix(address, "wss:") {
		u.Scheme = "https"
	}
	var list []struct {
		ID   string `json:"id"`
		Type string `json:"type"`
		URL  string `json:"url"`
	}
	if _, err := ask(ctx, u, "/json/list", &list); err != nil {
		return nil, err
	}
	var ids []string
	for _, t := range list {
		if t.Type == "page" && !strings.HasPrefix(t.URL, "devtools:") {
			ids = append(ids, t.ID)
		}
	}
	return ids, nil
}

// found looks for the browsers of this machine's person.
func found(ctx context.Context) ([]string, error) {
	type candidate struct {
		address string
		since   time.Time
	}
	var list []candidate
	for _, dir := range profiles() {
		port, path, ok := activePort(dir)
		if !ok {
			continue
		}
		dialer := net.Dialer{Timeout: time.Second}
		conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			continue // a browser that has ended leaves its file
		}
		_ = conn.Close()
		one := candidate{address: "ws://127.0.0.1:" + port + path}
		if info, err := os.Stat(filepath.Join(dir, portFile)); err == nil {
			one.since = info.ModTime()
		}
		list = append(list, one)
	}
	if len(list) == 0 {
		// One that was given its port leaves no file; nearly everybody gives this one.
		if address, err := versionOf(ctx, &url.URL{Scheme: "http", Host: usualPlace}); err == nil {
			return []string{address}, nil
		}
		return nil, &Unreachable{At: Auto, Reason: "no running browser was found whose remote debugging is on", Hint: switchOn}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return b.since.Compare(a.since) })
	addresses := make([]string, len(list))
	for i, c := range list {
		addresses[i] = c.address
	}
	return addresses, nil
}

const portFile = "DevToolsActivePort"

// usualPlace is where a browser listens that is started as everybody is told to.
var usualPlace = "127.0.0.1:9222"

// activePort reads where the browser of a profile listens, if it does.
func activePort(profile string) (port, path string, ok bool) {
	text, err := os.ReadFile(filepath.Join(profile, portFile))
	if err != nil {
		return "", "", false
	}
	port, path, _ = strings.Cut(strings.ReplaceAll(string(text), "\r", ""), "\n")
	path, _, _ = strings.Cut(path, "\n")
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 || !strings.HasPrefix(path, "/devtools/browser/") {
		return "", "", false
	}
	return port, path, true
}

// profiles are the folders that browsers keep their profiles in, those that
// 'rove browser open' was told to use first.
func profiles() []string {
	list := openedProfiles()
	home, err := os.UserHomeDir()
	if err != nil {
		return list
	}
	in := func(base string, names ...string) {
		for _, n := range names {
			list = append(list, filepath.Join(base, filepath.FromSlash(n)))
		}
	}
	switch runtime.GOOS {
	case "darwin":
		in(filepath.Join(home, "Library", "Application Support"),
			"Google/Chrome", "Google/Chrome Beta", "Google/Chrome Dev", "Google/Chrome Canary", "Chromium",
			"Microsoft Edge", "Microsoft Edge Beta", "Microsoft Edge Dev", "BraveSoftware/Brave-Browser")
	case "windows":
		in(cmp.Or(os.Getenv("LOCALAPPDATA"), filepath.Join(home, "AppData", "Local")),
			"Google/Chrome/User Data", "Google/Chrome Beta/User Data", "Google/Chrome Dev/User Data", "Google/Chrome SxS/User Data", "Chromium/User Data",
			"Microsoft/Edge/User Data", "Microsoft/Edge Beta/User Data", "Microsoft/Edge Dev/User Data", "BraveSoftware/Brave-Browser/User Data")
	default:
		if dir := os.Getenv("CHROME_USER_DATA_DIR"); dir != "" {
			list = append(list, dir)
		}
		in(cmp.Or(os.Getenv("CHROME_CONFIG_HOME"), os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")),
			"google-chrome", "google-chrome-beta", "google-chrome-unstable", "chromium",
			"microsoft-edge", "microsoft-edge-beta", "microsoft-edge-dev", "BraveSoftware/Brave-Browser")
		in(home, "snap/chromium/common/chromium", ".var/app/com.google.Chrome/config/google-chrome",
			".var/app/org.chromium.Chromium/config/chromium", ".var/app/com.microsoft.Edge/config/microsoft-edge")
	}
	return list
}

// openedList is where the profiles are noted that were opened here.
func openedList() (string, error) {
	home, err := proc.Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, "opened"), nil
}

func openedProfiles() []string {
	path, err := openedList()
	if err != nil {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(dir string) bool { return dir == "" })
}

// noteOpened remembers a profile, for auto.
func noteOpened(dir string) error {
	path, err := openedList()
	if err != nil {
		return err
	}
	list := slices.DeleteFunc(openedProfiles(), func(d string) bool { return d == dir })
	list = append([]string{dir}, list...)
	if len(list) > 20 {
		list = list[:20]
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strings.Join(list, "\n")+"\n"), 0o600)
}

// Reach connects to the first of some addresses that lets us. What a browser that
// asks its person answers is waited for until ctx ends.
func Reach(ctx context.Context, addresses []string) (wire.Transport, string, error) {
	var last error
	for _, a := range addresses {
		t, err := wire.Dial(ctx, a, nil)
		if err == nil {
			return t, a, nil
		}
		last = reachError(ctx, a, err)
	}
	return nil, "", last
}

func reachError(ctx context.Context, address string, err error) error {
	at := address
	if u, e := url.Parse(address); e == nil {
		at = u.Host
	}
	var op *net.OpError
	text := err.Error()
	switch {
	case ctx.Err() != nil:
		return &Unreachable{At: at, Reason: "the browser did not agree in time", Hint: "it may be asking you: look at its window and allow it", Err: err}
	case errors.As(err, &op) && op.Op == "dial":
		return &Unreachable{At: at, Reason: "nothing listens there", Hint: switchOn, Err: err}
	case strings.Contains(text, "got 403") || strings.Contains(text, "got 401"):
		return &Unreachable{At: at, Reason: "the browser refused the connection", Hint: "allow it in the browser's window; one that was started with --remote-debugging-port may need --remote-allow-origins", Err: err}
	}
	return &Unreachable{At: at, Reason: "what listens there is no browser that can be driven, or not under this address", Hint: "take the address from the browser: " + switchOn, Err: err}
}
