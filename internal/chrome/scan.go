package chrome

import (
	"context"
	"slices"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// Scan makes the page script acquainted with closed shadow roots and with
// elements that only a listener makes clickable.
func (t *Tab) Scan(ctx context.Context, ids ...backend.FrameID) (bool, error) {
	g, err := t.enter(ctx)
	if err != nil {
		return false, err
	}
	t.Mu.Lock()
	var frames []*frame
	for _, id := range ids {
		if f := t.find(id); f != nil {
			frames = append(frames, f)
		}
	}
	if len(ids) == 0 {
		t.tree.walk(func(f *frame) { frames = append(frames, f) })
	}
	t.Mu.Unlock()
	return t.scan(ctx, g, frames)
}

// scanLoaded scans documents that have just been loaded.
func (t *Tab) scanLoaded(batch []*frame) {
	ctx, cancel := context.WithTimeout(t.Life, anypage.ScanTimeout)
	defer cancel()
	if g, err := t.enter(ctx); err == nil {
		_, _ = t.scan(ctx, g, batch)
	}
}

// scan scans frames and those inside them.
func (t *Tab) scan(ctx context.Context, g *anypage.Gate, frames []*frame) (found bool, err error) {
	s := anypage.ChromiumScan[*cdp.Session]{
		Worlds: t.worldsBelow(frames),
		Ask: func(cmds []devtool, take func(i int, answer []byte)) error {
			for i, p := range t.startTools(cmds...) {
				err := t.await(ctx, g, p, nil)
				switch {
				case err == nil:
					answer, _ := p.Result()
					take(i, answer)
				case ctx.Err() != nil || tabWide(err):
					return err
				}
			}
			return nil
		},
		Start: func(cmds ...devtool) { t.startTools(cmds...) },
	}
	return s.Run(ctx, g, t.scanning)
}

type devtool = anypage.Devtool[*cdp.Session]

func (t *Tab) startTools(tools ...devtool) []*cdp.Pending {
	cmds := make([]cdp.Command, len(tools))
	for i, d := range tools {
		cmds[i] = d.Session.Command(d.Method, d.Params)
	}
	return t.browser.conn.Start(cmds...)
}

// worldsBelow lists the worlds of frames and of the frames inside them, the innermost first.
func (t *Tab) worldsBelow(frames []*frame) []*anypage.ChromiumWorld[*cdp.Session] {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	var list []*world
	seen := make(map[*frame]bool)
	for _, f := range frames {
		walk(f, func(f *frame) {
			if l := t.linkOf(f); !seen[f] && f.world != nil && !f.world.bare && !(l != nil && l.hangs) {
				list = append(list, f.world)
			}
			seen[f] = true
		})
	}
	depth := func(f *frame) (n int) {
		for ; f.parent != nil; f = f.parent {
			n++
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b *world) int { return depth(b.frame) - depth(a.frame) })
	worlds := make([]*anypage.ChromiumWorld[*cdp.Session], len(list))
	for i, w := range list {
		worlds[i] = &anypage.ChromiumWorld[*cdp.Session]{Session: w.session, ID: int(w.id), Unique: w.unique, Told: w.told}
		if page := w.frame.global; page != nil && page.session == w.session {
			worlds[i].Page = page.unique
		}
	}
	return worlds
}

// linkOf is the session a frame is in, or nil. The lock is held.
func (t *Tab) linkOf(f *frame) *link {
	if f.session == nil {
		return nil
	}
	return t.links[f.session.ID()]
}
