package chrome

import (
	"slices"
	"time"

	"github.com/chromedp/cdproto/browser"

	"rove/internal/proc"
)

// All pages of a browser share one thread of its main process. A page that sends it more
// work than it can do (titles, messages, calls) stops every other session, and the
// protocol does not say which page that is. Two signs can be seen from outside: a call to
// the thread stays unanswered while it uses the processor, and all that time one renderer
// spends its processor time in the kernel, where messages to the browser are sent. A page
// that is merely busy does not do that, and is left alone. So is one that sent a lot once:
// by the time its messages are handled it sends no more.
//
// Everything is measured in processor time, never in wall time: on a busy machine
// everything takes longer.
//
// Console lines keep the thread busy, too, since each is reported. They have a limit of
// their own in flood.go, which knows whose they are.
//
// While the thread is idle now and then, this costs one small read every strainTick.
const (
	strainTick = 200 * time.Millisecond
	// restless is the part of a tick that the thread ran or was ready to run, from which
	// on it is sent a call. The system does not yet count what it waits for right now.
	restless = 0.6
	// unheard is how much processor time the browser may spend on other things while the
	// call waits.
	unheard = 450 * time.Millisecond
	// spells are the parts of it: the one that is ended talked in each of them.
	spells = 3
	// talk is the part of that time that a renderer must have spent in the kernel to be
	// the cause, and it must be twice that of any other. When this has gone on for several
	// times unheard, the renderer that spent most is taken: few messages can be a lot of work.
	talk   = 15
	enough = 7
	// hoard is how much more memory the browser may take while a question waits: what
	// it was given to do lies there, and has to be worked off by whoever comes next. The
	// largest answers that rove itself asks for take half of that.
	hoard = 1 << 30
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
	had    int64           // memory, then
	spell  proc.Load       // when this spell began
	before []proc.Member   // the renderers when it was asked
	during []proc.Member   // and when this spell began, without those that were silent in one
	talked int             // for how many spells
	ended  bool            // one was ended, and what it left is worked off until there is an answer
}

// watchedProcess is what is watched of a browser: a *proc.Process.
type watchedProcess interface {
	MainLoad() (proc.Load, error)
	MainMemory() (int64, error)
	Members(argument string) ([]proc.Member, error)
	End(proc.Member) error
}

// watchStrain watches until the browser is gone. It does nothing where the system gives no
// figures of threads.
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
			s.had, _ = s.process.MainMemory()
			s.then, s.spell, s.during, s.talked = load, load, s.before, 0
		}
		return one, false
	}
	if has, err := s.process.MainMemory(); err == nil && has-s.had > hoard && !s.ended {
		if list, err := s.process.Members(renderers); err == nil {
			one, found = s.busiestRenderer(list, 0, load.Ran-s.then.Ran)
		}
		if found {
			s.asked, s.ended = nil, true
			return one, found
		}
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

// busiestRenderer is the renderer that has sent the browser most since the call, and more
// than least. One that started after the call is left out: a process that starts spends a
// lot of time in the kernel.
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

// relief is how late the report of a renderer's end may come: it waits behind all the work
// that the renderer had sent. The protocol does not say which pages it had: they are those
// that crash first, all at once. One that crashes by itself after them is not given their
// reason.
const (
	relief   = 2 * time.Minute
	together = time.Second
)

// reliefReason says why a page crashed, if its renderer was ended to protect the other sessions.
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
