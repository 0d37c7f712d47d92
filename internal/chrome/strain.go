package chrome

import (
	"slices"
	"time"

	"github.com/chromedp/cdproto/browser"

	"rove/internal/proc"
)

// All pages of a browser are served by one thread of its first process. A page
// that gives it more to do than it can (titles, messages, questions, whatever the
// next version adds) stops every other session, and the protocol says nothing of
// who it is. What can be seen from outside: a question to the thread stays without an
// answer while it works and works, and one renderer spends its time in the kernel,
// which is where talking to the browser is done, all that while. A page that is just
// busy does not; its process goes on. Nor is one ended that had a lot to say once: by
// the time that is worked off it is silent.
//
// All is measured in processor time, and never in what the clock says: on a busy
// machine everything takes longer, and nobody is to blame.
//
// Lines for the console keep the thread busy, too, since each is told. They have a limit
// of their own, in flood.go, which knows whose they are.
//
// As long as the thread rests now and then, all this costs is one small read
// every strainTick.
const (
	strainTick = 200 * time.Millisecond
	// restless is the part of a tick that the thread ran or wanted to, from which on
	// it is asked. What it waits for at this moment is not counted by the system yet.
	restless = 0.6
	// unheard is how much work the browser may do on other things while a question
	// waits.
	unheard = 450 * time.Millisecond
	// spells are the parts of it: the one that is ended talked in each of them.
	spells = 3
	// talk is the part of that work that a renderer must have spent in the kernel to
	// be the one, and it must be twice that of any other. When this has gone on for
	// enough times unheard, it is whoever talked most: few words can be a lot of work.
	talk   = 15
	enough = 7
	// telling is how many lines for the console explain why the thread is busy.
	telling = 500
)

// bounds are what the pages of a browser may do to it.
type bounds struct {
	limits  [flows]limit
	unheard time.Duration
}

// strain watches over the browser's main thread.
type strain struct {
	process watchedProcess
	ask     func() (answer <-chan struct{})
	lines   func() int64 // for consoles, so far
	unheard time.Duration

	last proc.Load // at the last tick
	at   time.Time // of the last tick

	asked  <-chan struct{} // nil: the thread rested when it was last seen
	told   int64           // lines when it was asked
	then   proc.Load       // when it was asked
	spell  proc.Load       // when this spell began
	before []proc.Member   // the renderers when it was asked
	during []proc.Member   // and when this spell began, without those that were silent in one
	talked int             // for how many spells
	ended  bool            // one was ended, and what it left is worked off until there is an answer
}

// watchedProcess is what is watched of a browser: a *proc.Process.
type watchedProcess interface {
	MainLoad() (proc.Load, error)
	Members(argument string) ([]proc.Member, error)
	End(proc.Member) error
}

// watchStrain watches until the browser is gone. Where the system tells nothing of
// threads it does not.
func (b *Browser) watchStrain() {
	s := &strain{
		process: b.process, ask: func() <-chan struct{} { return b.conn.Root().Start(browser.CommandGetVersion, nil).Done() },
		lines: b.lines.Load, unheard: b.bounds.unheard, at: time.Now(),
	}
	var err error
	if s.last, err = b.process.MainLoad(); err != nil {
		return
	}
	tick := time.NewTicker(strainTick)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-b.conn.Done():
			return
		}
		one, found := s.look(time.Now())
		if !found {
			continue
		}
		// The news of its end comes after this.
		b.mu.Lock()
		b.lastRelief = time.Now()
		b.mu.Unlock()
		_ = b.process.End(one)
	}
}

// look is one tick. It gives the renderer that keeps the browser from answering,
// once it is known. A question that was asked stands until it is answered.
func (s *strain) look(now time.Time) (one proc.Member, found bool) {
	load, err := s.process.MainLoad()
	if err != nil {
		return one, false
	}
	wanted := load.Ran - s.last.Ran + load.Waited - s.last.Waited
	busy := float64(wanted) >= restless*float64(now.Sub(s.at))
	s.last, s.at = load, now
	select {
	case <-s.asked:
		s.asked, s.ended = nil, false
	default:
	}
	if s.asked != nil && s.lines()-s.told > telling {
		s.asked = nil
		return one, false
	}
	if s.asked == nil {
		if busy {
			s.asked, s.told = s.ask(), s.lines()
			s.before, _ = s.process.Members(renderers)
			s.then, s.spell, s.during, s.talked = load, load, s.before, 0
		}
		return one, false
	}
	if load.Ran-s.spell.Ran < s.unheard/spells {
		return one, false
	}
	list, err := s.process.Members(renderers)
	if err != nil {
		return one, false
	}
	least := (load.Ran - s.spell.Ran) / talk
	s.during = slices.DeleteFunc(slices.Clone(list), func(m proc.Member) bool { return spent(m, s.during) < least })
	s.spell = load
	if s.talked++; len(s.during) == 0 {
		s.during, s.talked = list, 0 // from here on, then
	}
	worked := load.Ran - s.then.Ran
	if s.talked >= spells {
		one, found = s.busiestRenderer(s.during, 0, worked)
	}
	if !found && worked >= enough*s.unheard && !s.ended {
		one, found = s.busiestRenderer(list, s.unheard/talk, worked)
	}
	if found {
		s.asked, s.ended = nil, true
	}
	return one, found
}

// renderers are the processes that were started with this.
const renderers = "--type=renderer"

// spent is what a process has spent in the kernel since it was listed, or nothing if it
// was not.
func spent(m proc.Member, since []proc.Member) time.Duration {
	i := slices.IndexFunc(since, func(o proc.Member) bool { return o.Pid == m.Pid })
	if i < 0 {
		return 0
	}
	return m.System - since[i].System
}

// busiestRenderer is the renderer of a list that has talked to the browser most since it was
// asked, and more than so much. One that is younger than the question is not looked at: a
// process that starts has the system do a lot.
func (s *strain) busiestRenderer(list []proc.Member, least, worked time.Duration) (one proc.Member, found bool) {
	var most, next time.Duration
	for _, m := range list {
		switch d := spent(m, s.before); {
		case d > most:
			one, most, next = m, d, most
		case d > next:
			next = d
		}
	}
	if most <= least || most < 2*next && worked < enough*s.unheard {
		return one, false
	}
	return one, true
}

// relief is how late the news of a renderer's end may come: it waits behind all that
// the renderer gave the browser to do. Which pages it had, the protocol does not say:
// they are those that die first, all at once. One that dies by itself after them is not
// told their reason.
const (
	relief   = 30 * time.Second
	together = time.Second
)

// reliefReason says why a page that died did so, if it was ended for the others' sake.
func (b *Browser) reliefReason() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.lastRelief.IsZero() || now.Sub(b.lastRelief) > relief {
		return ""
	}
	if b.reliefToldAt.Before(b.lastRelief) {
		b.reliefToldAt = now
	}
	if now.Sub(b.reliefToldAt) > together {
		return ""
	}
	return "it gave the browser more to do than it can (titles, messages or the like), which held up all other pages; its process was ended"
}
