package soak

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rove/internal/demo"
	"rove/internal/testkit"
)

// mine is a page that says whose it is in every way a page can, prints what it finds
// of others, and has something for every operation.
const mine = `<!doctype html><title>%[1]s</title><link rel=manifest href="/manifest.json">
<h1>page of %[1]s</h1><p id=found></p>
<form action="/mine"><input type=hidden name=who value="%[1]s">
<label>Name <input id=name name=n></label> <label>Note <textarea id=note></textarea></label>
<label><input type=checkbox id=agree> Agree</label>
<label>Size <select id=size><option>small<option>medium<option value=l>large</select></label>
<label>File <input type=file id=file multiple></label> <input type=range id=range> <button id=send>Send</button></form>
<button id=b onclick="n.textContent = +n.textContent + 1">Count</button><output id=n>0</output>
<button id=fail onclick="console.error('trouble of %[1]s'); nothing()">Fail</button>
<button id=ask onclick="n.textContent = prompt('name of %[1]s?')">Ask</button>
<button id=sure onclick="n.textContent = confirm('sure, %[1]s?')">Sure</button>
<button id=load onclick="fetch('/api?who=%[1]s').then(r => r.text()).then(t => n.textContent = t)">Load</button>
<button id=grow onclick="for (let i = 0; i < 30; i++) list.insertAdjacentHTML('beforeend', '<li>row ' + i + ' of %[1]s <a href=#>more</a>')">Grow</button>
<button id=off disabled>Off</button> <a id=get href="/file?who=%[1]s" download>Get</a>
<a id=next href="/mine?who=%[1]s&p=2">Next</a> <a id=pop target=_blank href="/mine?who=%[1]s&p=3">Pop</a>
<ul id=list></ul><iframe title=inner src="/inner?who=%[1]s"></iframe><div id=host></div>
<div id=box style="height:60px;overflow:auto"><div style="height:900px">tall</div><p id=end>end of the box</p></div>
<script>
const found = [document.cookie, localStorage.who, sessionStorage.who, window.name]
document.getElementById('found').textContent = 'found ' + JSON.stringify(found)
localStorage.who = sessionStorage.who = window.name = '%[1]s'
indexedDB.open('who').onupgradeneeded = e => e.target.result.createObjectStore('%[1]s')
host.attachShadow({mode: 'closed'}).innerHTML = '<button>In the shadow</button>'
navigator.serviceWorker?.register('/sw.js').catch(() => 0)
caches.open('%[1]s').catch(() => 0)
caches.keys().then(k => console.log('caches', k)); indexedDB.databases().then(d => console.log('databases', d))
console.log('line of %[1]s'); fetch('/api?who=%[1]s')
</script>`

// hostile are pages that mean no good, of those that every call gets away from before
// long and that need no server of their own.
var hostile = strings.Fields(`alert-in-timer alert-on-focus alert-on-load animation-endless beforeunload big-page clobbered closes-itself confirm-chain
	console-flood crash csp-strict deep-nesting detaches-on-mousedown document-write download-blob errors-flood focus-thief frames-in-frames
	hides-all history-trap location-hash-loop mutations-each-frame odd-frames odd-geometry overlay-transparent patched-globals patched-prototypes
	popup-storm popup-with-alert pushstate-flood rebuilds-all reformats-text rejects-text removes-itself runs-away selection-loop shadow-storm swallows-events`)

const hostilePages = "../../testdata/pages/hostile"

// site is where sessions go.
type site struct{ origin, demo string }

func serve(t *testing.T) site {
	text := func(kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, body+owner(r))
		}
	}
	var s site
	s.origin = testkit.Serve(t, map[string]http.HandlerFunc{
		"/mine": func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "who", Value: owner(r)})
			testkit.Page(fmt.Sprintf(mine, owner(r)))(w, r)
		},
		"/inner": func(w http.ResponseWriter, r *http.Request) {
			testkit.Page(fmt.Sprintf(`<p>inner of %s</p><input aria-label=Inside><button onclick="alert('inner of %[1]s')">Press</button>`, owner(r)))(w, r)
		},
		"/file": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Disposition", "attachment; filename=report.txt")
			fmt.Fprint(w, "of "+owner(r))
		},
		"/api":           text("text/plain", "answer for "),
		"/sw.js":         text("text/javascript", "oninstall = () => skipWaiting(); onfetch = () => {} //"),
		"/manifest.json": text("application/manifest+json", `{"name":"Soak","start_url":"/mine","display":"standalone","icons":[]}`),
		"/slow": func(w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"/nothing": http.NotFound,
		"/p/": func(w http.ResponseWriter, r *http.Request) {
			text, err := os.ReadFile(filepath.Join(hostilePages, filepath.Base(r.URL.Path)))
			if err != nil {
				http.NotFound(w, r)
				return
			}
			_, html, _ := strings.Cut(string(text), "\n-->\n")
			testkit.Page(strings.NewReplacer("HERE", s.origin, "THERE", s.origin).Replace(html))(w, r)
		},
	})
	url, stop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	s.demo = strings.TrimSuffix(url, "/")
	return s
}

// somebody is what a session is called, and what no other may ever see. The last two
// digits are a check: whoever changes a digit of a name that was typed somewhere does
// not make it another's.
var somebody = regexp.MustCompile(`user\d{6}`)

// nameOf is the name of the nth session.
func nameOf(n int64) string { return fmt.Sprintf("user%04d%02d", n, n*37%97) }

// isName says whether a session can be called so.
func isName(s string) bool {
	var n int64
	_, err := fmt.Sscanf(s, "user%4d", &n)
	return err == nil && nameOf(n) == s
}

func TestNames(t *testing.T) {
	for n := range int64(2000) {
		name := nameOf(n)
		if !isName(name) || somebody.FindString("of "+name+".") != name {
			t.Fatalf("%s is no name", name)
		}
		for i := 4; i < len(name); i++ {
			for d := byte('0'); d <= '9'; d++ {
				if other := name[:i] + string(d) + name[i+1:]; other != name && isName(other) {
					t.Fatalf("%s and %s are one digit apart", name, other)
				}
			}
		}
	}
}

// owner is whom a request is for; never what somebody typed into the address.
func owner(r *http.Request) string { return somebody.FindString(r.FormValue("who")) }

func TestHostilePagesAreThere(t *testing.T) {
	for _, name := range hostile {
		if _, err := os.Stat(filepath.Join(hostilePages, name+".html")); err != nil {
			t.Error(err)
		}
	}
}
