package chrome

import (
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"rove/internal/proc"
)

// Kind tells the builds of the browser apart that are started differently.
type Kind string

const (
	KindAuto  Kind = ""       // by the executable's name
	KindFull  Kind = "chrome" // Chrome, Chromium, Edge, Brave
	KindShell Kind = "shell"  // chrome-headless-shell and its like
)

// kindOf guesses the kind from the name of the executable.
func kindOf(path string) Kind {
	name := strings.ToLower(filepath.Base(path))
	if strings.Contains(name, "headless-shell") || strings.Contains(name, "headless_shell") {
		return KindShell
	}
	return KindFull
}

// flag is a switch of the command line, with the reason it is there.
type flag struct{ name, why string }

// always are the switches of every browser rove starts.
var always = []flag{
	{"--remote-debugging-pipe", "no port anybody else could connect to, and the browser ends with us"},
	{"--no-first-run", "no welcome pages"},
	{"--no-default-browser-check", "no question about the default browser"},
	{"--no-service-autorun", "nothing that outlives the browser"},
	{"--disable-background-networking", "no traffic the page did not ask for"},
	{"--disable-component-update", "no downloads of components"},
	{"--disable-domain-reliability", "no reports to Google"},
	{"--disable-client-side-phishing-detection", "no model downloads, no reports"},
	{"--disable-sync", "no account"},
	{"--disable-quic", "what is seen over HTTP/1 and 2 is all there is"},
	{"--disable-default-apps", "nothing to install into an empty profile"},
	{"--disable-component-extensions-with-background-pages", "no hidden pages"},
	{"--disable-field-trial-config", "the same behaviour on every machine"},
	{"--metrics-recording-only", "metrics are not sent"},
	{"--disable-breakpad", "no crash reports"},
	{"--disable-background-timer-throttling", "a tab nobody looks at must be as quick as one in front"},
	{"--disable-backgrounding-occluded-windows", "the same"},
	{"--disable-renderer-backgrounding", "the same"},
	{"--disable-back-forward-cache", "back and forward load the page, and its requests are seen"},
	{"--site-per-process", "what another site embeds crashes, hangs and is spied on alone; a shell would have it in the page's process"},
	{"--disable-hang-monitor", "a busy page is not killed under us"},
	{"--disable-popup-blocking", "a popup is for the one who drives to decide about"},
	{"--disable-prompt-on-repost", "a reload after a POST asks nobody"},
	{"--disable-search-engine-choice-screen", "no question before the first page"},
	{"--allow-pre-commit-input", "input right after a navigation is not swallowed"},
	{"--enable-automation", "no bubbles that ask to save passwords or restore pages"},
	{"--password-store=basic", "no keyring that asks for a password"},
	{"--use-mock-keychain", "the same on macOS"},
	{"--force-color-profile=srgb", "screenshots look the same everywhere"},
	{"--edge-skip-compat-layer-relaunch", "Edge would start a second process and leave the pipe behind"},
}

// disabledFeatures are switched off in one --disable-features.
var disabledFeatures = []flag{
	{"Translate", "a bubble over the page"},
	{"MediaRouter", "looks for screens in the local network"},
	{"DialMediaRouteProvider", "the same"},
	{"OptimizationHints", "downloads"},
	{"HttpsUpgrades", "http:// means http://"},
	{"Prerender2", "pages nobody asked for, which later become the tab's page"},
	{"PaintHolding", "the old page would stay on screen for a while"},
	{"DestroyProfileOnBrowserClose", "slows down the end"},
	{"GlobalMediaControls", "a bubble"},
	{"LensOverlay", "an overlay"},
	{"WebUIOmniboxPopup", "a process of 150 MB and its start, in every window, for an address bar that nobody sees"},
	{"WebUIOmniboxAimPopup", "the same"},
	{"AutoDeElevate", "on Windows the browser would start itself anew and leave the pipe behind"},
}

// headless are the switches of a browser without a window.
var headless = []flag{
	{"--hide-scrollbars", "pictures without scrollbars"},
	{"--mute-audio", "nobody listens"},
	{"--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4", "there is a mouse, as far as style sheets can tell"},
}

// confined are the switches of a browser whose sessions may not reach everything.
var confined = []flag{
	{"--webrtc-ip-handling-policy=disable_non_proxied_udp", "datagrams are not to find their own way out"},
	{"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "the same, as a headless shell has it"},
}

// arguments builds the command line for a profile directory.
func (o *Options) arguments(profile string) []string {
	var args []string
	add := func(flags []flag) {
		for _, f := range flags {
			args = append(args, f.name)
		}
	}
	add(always)
	if !o.Headed {
		if o.kind() == KindFull {
			args = append(args, "--headless=new")
		} else {
			args = append(args, "--headless")
		}
		add(headless)
	}
	if o.Policy != nil && o.Policy.Limits() {
		add(confined)
	}
	if runtime.GOOS == "linux" {
		// Containers have 64 MB of it, which large pages overrun and crash.
		args = append(args, "--disable-dev-shm-usage")
		if ok, _ := proc.Sandbox(o.Path); !ok {
			args = append(args, "--no-sandbox")
		}
	}
	if runtime.GOOS == "linux" && o.hasNoLanguage() {
		// A headless shell would make up one that scripts cannot use.
		args = append(args, "--accept-lang=en-US,en")
	}
	if o.keepPages {
		args = slices.DeleteFunc(args, func(a string) bool { return a == "--disable-back-forward-cache" })
	}
	view := o.viewport()
	args = append(args,
		"--window-size="+strconv.Itoa(view.Width)+","+strconv.Itoa(view.Height),
		"--user-data-dir="+profile)
	args = append(args, o.Args...)

	// Of a switch given twice Chrome takes the last; features are to add up.
	off := make([]string, 0, len(disabledFeatures))
	for _, f := range disabledFeatures {
		off = append(off, f.name)
	}
	args = slices.DeleteFunc(args, func(a string) bool {
		names, ok := strings.CutPrefix(a, "--disable-features=")
		if ok {
			off = append(off, strings.Split(names, ",")...)
		}
		return ok
	})
	args = append(args, "--disable-features="+strings.Join(off, ","))
	return append(args, blank)
}

// blank is the page a browser and a tab start with.
const blank = "about:blank"
