package feature

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"rove/driver"
	"rove/internal/bidi"
	"rove/internal/testkit"
	"rove/internal/webdriver"
	"rove/report"
)

// runUI runs features of testdata/ui in a real browser.
func runUI(t *testing.T, o Options) *Result {
	t.Helper()
	if o.Dir == "" {
		o.Dir = "testdata/ui"
	}
	return runWith(t, o.Dir+"/pages", o)
}

// runWith runs features with the pages of a folder.
func runWith(t *testing.T, pages string, o Options) *Result {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	server := httptest.NewServer(http.FileServer(http.Dir(pages)))
	t.Cleanup(server.Close)
	o.Output = "-"
	o.Properties = map[string]string{"site": server.URL, "other": strings.Replace(server.URL, "127.0.0.1", "localhost", 1)}
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestUI(t *testing.T) {
	t.Parallel()
	allPass(t, runUI(t, Options{Paths: []string{"navigation.feature", "elements.feature", "waits.feature", "frames.feature"}, Threads: 4}), 31)
}

// TestUIWide: every method, in many scenarios, with more of them at a time than there
// are processors: a wait of a scenario must not fail for what the others do.
func TestUIWide(t *testing.T) {
	t.Parallel()
	allPass(t, runUI(t, Options{Dir: "testdata/wide", Tags: []string{"~@ignore"}, Threads: 8}), 140)
}

// TestUIOneSlot: calls in calls with one driver in all never wait for each other.
func TestUIOneSlot(t *testing.T) {
	testkit.ShellIsEnough(t)
	t.Parallel()
	allPass(t, runWith(t, "testdata/wide/pages", Options{Dir: "testdata/one", Tags: []string{"~@ignore"}, Threads: 1}), 18)
}

// everyUI are the features and scripts that run as they are whatever the browser.
var everyUI = []string{"navigation.feature", "elements.feature", "waits.feature", "frames.feature", "first.feature", "navigation.karate.js", "element.karate.js"}

// TestUIElsewhere: what a tester writes does not depend on the protocol.
func TestUIElsewhere(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	_, noDriver := webdriver.Find("chromedriver")
	_, noFirefox := bidi.Find()
	for browser, missing := range map[string]error{"chromedriver": noDriver, "firefox": noFirefox} {
		t.Run(browser, func(t *testing.T) {
			t.Parallel()
			if missing != nil {
				t.Skip(missing)
			}
			allPass(t, runUI(t, Options{Browser: browser, Paths: append([]string{"bare.feature"}, everyUI...), Threads: 2}), 41)
		})
	}
}

// TestUIFirstVersion: features in the manner of the first version run as they
// are.
func TestUIFirstVersion(t *testing.T) {
	t.Parallel()
	allPass(t, runUI(t, Options{Paths: []string{"first.feature"}, Threads: 2}), 6)
}

// TestUIScripts: tests in JavaScript have the driver, too.
func TestUIScripts(t *testing.T) {
	t.Parallel()
	allPass(t, runUI(t, Options{Paths: []string{"navigation.karate.js", "element.karate.js"}, Threads: 2}), 3)
}

// TestDriverMethodsInScripts: a script has every method of the driver. Those that
// go by another name, or are for programs alone, are named here.
func TestDriverMethodsInScripts(t *testing.T) {
	t.Parallel()
	other := map[string]string{
		"URL": "url", "SetURL": "setUrl", "WaitForURL": "waitForUrl", "HTML": "html", "PDF": "pdf", "CloseTab": "close", "SetValue": "value",
		"SelectIndex": "select", "SwitchFrameAt": "switchFrame", "SwitchPageAt": "switchPage", "MouseAt": "mouse", "ScriptOn": "script", "WaitUntilOn": "waitUntil",
		"WaitUntilFunc": "waitUntil", "SetTimeout": "timeout", "SetRetryInterval": "retry", "Present": "exists", "EmbedScreenshot": "screenshot",
		"OpenDialog": "getDialog", "Protocol": "cdp",
	}
	for name := range strings.FieldsSeq(`Abandon Alive Backend BrowserContext Can Capabilities ConfineUploads RefuseScripts OnQuit OnTrigger Trips Timeouts SetTimeouts SetLifetime EmulateWith Take EmulateConfig Choose SessionStorage SetSessionStorage Databases SetDatabases
		Tab Tabs NewTab SwitchTab Resize Screencast StartTrace StartVideo Network SetNetwork Downloads WaitDownloads
		Clipboard SetClipboard LocalStorage SetLocalStorage Storage SetStorage ClearStorage`) {
		other[name] = "" // for programs
	}
	typ := reflect.TypeFor[*driver.Driver]()
	for i := range typ.NumMethod() {
		name := typ.Method(i).Name
		own := strings.ToLower(name[:1]) + name[1:]
		if o, ok := other[name]; ok {
			own = o
		}
		_, method := driverMethods[own]
		_, property := driverReads[own]
		if own != "" && !method && !property {
			t.Errorf("a script has no %s: add it to driverMethods, or name it here as one for programs", own)
		}
	}
}

// TestUIFailures: each says what is wrong, and has a picture where there is a
// page.
func TestUIFailures(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"not configured": "driver not configured", "no element": "#never", "in a called feature": "#name", "bad option": "typ", "bad type": "netscape",
		"nobody there": "127.0.0.1:1", "no executable": "chrome executable not found", "null locator": "locator cannot be null or empty",
	}
	r := runUI(t, Options{Paths: []string{"failures.feature"}, Threads: 1})
	for _, s := range r.Files[0].Scenarios {
		if s.Status != report.Failed || want[s.Name] == "" || !strings.Contains(s.Error, want[s.Name]) {
			t.Errorf("%s: %s: %s", s.Name, s.Status, s.Error)
		}
		delete(want, s.Name)
		pictures := 0
		var count func(steps []*report.Step)
		count = func(steps []*report.Step) {
			for _, st := range steps {
				pictures += len(st.Embeds)
				for _, c := range st.Calls {
					for _, inner := range c.Scenarios {
						count(inner.Steps)
					}
				}
			}
		}
		count(s.Steps)
		// What the driver binds is no variable of the scenario.
		own := false
		for _, v := range s.Variables {
			own = own || v.Name == "site"
			if _, bound := driverMethods[v.Name]; bound || v.Name == "driver" || v.Name == "Key" || v.Name == "karate" {
				t.Errorf("%s: %s is among the variables", s.Name, v.Name)
			}
		}
		if !own {
			t.Errorf("%s: the variables are %v", s.Name, s.Variables)
		}
		if (s.Name == "no element" || s.Name == "in a called feature") && pictures != 1 {
			t.Errorf("%s: %d pictures", s.Name, pictures)
		}
	}
	for name := range want {
		t.Errorf("%s was not run", name)
	}
}
