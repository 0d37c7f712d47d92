package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rove"
	"rove/cdp"
	"rove/internal/session"
	"rove/internal/testkit"
	"rove/internal/tool"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// plan is how long to go on, and with what. `make soak` sets it:
//
//	ROVE_SOAK_TIME       for how long (5s)
//	ROVE_SOAK_SEED       what the calls are made up from (1); the same again makes up the same
//	ROVE_SOAK_WORKERS    conversations at once, of two sessions each (2)
//	ROVE_SOAK_LOG        a file that has every call (none)
type plan struct {
	time    time.Duration
	seed    uint64
	workers int
}

func planned(t *testing.T) plan {
	p := plan{5 * time.Second, 1, 2}
	var err error
	read := func(name string, parse func(string) error) {
		if text := os.Getenv(name); text != "" && err == nil {
			if err = parse(text); err != nil {
				t.Fatalf("%s is %q: %v", name, text, err)
			}
		}
	}
	read("ROVE_SOAK_TIME", func(s string) (err error) { p.time, err = time.ParseDuration(s); return err })
	read("ROVE_SOAK_SEED", func(s string) (err error) { p.seed, err = strconv.ParseUint(s, 10, 64); return err })
	read("ROVE_SOAK_WORKERS", func(s string) (err error) { p.workers, err = strconv.Atoi(s); return err })
	return p
}

// long is a run that is long enough for what is seldom to happen.
func (p plan) long() bool { return p.time >= 4*time.Minute }

// soak is one run.
type soak struct {
	t     *testing.T
	start time.Time
	plan  plan
	tools []*tool.Tool
	site  site
	files []string
	m     *session.Manager
	rules rules
	trace *os.File
	tally tally
	users atomic.Int64 // how many sessions there were, which gives them their names
	chaos sync.Mutex   // one disaster at a time
	calm  atomic.Int64 // when the last one was, in Unix milliseconds
}

// mostTime is more than any call may take: a wait of 30 s, and those before it.
const mostTime = 90 * time.Second

func TestSoak(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.NeedsBrowser(t)
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells what a process has, in /proc")
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary) // browsers leave files there, too
	s := &soak{t: t, start: time.Now(), plan: planned(t), site: serve(t), m: session.NewManager(session.Options{})}
	t.Cleanup(func() {
		if err := s.m.Close(); err != nil {
			t.Error(err)
		}
	})
	s.tools, _ = tool.Set("all")
	if name := os.Getenv("ROVE_SOAK_LOG"); name != "" {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		s.trace = file
	}
	s.files = someFiles(t)

	empty := testkit.Measure(t)
	keeper := s.newSeat(s.m.Conversation(""), "", rand.New(rand.NewPCG(s.plan.seed, 0)))
	s.work(s.plan.time / 4)
	early, targets := s.rest(keeper)
	s.work(s.plan.time * 3 / 4)
	late, targetsLate := s.rest(keeper)
	_ = keeper.talk.Close()
	after := testkit.Measure(t)

	t.Logf("seed %d, %d conversations, %v\n%s\nempty: %v\nearly: %v, %d targets\nlate:  %v, %d targets\nafter: %v",
		s.plan.seed, s.plan.workers, s.plan.time, s.tally.String(), empty, early, pages(targets), late, pages(targetsLate), after)
	grew := func(what string, from, to, slack uint64) {
		if to > from+slack {
			t.Errorf("%s grew from %d to %d", what, from, to)
		}
	}
	grew("goroutines", uint64(early.Goroutines), uint64(late.Goroutines), 10)
	grew("open files", uint64(early.Files), uint64(late.Files), 8)
	grew("browser processes", uint64(early.Processes), uint64(late.Processes), 3)
	if pages(targetsLate) > pages(targets)+2 {
		t.Errorf("targets grew from %v\nto %v", targets, targetsLate)
	}
	grew("temporary files", uint64(early.Left), uint64(late.Left), 4)
	grew("heap", early.Heap, late.Heap, 8<<20)
	grew("memory of rove", early.RSS, late.RSS, 48<<20)
	if after.Processes > 0 || after.Left > empty.Left+1 || after.Goroutines > empty.Goroutines+10 {
		t.Errorf("all sessions have ended, and there are %v", after)
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) > 0 {
		t.Errorf("left among the temporary files: %v", left)
	}
	for _, tl := range s.tools {
		if s.plan.long() && s.tally.good(tl.Name) == 0 {
			t.Errorf("%s was called %d times and never succeeded", tl.Name, s.tally.called(tl.Name))
		}
	}
}

// target is something that a browser has open.
type target struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

// pages counts targets, but for service workers, which outlive their pages for a while.
func pages(list []target) int {
	n := 0
	for _, t := range list {
		if t.Type != "service_worker" {
			n++
		}
	}
	return n
}

// rest is a rove with nothing but the keeper's page, and what it takes.
func (s *soak) rest(keeper *seat) (testkit.Use, []target) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), mostTime)
	defer cancel()
	t, _ := tool.Find("go")
	var targets struct {
		All []target `json:"targetInfos"`
	}
	call, err := t.Prepare(keeper.talk, encode(map[string]any{"url": keeper.home()}), tool.Defaults{})
	if err == nil {
		call.Opened = func(r *rove.Session) {
			conn, _ := cdp.Of(r.Driver().Tab())
			if err := conn.Root().Call(ctx, "Target.getTargets", struct{}{}, &targets); err != nil {
				s.t.Error(err)
			}
		}
		_, err = call.Run(ctx)
	}
	if err != nil {
		s.t.Errorf("the keeper: %v", err)
	}
	return testkit.Measure(s.t), targets.All
}

// work has all conversations at work for a while, and ends them.
func (s *soak) work(d time.Duration) {
	deadline := time.Now().Add(d)
	var wg sync.WaitGroup
	for i := range s.plan.workers {
		wg.Go(func() { s.worker(rand.New(rand.NewPCG(s.plan.seed, uint64(i+1)+uint64(d))), deadline) })
	}
	wg.Wait()
}

// seat is a session of a conversation, and what it was shown.
type seat struct {
	author
	talk  *session.Conversation
	name  string
	trail []string // its latest calls
}

func (s *soak) newSeat(talk *session.Conversation, name string, r *rand.Rand) *seat {
	who := nameOf(s.users.Add(1))
	return &seat{author: author{Rand: r, who: who, site: s.site, files: s.files}, talk: talk, name: name}
}

// worker is one conversation after another, each with two sessions.
func (s *soak) worker(r *rand.Rand, deadline time.Time) {
	var deck []*tool.Tool // dealt like cards, so that every tool has its turn
	for time.Now().Before(deadline) && s.t.Context().Err() == nil {
		talk := s.m.Conversation("")
		seats := []*seat{s.newSeat(talk, "", r), s.newSeat(talk, "other", r)}
		for _, st := range seats {
			s.visit(st)
		}
		calls := 60 + r.IntN(120)
		for n := 0; n < calls && time.Now().Before(deadline); n++ {
			if len(deck) == 0 {
				deck = append(deck, s.tools...)
				for _, t := range s.tools {
					if looks[t.Name] || t.Name == "act" || t.Name == "browse_observe" {
						deck = append(deck, t, t)
					}
				}
				r.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
			}
			t := deck[len(deck)-1]
			deck = deck[:len(deck)-1]
			st := pick(r, seats)
			if r.IntN(30) == 0 {
				s.visit(st)
			}
			if r.IntN(150) == 0 {
				s.disaster(r)
			}
			s.random(st, t, n > calls-4)
		}
		_ = talk.Close()
	}
}

// visit brings a session home: wherever it was lost, there is something to do again.
func (s *soak) visit(st *seat) {
	t, _ := tool.Find("browser_set_offline")
	s.call(s.t.Context(), st, t, encode(map[string]any{"offline": false, "session": st.name}))
	t, _ = tool.Find("go")
	out, err := s.call(s.t.Context(), st, t, encode(map[string]any{"url": st.home(), "session": st.name}))
	if err == nil && out.Text != "" && !strings.Contains(out.Text, "page of "+st.who) {
		s.wrong(st, t, "the own page is not shown", out, err)
	}
}

// random makes one call that nobody would make, or somebody might.
func (s *soak) random(st *seat, t *tool.Tool, last bool) {
	in := st.valid(t)
	in["session"] = st.name
	raw, bad := encode(in), (*strain)(nil)
	if st.chance(25) {
		bad = &strains[st.IntN(len(strains))]
		if !bad.refused && len(t.Parameters()) == 1 {
			bad = &strains[0] // what can be spoilt is only whose answer it is
		}
		raw = bad.spoil(&st.author, t, in)
	}
	ctx, cancel := context.WithCancel(s.t.Context()) // doors set no deadline: every tool has its own
	defer cancel()
	var end *time.Timer
	switch {
	case st.chance(3): // given up
		end = time.AfterFunc(time.Duration(st.IntN(400))*time.Millisecond, cancel)
	case last && st.chance(30): // the conversation ends
		end = time.AfterFunc(time.Duration(st.IntN(200))*time.Millisecond, func() { _ = st.talk.Close() })
	}
	var also sync.WaitGroup
	if st.chance(4) { // two at once have their turns
		other := seat{author: st.author, talk: st.talk, name: st.name}
		other.Rand = rand.New(rand.NewPCG(st.Uint64(), 1))
		also.Go(func() { s.call(ctx, &other, pick(other.Rand, s.tools), raw) })
	}
	out, err := s.call(ctx, st, t, raw)
	also.Wait()
	if end != nil {
		end.Stop()
	}
	if bad != nil && bad.refused && rove.CodeOf(err) != rove.CodeInvalid {
		s.wrong(st, t, "an input was not refused: "+bad.name, out, err)
	}
}

// call makes one call and looks at its answer.
func (s *soak) call(ctx context.Context, st *seat, t *tool.Tool, raw []byte) (out tool.Output, err error) {
	start := time.Now()
	st.trail = append(st.trail, fmt.Sprintf("%v %s %s", start.Sub(s.start).Round(time.Millisecond), t.Name, brief(raw)))
	if len(st.trail) > 12 {
		st.trail = st.trail[1:]
	}
	watch := time.AfterFunc(mostTime+30*time.Second, func() {
		buf := make([]byte, 1<<20)
		panic(fmt.Sprintf("%s %s does not end\n%s", t.Name, brief(raw), buf[:runtime.Stack(buf, true)]))
	})
	defer watch.Stop()
	call, err := t.Prepare(st.talk, raw, tool.Defaults{})
	if err == nil {
		out, err = call.Run(ctx)
	}
	took := time.Since(start)
	s.log("%s %s %s: %v, %v", st.who, t.Name, brief(raw), took.Round(time.Millisecond), err)
	s.tally.add(t.Name, err, took)
	for _, w := range s.rules.answer(st.who, t, raw, out, err) {
		s.wrong(st, t, w, out, err)
	}
	if took > mostTime {
		s.wrong(st, t, fmt.Sprintf("it took %v", took), out, err)
	}
	if rove.CodeOf(err) == rove.CodeProtocol && err != nil && time.Since(time.UnixMilli(s.calm.Load())) > 5*time.Second {
		s.wrong(st, t, "nobody knows what this means", out, err)
	}
	if refs := refsIn(out.Text); len(refs) > 0 {
		st.refs = refs
	}
	if ids := uiLine.FindAllString(out.Text, -1); len(ids) > 0 {
		st.elements = ids
	}
	return out, err
}

// log writes a line for those who want to know all.
func (s *soak) log(format string, args ...any) {
	if s.trace != nil {
		fmt.Fprintf(s.trace, "%8.3f %s\n", time.Since(s.start).Seconds(), strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
	}
}

// wrong tells what is wrong with an answer, and what led to it; each thing once.
func (s *soak) wrong(st *seat, t *tool.Tool, what string, out tool.Output, err error) {
	if !s.tally.first(t.Name + digits.ReplaceAllString(what, "#")) {
		return
	}
	s.t.Errorf("%s of %s: %s\nerror: %v\ntext: %s\nafter\n  %s", t.Name, st.who, what, err, brief([]byte(out.Text)), strings.Join(st.trail, "\n  "))
}

// disaster kills a browser, or a page of one, at most every few seconds.
func (s *soak) disaster(r *rand.Rand) {
	if !s.chaos.TryLock() {
		return
	}
	defer s.chaos.Unlock()
	if time.Since(time.UnixMilli(s.calm.Load())) < 10*time.Second {
		return
	}
	pids, what := testkit.Renderers(s.t), "pages killed"
	if r.IntN(3) == 0 {
		pids, what = testkit.Browsers(s.t), "browsers killed"
	}
	if len(pids) == 0 {
		return
	}
	s.calm.Store(time.Now().UnixMilli())
	if p, err := os.FindProcess(pick(r, pids)); err == nil && p.Kill() == nil {
		s.tally.event(what)
		s.log("%s: %d", what, p.Pid)
	}
}

func brief(raw []byte) string {
	const most = 300
	if len(raw) <= most {
		return string(raw)
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(string(raw[:most]), ""), len(raw))
}

// someFiles are files to upload and to look at.
func someFiles(t *testing.T) []string {
	dir := t.TempDir()
	files := map[string]string{
		"text.txt": "some text", "empty": "", "broken.png": "\x89PNG\r\n\x1a\n\x00\x00",
		"small.gif": "GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
	}
	list := []string{filepath.Join(dir, "nothing"), "relative.txt", dir, ""}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		list = append(list, path)
	}
	return append(list, filepath.Join(dir, "small.gif"), filepath.Join(dir, "text.txt"))
}
