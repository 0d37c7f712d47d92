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
// who it is. What can be seen from outside: the thread never rests, a question to
// it stays without an answer while it works, and one renderer spends its time in
// the kernel, which is where talking to the browser is done. A page that is just
// busy does not; its process goes on.
//
// Lines for the console keep the thread busy, too, since each is told. They have a limit
// of their own, in flood.go, which knows whose they are.
//
// As long as the thread rests now and then, all this costs is one small read
// every strainTick.
const (
	strainTick = 200 * time.Millisecond
	// restless is the part of a tick that the thread wanted to run, from which on
	// it is asked.
	restless = 0.9
	// unheard is how much work the browser may do on other things while a question
	// waits. It is processor time: on a busy machine everything takes longer, and
	// nobody is to blame.
	unheard = 450 * time.Millisecond
	// telling is how many lines for the console explain why the thread is busy.
	telling = 500
	// talk is how much of that a renderer must have spent in the kernel to be the
	// one, and it must be twice that of any other, unless this has gone on for
	// longer than enough.
	talk   = unheard / 15
	enough = 3 * time.Second
)

// strain watches over the browser's main thread.
type strain struct {
	process strained
	ask     func() (answer <-chan struct{})
	lines   func() int64 // for consoles, so far

	told   int64           // lines when it was asked
	asked  <-chan struct{} // nil: the thread rested when it was last seen
	before []proc.Member
	then   proc.Load // when it was asked
	last   proc.Load // at the last tick
	at     time.Time // of the last tick
}

// strained is what is watched of a browser: a *proc.Process.
type strained interface {
	MainLoad() (proc.Load, error)
	Members(argument string) ([]proc.Member, error)
	End(proc.Member) error
}

// watchStrain watches until the browser is gone. Where the system tells nothing of
// threads it does not.
func (b *Browser) watchStrain() {
	s := &strain{
		process: b.process, ask: func() <-chan struct{} { return b.conn.Root().Start(browser.CommandGetVersion, nil).Done() },
		lines: b.lines.Load, at: time.Now(),
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
		b.relieved = time.Now()
		b.mu.Unlock()
		_ = b.process.End(one)
	}
}

// look is one tick. It gives the renderer that keeps the browser from answering,
// once it is known.
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
		s.asked, s.before = nil, nil
	default:
	}
	if !busy {
		s.asked, s.before = nil, nil
		return one, false
	}
	if s.asked == nil {
		s.before, _ = s.process.Members("--type=renderer")
		s.asked, s.then, s.told = s.ask(), load, s.lines()
		return one, false
	}
	if s.lines()-s.told > telling {
		s.asked, s.before = nil, nil
		return one, false
	}
	worked := load.Ran - s.then.Ran
	if worked < unheard {
		return one, false
	}
	one, found = s.talker(worked)
	if found {
		s.asked, s.before = nil, nil // what is queued already takes its time
	}
	return one, found
}

// talker is the renderer that talks to the browser all the time. One that is
// younger than the question is not looked at: a process that starts has the system
// do a lot.
func (s *strain) talker(worked time.Duration) (one proc.Member, found bool) {
	list, err := s.process.Members("--type=renderer")
	if err != nil {
		return one, false
	}
	var most, next time.Duration
	for _, m := range list {
		i := slices.IndexFunc(s.before, func(o proc.Member) bool { return o.Pid == m.Pid })
		if i < 0 {
			continue
		}
		switch spent := m.System - s.before[i].System; {
		case spent > most:
			one, most, next = m, spent, most
		case spent > next:
			next = spent
		}
	}
	if most < talk || most < 2*next && worked < enough {
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

// reliefs says why a page that died did so, if it was ended for the others' sake.
func (b *Browser) reliefs() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.relieved.IsZero() || now.Sub(b.relieved) > relief {
		return ""
	}
	if b.mourned.Before(b.relieved) {
		b.mourned = now
	}
	if now.Sub(b.mourned) > together {
		return ""
	}
	return "it gave the browser more to do than it can (titles, messages or the like), which held up all other pages; its process was ended"
}
