package anypage

import (
	"context"
	"slices"
	"time"

	"rove/driver/backend"
)

// Frame is a frame of a tab.
type Frame struct {
	ID, Parent backend.FrameID
	URL, Name  string
	Owner      int    // see backend.Frame
	Document   string // names the one that is there
	Parsed     bool
	Loaded     bool

	Unreachable bool // see backend.Frame
}

// Main says whether it is that of the page itself.
func (f *Frame) Main() bool { return f.Parent == "" }

// Reached says whether its document has come as far as is waited for.
func (f *Frame) Reached(until backend.WaitUntil) bool {
	switch until {
	case backend.WaitCommit:
		return true
	case backend.WaitDOMContentLoaded:
		return f.Parsed
	}
	return f.Loaded
}

// Framed is a page with the list of its frames, for browsers that tell of them in order.
type Framed struct {
	Page
	List   []*Frame                     // the main one first, parents before their children
	Owners BatchWorker[backend.FrameID] // frames whose element the parent is to be told

	lastOwner int
}

// Frames lists the frames there are now.
func (p *Framed) Frames() []backend.Frame {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	if p.err != nil {
		return nil
	}
	list := make([]backend.Frame, len(p.List))
	for i, f := range p.List {
		list[i] = backend.Frame{ID: f.ID, Parent: f.Parent, URL: f.URL, Name: f.Name, Unreachable: f.Unreachable, Owner: f.Owner}
	}
	return list
}

// Find finds a frame; "" is the main one. The lock is held.
func (p *Framed) Find(id backend.FrameID) *Frame {
	for _, f := range p.List {
		if f.ID == id || id == "" {
			return f
		}
	}
	return nil
}

// FrameOf finds a frame that a call is for; "" is the main one.
func (p *Framed) FrameOf(id backend.FrameID) (backend.FrameID, error) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	if f := p.Find(id); f != nil {
		return f.ID, nil
	}
	return "", backend.Fail(backend.KindNavigated, "the frame is gone")
}

// All are the frames asked for, or every one.
func (p *Framed) All(frames []backend.FrameID) []backend.FrameID {
	if len(frames) > 0 {
		return frames
	}
	for _, f := range p.Frames() {
		frames = append(frames, f.ID)
	}
	return frames
}

// Attach takes in a frame, with a number for its element, and answers false where it is
// known or its parent is not. The lock is held.
func (p *Framed) Attach(f *Frame) bool {
	if len(p.List) > 0 && (p.Find(f.ID) != nil || p.Find(f.Parent) == nil) {
		return false
	}
	if f.Main() {
		p.List = append(p.List, f)
		return true
	}
	p.AttachAs(p.NextOwner(), f)
	p.Owners.Add(f.ID)
	return true
}

// NextOwner is the number that the next frame's element gets. The lock is held.
func (p *Framed) NextOwner() int { return p.lastOwner + 1 }

// AttachAs takes in a frame whose element has a number already. The lock is held.
func (p *Framed) AttachAs(owner int, f *Frame) {
	f.Owner, p.lastOwner = owner, max(p.lastOwner, owner)
	p.List = append(p.List, f)
}

// Detach forgets a frame and those inside it, and tells of it. The lock is held.
func (p *Framed) Detach(id backend.FrameID) {
	gone := map[backend.FrameID]bool{id: true}
	p.List = slices.DeleteFunc(p.List, func(f *Frame) bool {
		if !gone[f.ID] && (f.Main() || !gone[f.Parent]) {
			return false
		}
		gone[f.ID] = true
		p.News.Add(backend.FrameRemoved{Frame: f.ID})
		return true
	})
}

// DetachInside forgets the frames inside one. The lock is held.
func (p *Framed) DetachInside(id backend.FrameID) {
	for _, f := range slices.Clone(p.List) {
		if f.Parent == id && id != "" {
			p.Detach(f.ID)
		}
	}
}

// Finish is a document that has loaded. The lock is held.
func (p *Framed) Finish(f *Frame) {
	f.Parsed, f.Loaded = true, true
	p.News.Add(backend.Loaded{Frame: f.ID, Document: f.Document, Main: f.Main()}, backend.NavigationStopped{Frame: f.ID, Main: f.Main()})
}

// Inner are those of some frames that are in another one.
func (p *Framed) Inner(batch []backend.FrameID) (list []Frame) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	for _, id := range batch {
		if f := p.Find(id); f != nil && !f.Main() {
			list = append(list, *f)
		}
	}
	return list
}

// ownersTimeout bounds how long a call waits for parents to be told of their frames.
const ownersTimeout = 500 * time.Millisecond

// AwaitOwners waits for parents to be told of their frames.
func (p *Framed) AwaitOwners(ctx context.Context, g *Gate) error {
	work := p.Owners.Busy()
	if work == nil {
		return nil
	}
	select {
	case <-work:
	case <-time.After(ownersTimeout):
	case <-g.Shut:
		return g.Err
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}
