package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rove/internal/session"
	"rove/internal/testkit"
)

// Many sessions behind one door, for long. Short by default; the environment can set
//
//	ROVE_SOAK_SESSIONS   sessions at once (6; 50)
//	ROVE_SOAK_CALLS      calls in all (120; 10,000)
//	ROVE_SOAK_TIME       stop calling after so long (1m; 10m)
func bound(t *testing.T, name string, standard int) int {
	text := os.Getenv(name)
	if text == "" {
		return standard
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q: a number", name, text)
	}
	return n
}

func soakTime(t *testing.T) time.Duration {
	text := os.Getenv("ROVE_SOAK_TIME")
	if text == "" {
		return time.Minute
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("ROVE_SOAK_TIME is %q: a time such as 10m", text)
	}
	return d
}

// mine is a page that says whose it is in every way there is, and reads back what
// it finds.
const mine = `<title>%[1]s</title><h1>page of %[1]s</h1><p id=found></p><label>Name <input id=name></label>
<button id=b onclick="n.textContent = +n.textContent + 1">Count</button><output id=n>0</output>
<a href="/file?who=%[1]s" download>Get</a><button onclick="console.error('trouble of %[1]s'); nothing()">Fail</button>
<script>
const found = [document.cookie, localStorage.who, sessionStorage.who, name_()]
function name_() { return window.name }
document.getElementById('found').textContent = 'found ' + JSON.stringify(found)
localStorage.who = sessionStorage.who = window.name = '%[1]s'
indexedDB.open('who').onupgradeneeded = e => e.target.result.createObjectStore('%[1]s')
caches.open('%[1]s').catch(() => 0)
</script>`

// soaker serves the pages and has sessions.
type soaker struct {
	t      *testing.T
	api    string
	site   string
	failed atomic.Int64  // calls; a machine with too much to do has some
	turn   chan struct{} // as many sessions are at work at once as the machine can bear
}

func newSoaker(t *testing.T, most int) (*soaker, *session.Manager) {
	testkit.NeedsBrowser(t)
	m := session.NewManager(session.Options{Max: most})
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	_, addr, _ := start(t, Options{Sessions: m, Token: secret, Most: most})
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": func(w http.ResponseWriter, r *http.Request) {
			who := r.FormValue("who")
			http.SetCookie(w, &http.Cookie{Name: "who", Value: who})
			testkit.Page(fmt.Sprintf(mine, who))(w, r)
		},
		"/file": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Disposition", "attachment; filename=report.txt")
			fmt.Fprint(w, "of "+r.FormValue("who"))
		},
	})
	return &soaker{t: t, api: "http://" + addr, site: site, turn: make(chan struct{}, 2*runtime.NumCPU())}, m
}

// call runs a tool; what goes wrong is told and gives "".
func (s *soaker) call(id, tool string, in any) string {
	out, err := s.try(id, tool, in)
	if err != nil {
		s.t.Errorf("%s %v: %v", tool, in, err)
	}
	return out
}

func (s *soaker) try(id, tool string, in any) (string, error) {
	var a said
	if err := s.ask("POST", "/sessions/"+id+"/"+tool, in, &a); err != nil {
		return "", err
	}
	if a.Error != "" {
		return a.Text, fmt.Errorf("%s", a.Error)
	}
	return a.Text, nil
}

// ask is ask for goroutines that must not end the test.
func (s *soaker) ask(method, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(method, s.api+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+secret)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	answer, err := io.ReadAll(a.Body)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

func (s *soaker) begin() string {
	var a struct{ ID string }
	if err := s.ask("POST", "/sessions", map[string]any{}, &a); err != nil || a.ID == "" {
		s.t.Errorf("no session: %v", err)
	}
	return a.ID
}

func (s *soaker) end(id string) {
	if err := s.ask("DELETE", "/sessions/"+id, nil, nil); err != nil {
		s.t.Error(err)
	}
}

type in = map[string]any

var saved = regexp.MustCompile(`download "(\S+)" \(\d+ bytes`)

// TestNothingCrossesOver has many sessions at the same site at once, each of which
// leaves its name wherever a page can, and looks for any other.
func TestNothingCrossesOver(t *testing.T) {
	n := bound(t, "ROVE_SOAK_SESSIONS", 6)
	s, _ := newSoaker(t, n+1)
	ids := make([]string, n)
	var files sync.Map // path → whose it is
	each := func(do func(i int, id, who string)) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				s.turn <- struct{}{}
				defer func() { <-s.turn }()
				do(i, ids[i], fmt.Sprintf("user%03d", i))
			})
		}
		wg.Wait()
	}
	others := regexp.MustCompile(`user\d\d\d`)
	own := func(what, who, text string) {
		for _, name := range others.FindAllString(text, -1) {
			if name != who {
				t.Errorf("%s of %s has %s in it:\n%s", what, who, name, text)
				return
			}
		}
	}
	each(func(i int, _, who string) {
		ids[i] = s.begin()
		first := s.call(ids[i], "go", in{"url": s.site + "/?who=" + who})
		if !strings.Contains(first, "page of "+who) || !strings.Contains(first, `found [\"who=`+who+`\",null,null,\"\"]`) {
			t.Errorf("the first page of %s:\n%s", who, first)
		}
	})
	// e1 is the field of every one of them.
	each(func(_ int, id, who string) {
		s.call(id, "act", in{"steps": []in{{"ref": "{input}Name", "op": "input", "value": who}, {"ref": "#b", "op": "click"}}})
		own("the receipt of a page's error", who, s.call(id, "act", in{"ref": "{button}Fail", "op": "click"}))
		text := s.call(id, "act", in{"ref": "{a}Get", "op": "click"})
		if !saved.MatchString(text) {
			text = s.call(id, "wait", in{"for": "download"})
		}
		if m := saved.FindStringSubmatch(text); m == nil {
			t.Errorf("the download of %s:\n%s", who, text)
		} else if other, taken := files.LoadOrStore(m[1], who); taken {
			t.Errorf("%s and %s have the same file %s", who, other, m[1])
		}
	})
	each(func(_ int, id, who string) {
		want := fmt.Sprintf(`["who=%[1]s","%[1]s","%[1]s","%[1]s",["who"],["%[1]s"],"%[1]s","1"]`, who)
		got := s.call(id, "eval", in{"js": `Promise.all([indexedDB.databases(), caches.keys()]).then(([d, c]) =>
			[document.cookie, localStorage.who, sessionStorage.who, window.name, d.map(x => x.name), c, document.querySelector('#name').value, n.textContent])`})
		if got != want {
			t.Errorf("%s finds %s, want %s", who, got, want)
		}
		again := s.call(id, "go", in{"url": s.site + "/?who=" + who})
		own("the page", who, again)
		own("the history", who, s.call(id, "act", in{"ref": "_page", "op": "history"}))
	})
	var paths []string
	files.Range(func(path, who any) bool {
		text, err := os.ReadFile(path.(string))
		if err != nil || string(text) != "of "+who.(string) {
			t.Errorf("the file of %s: %q, %v", who, text, err)
		}
		paths = append(paths, path.(string))
		return true
	})
	each(func(_ int, id, _ string) { s.end(id) })
	for _, path := range paths {
		if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
			t.Errorf("%s outlives its session", path)
		}
	}
}

// TestNoGrowth makes calls of all kinds in many sessions, some of which end and begin
// again, and holds what they take against what they took when a fifth was done.
func TestNoGrowth(t *testing.T) {
	testkit.ShellIsEnough(t)
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells what a process has, in /proc")
	}
	n, calls := bound(t, "ROVE_SOAK_SESSIONS", 6), bound(t, "ROVE_SOAK_CALLS", 120)
	s, _ := newSoaker(t, n+1)
	empty := testkit.Measure(t)
	last := s.begin() // keeps the browser
	s.call(last, "go", in{"url": s.site + "/?who=last"})
	var done atomic.Int64
	deadline := time.Now().Add(soakTime(t))
	work := func(share int) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				who := fmt.Sprintf("user%03d", i)
				id := ""
				for c := 0; done.Add(1) <= int64(share) && time.Now().Before(deadline); c++ {
					if c%50 == 0 { // a new session, as agents come and go
						if id != "" {
							s.end(id)
						}
						s.turn <- struct{}{}
						id = s.begin()
						s.call(id, "go", in{"url": s.site + "/?who=" + who})
						<-s.turn
						continue
					}
					s.random(id, who)
				}
				if id != "" {
					s.end(id)
				}
			})
		}
		wg.Wait()
	}
	begun := time.Now()
	work(calls / 5)
	early, before := testkit.Measure(t), min(int(done.Load()), calls/5)
	work(calls)
	late := testkit.Measure(t)
	made := min(int(done.Load()), calls)
	t.Logf("%d calls in %v\nempty: %v\nearly: %v\nlate:  %v", made, time.Since(begun).Round(time.Second), empty, early, late)
	if failed := int(s.failed.Load()); failed > made/50 {
		t.Errorf("%d of %d calls failed", failed, made)
	}
	if made < calls {
		t.Logf("the time was over before %d calls", calls)
	}
	if os.Getenv("ROVE_SOAK_CALLS") != "" && made < 2*before {
		t.Errorf("%d calls after the first %d: too few to tell growth", made-before, before)
	}
	grew := func(what string, from, to, slack uint64) {
		if to > from+slack {
			t.Errorf("%s grew from %d to %d in %d calls", what, from, to, made)
		}
	}
	grew("goroutines", uint64(early.Goroutines), uint64(late.Goroutines), 10)
	grew("open files", uint64(early.Files), uint64(late.Files), 6)
	grew("browser processes", uint64(early.Processes), uint64(late.Processes), 3)
	grew("temporary files", uint64(early.Left), uint64(late.Left), 2)
	grew("heap", early.Heap, late.Heap, 4<<20)
	grew("objects on the heap", early.Objects, late.Objects, 1000+uint64(made-before)/8) // they differ by a hundred
	if !testkit.Race {
		grew("memory of rove", early.RSS, late.RSS, max(24<<20, early.RSS/8))
	}
	grew("memory of the browser", early.Browser, late.Browser, 150<<20)
	s.end(last)
	if after := testkit.Measure(t); after.Processes > 0 || after.Left > empty.Left+1 || after.Goroutines > empty.Goroutines+10 {
		t.Errorf("all sessions have ended, and there are %v", after)
	}
}

// random makes one call of some kind.
func (s *soaker) random(id, who string) {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	url := s.site + "/?who=" + who
	kinds := []struct {
		tool string
		in   in
	}{
		{"look", in{}},
		{"look", in{"find": "page"}},
		{"look", in{"mode": "text"}},
		{"look", in{"since": "last"}},
		{"act", in{"ref": "#b", "op": "click"}},
		{"act", in{"ref": "#name", "op": "input", "value": who}},
		{"act", in{"ref": "_page", "op": "scroll", "value": "down"}},
		{"act", in{"ref": "{button}Fail", "op": "click"}},
		{"eval", in{"js": "document.title"}},
		{"eval", in{"js": "'x'.repeat(3000)"}},
		{"wait", in{"for": "5"}},
		{"wait", in{"for": "text:page of"}},
		{"go", in{"url": url}},
		{"act", in{"ref": "#b", "op": "screenshot"}},
		{"act", in{"steps": []in{{"ref": "_page", "op": "tab", "value": "new " + url}, {"ref": "_page", "op": "tab", "value": "close"}}}},
	}
	k := kinds[rand.N(len(kinds))]
	if _, err := s.try(id, k.tool, k.in); err != nil {
		s.failed.Add(1)
		s.t.Logf("%s %v: %v", k.tool, k.in, err)
	}
}
