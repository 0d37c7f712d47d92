package webdriver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// kind is a driver that rove knows how to start.
type kind struct {
	name     string
	programs []string // what it is called on a PATH, and where else it may be
	port     string   // the flag that says where to listen
	args     []string
	bidi     bool // it can offer BiDi
	browser  func(Options) object
	install  string
}

var drivers = []kind{
	{
		name: "chromedriver", programs: []string{"chromedriver", "/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver"}, port: "--port=",
		bidi: true, browser: chromium("chrome", "goog:chromeOptions"),
		install: "install it (Debian: apt-get install chromium-driver, macOS: brew install chromedriver, npm: npx @puppeteer/browsers install chromedriver)",
	},
	{
		name: "msedgedriver", programs: []string{"msedgedriver"}, port: "--port=",
		bidi: true, browser: chromium("MicrosoftEdge", "ms:edgeOptions"),
		install: "install it with Microsoft Edge's developer tools, of the version of the browser, and put it on the PATH",
	},
	{
		name: "geckodriver", programs: []string{"geckodriver", home(".cargo/bin/geckodriver")}, port: "--port=", args: []string{"--host=127.0.0.1", "--websocket-port=0"},
		bidi: true, browser: gecko,
		install: "install it (cargo install geckodriver, macOS: brew install geckodriver), or take Firefox without it: --browser firefox",
	},
	{
		name: "webkit", programs: []string{"WebKitWebDriver", "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/WebKitWebDriver"}, port: "--port=",
		browser: webkit,
		install: "install it (Debian: apt-get install webkit2gtk-driver)",
	},
	{
		name: "safaridriver", programs: []string{"safaridriver"}, port: "--port=",
		browser: func(Options) object { return object{"browserName": "safari"} },
		install: "it comes with macOS; let it drive Safari once: safaridriver --enable",
	},
}

// Names are the drivers that rove knows.
func Names() []string {
	var list []string
	for _, d := range drivers {
		list = append(list, d.name)
	}
	return list
}

// Known says whether a name is a driver's, or the path of an executable that is called
// like one, and which.
func Known(want string) (name string, ok bool) {
	base := want[strings.LastIndexAny(want, `/\`)+1:]
	base = strings.TrimSuffix(strings.ToLower(base), ".exe")
	if base == "webkitwebdriver" {
		base = "webkit"
	}
	return base, slices.Contains(Names(), base) && (base == want || base != "webkit" || strings.Contains(strings.ToLower(want), "webdriver"))
}

// OffersBiDi says whether a driver can offer BiDi.
func OffersBiDi(name string) bool {
	d := find(name)
	return d != nil && d.bidi
}

// ErrMissing says that a driver is not on this machine.
var ErrMissing = errors.New("is not on this machine")

// NeedsDisplay says whether a driver's browser shows a window, always.
func NeedsDisplay(browser string) bool {
	name, _ := Known(browser)
	return name == "webkit" && runtime.GOOS == "linux"
}

// errNoDisplay is for a browser that would wait for a display without end.
var errNoDisplay = errors.New("WebKit's browser shows a window, and there is no display here: start one (Xvfb :99 &) and say so (export DISPLAY=:99); for one command there is xvfb-run -a")

// Install says how a driver is installed.
func Install(name string) string {
	if d := find(name); d != nil {
		return d.install
	}
	return ""
}

func find(name string) *kind {
	for i := range drivers {
		if drivers[i].name == name {
			return &drivers[i]
		}
	}
	return nil
}

// Find finds a driver's executable: an environment variable such as ROVE_CHROMEDRIVER
// names it, else it is looked for.
func Find(name string) (string, error) {
	d := find(name)
	if d == nil {
		return "", fmt.Errorf("%q is no driver: there are %s", name, strings.Join(Names(), ", "))
	}
	variable := "ROVE_" + strings.ToUpper(name)
	if path := os.Getenv(variable); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			return "", fmt.Errorf("%s: %w", variable, err)
		}
		return path, nil
	}
	for _, program := range d.programs {
		if path, err := exec.LookPath(program); program != "" && err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s %w", program(name), ErrMissing)
}

// program is what a driver is called where one looks for it.
func program(name string) string {
	if name == "webkit" {
		return "WebKitWebDriver"
	}
	return name
}

func home(path string) string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return dir + "/" + path
}

// chromium says how a browser of the kind is asked for.
func chromium(name, key string) func(Options) object {
	return func(o Options) object {
		// Pages that come back from memory come without the events that tell of them; the
		// address bar's popups are a process of 150 MB in every window, for nobody.
		args := []string{"--no-first-run", "--no-default-browser-check", "--disable-features=BackForwardCache,Translate,HttpsUpgrades,WebUIOmniboxPopup,WebUIOmniboxAimPopup"}
		if !o.Headed {
			args = append(args, "--headless=new", "--hide-scrollbars")
		}
		if runtime.GOOS == "linux" && os.Geteuid() == 0 {
			args = append(args, "--no-sandbox", "--disable-dev-shm-usage")
		}
		options := object{"args": append(args, o.Args...)}
		if o.Binary != "" {
			options["binary"] = o.Binary
		}
		return object{"browserName": name, key: options}
	}
}

// gecko says how Firefox is asked for.
func gecko(o Options) object {
	args := o.Args
	if !o.Headed {
		args = append([]string{"-headless"}, args...)
	}
	prefs := object{
		"dom.disable_open_during_load": false, "dom.allow_scripts_to_close_windows": true, "browser.download.alwaysOpenPanel": false,
		"fission.bfcacheInParent": false, "focusmanager.testmode": true, "remote.bidi.dismiss_file_pickers.enabled": true, "browser.chrome.site_icons": false, "ui.useOverlayScrollbars": 1, "general.smoothScroll": false, "devtools.jsonview.enabled": false,
	}
	if !o.Headed {
		for _, what := range []string{"geo", "desktop-notification", "camera", "microphone"} {
			prefs["permissions.default."+what] = 2 // nobody could answer: no
		}
	}
	options := object{"args": append([]string{}, args...), "prefs": prefs}
	if o.Binary != "" {
		options["binary"] = o.Binary
	}
	asked := object{"browserName": "firefox", "moz:firefoxOptions": options}
	if !o.Classic {
		asked["unhandledPromptBehavior"] = object{"default": "ignore", "file": "dismiss"} // its field could not open another chooser
	}
	return asked
}

// webkit says how WebKitGTK's browser is asked for: the small one that comes with it.
func webkit(o Options) object {
	options := object{"args": append([]string{"--automation"}, o.Args...)}
	for _, binary := range []string{
		o.Binary, "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser",
		"/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
	} {
		if _, err := os.Stat(binary); binary != "" && err == nil {
			options["binary"] = binary
			break
		}
	}
	return object{"webkitgtk:browserOptions": options}
}

func listenFlag(d *kind, port int) string { return d.port + strconv.Itoa(port) }
