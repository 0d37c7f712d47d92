package anypage

import (
	"context"
	"fmt"
	"sync"

	"rove/driver/backend"
)

// Page is what a tab is in every browser: whether it is there, who watches it, what ends
// all waiting for it, and the dialog and file chooser that it shows. Backends embed it.
type Page struct {
	News News
	Life context.Context // ends with the tab; for work behind its calls

	// Dismisses says of a dialog that the page it belongs to is being left, so that nobody
	// will answer it. It is called with the lock held; nil is as BeginLeaving and EndLeaving have it.
	Dismisses func(d *backend.Dialog) bool

	id      string
	done    chan struct{}
	endLife context.CancelFunc

	Mu        sync.Mutex // guards what follows, and what a backend adds
	gate      *Gate
	dialog    *Prompt
	answered  Signal // the dialog is closed
	departing bool   // the page is being left, dialogs and all
	left      []string
	chooser   *backend.Chooser
	give      func(ctx context.Context, paths []string) error
	err       error // set before done is closed
}

// Init makes the page ready.
func (p *Page) Init(id string) {
	p.id, p.done, p.gate = id, make(chan struct{}), NewGate()
	p.Life, p.endLife = context.WithCancel(context.Background())
}

// ID names the tab.
func (p *Page) ID() string { return p.id }

// Done is closed when the tab is gone.
func (p *Page) Done() <-chan struct{} { return p.done }

// Err says why the tab is gone.
func (p *Page) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Watch has fn called for every event of the tab until stop is called.
func (p *Page) Watch(fn func(backend.Event)) (stop func()) { return p.News.Watch(fn) }

// Enter is where every call to the page begins: it gives the gate to watch, or the reason
// there is no use in asking.
func (p *Page) Enter() (*Gate, error) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	select {
	case <-p.gate.Shut:
		return nil, p.gate.Err
	default:
		return p.gate, nil
	}
}

// Gate is what ends waiting for the page, whether or not it has been shut.
func (p *Page) Gate() *Gate {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	return p.gate
}

// Await waits for an answer, or for what makes waiting pointless. read reads the answer; of
// what ended a call the gate tells, and better.
func (p *Page) Await(ctx context.Context, g *Gate, answered <-chan struct{}, read func() error) error {
	if err := g.Await(ctx, answered, p.done); err != nil {
		return err
	}
	err := read()
	if err == nil {
		return nil
	}
	select {
	case <-g.Shut:
		return g.Err
	default:
		return err
	}
}

// End is the end of the tab. It answers false where that came before. between is done when
// the tab has ended for those who list it, and before those who wait are told.
func (p *Page) End(reason error, between func()) bool {
	p.Mu.Lock()
	if p.err != nil {
		p.Mu.Unlock()
		return false
	}
	p.err = reason
	p.Mu.Unlock()
	between()
	p.Mu.Lock()
	close(p.done) // before shut: whoever is told that it is closed finds it gone
	p.Shut(reason)
	p.answered.Fire()
	p.Mu.Unlock()
	p.endLife()
	return true
}

// Ended says whether the tab is at its end. The lock is held.
func (p *Page) Ended() bool { return p.err != nil }

// Shut ends all that waits for the page. The lock is held.
func (p *Page) Shut(reason error) {
	select {
	case <-p.gate.Shut: // by a dialog
		p.gate = NewGate()
	default:
	}
	p.gate.Close(reason)
}

// Crashed is a page whose process is gone; why is what is known of it. The lock is held.
func (p *Page) Crashed(reason error, why string) {
	p.dialog = nil
	p.Shut(reason)
	p.News.Add(backend.Crashed{Why: why})
}

// Reopen lets calls through again, whatever shut them out. The lock is held.
func (p *Page) Reopen() { p.gate = NewGate() }

// Revived lets calls through to a page that had crashed, and has another document now. The
// lock is held.
func (p *Page) Revived() {
	if backend.KindOf(p.gate.Err) == backend.KindCrashed && p.err == nil {
		p.Reopen()
	}
}

// Prompt is a dialog that is open, and how it is answered.
type Prompt struct {
	backend.Dialog
	Key    any // what the protocol knows it by, if there may be several
	Answer func(ctx context.Context, accept bool, text string) error

	accepted bool
}

// DialogOpened takes in a dialog. It answers false where the page is being left: nobody
// will answer it then, and accept says how the browser is to.
func (p *Page) DialogOpened(d *Prompt) (accept, taken bool) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	if p.dialog != nil || p.err != nil {
		return false, true
	}
	if p.dismisses(d) {
		return d.Type == "beforeunload", false
	}
	p.dialog = d
	p.Shut(d.Shuts())
	p.News.Add(backend.DialogOpened{Dialog: d.Dialog})
	return false, true
}

func (p *Page) dismisses(d *Prompt) bool {
	if p.Dismisses != nil {
		return p.Dismisses(&d.Dialog)
	}
	if p.departing {
		p.dismissed(d)
	}
	return p.departing
}

// Shuts is why nothing is answered while it is open.
func (d *Prompt) Shuts() *backend.Error {
	return &backend.Error{Kind: backend.KindDialog, Text: d.Type + ": " + d.Message, Dialog: &d.Dialog}
}

// DialogClosed is the end of the dialog that is open; nil for accepted is as it was
// answered. One with another key is not the one.
func (p *Page) DialogClosed(key any, accepted *bool) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	if p.dialog == nil || p.dialog.Key != key || p.err != nil {
		return
	}
	closed := backend.DialogClosed{Accepted: p.dialog.accepted}
	if accepted != nil {
		closed.Accepted = *accepted
	}
	p.dialog = nil
	p.Reopen()
	p.answered.Fire()
	p.News.Add(closed)
}

// Dialog is the dialog that is open, or nil.
func (p *Page) Dialog() *backend.Dialog {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	if p.dialog == nil {
		return nil
	}
	d := p.dialog.Dialog
	return &d
}

// AnswerDialog closes the open dialog, and returns when it is closed.
func (p *Page) AnswerDialog(ctx context.Context, accept bool, text string) error {
	p.Mu.Lock()
	d, closed := p.dialog, p.answered.Next()
	if d != nil {
		d.accepted = accept
	}
	p.Mu.Unlock()
	if d == nil {
		return backend.Fail(backend.KindProtocol, "no dialog is open")
	}
	if err := d.Answer(ctx, accept, text); err != nil {
		return err
	}
	select {
	case <-closed:
		return nil
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// BeginLeaving begins to leave a page that may not want to be left: dialogs are dismissed until
// EndLeaving is called.
func (p *Page) BeginLeaving(ctx context.Context) error {
	p.Mu.Lock()
	p.departing, p.left = true, nil
	open := p.dialog
	if open != nil {
		p.dismissed(open)
	}
	p.Mu.Unlock()
	if open == nil {
		return nil
	}
	return p.AnswerDialog(ctx, open.Type == "beforeunload", "")
}

func (p *Page) dismissed(d *Prompt) {
	p.left = append(p.left, fmt.Sprintf("a %s dialog, %q", d.Type, d.Message))
}

// EndLeaving is the end of leaving.
func (p *Page) EndLeaving() {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	p.departing = false
}

// Left is what was dismissed to leave the page before. The lock is held.
func (p *Page) Left() []string { return p.left }

// ChooserOpened takes in a file chooser, which nobody sees. give gives it files; nil is one
// that no field of the page takes files from. The lock is held.
func (p *Page) ChooserOpened(c backend.Chooser, give func(ctx context.Context, paths []string) error) {
	if c.Declined = give == nil; !c.Declined {
		p.chooser, p.give = &c, give
	}
	p.News.Add(backend.ChooserOpened{Chooser: c})
}

// ChooserGone forgets the chooser of a page that was left. The lock is held.
func (p *Page) ChooserGone() { p.chooser, p.give = nil, nil }

// Chooser is the file chooser that is open, or nil.
func (p *Page) Chooser() *backend.Chooser {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	if p.chooser == nil {
		return nil
	}
	c := *p.chooser
	return &c
}

// AnswerChooser gives files to the open file chooser, which is kept while the page cannot
// take them.
func (p *Page) AnswerChooser(ctx context.Context, paths []string) error {
	if _, err := p.Enter(); err != nil {
		return err
	}
	p.Mu.Lock()
	give := p.give
	p.chooser, p.give = nil, nil
	p.Mu.Unlock()
	if give == nil {
		return backend.Fail(backend.KindProtocol, "no file chooser is open")
	}
	return give(ctx, paths)
}
