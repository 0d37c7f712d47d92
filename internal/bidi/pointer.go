package bidi

import (
	"context"
	"net/url"

	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

// A press that is performed in the page of a Firefox reaches no frame that has a process of
// its own, as one of another site has: it is performed in that frame, at a place of its own
// viewport.

// spot is where the pointer acts: in a frame, whose viewport begins at a point of the tab's
// and is drawn so many times larger than it is. The zero value is the page itself.
type spot struct {
	frame backend.FrameID
	from  backend.Point
	scale backend.Point
}

// levels is how deep frames are looked into for what is at a point.
const levels = 10

// inside asks a frame whether another one is at a point of it, and where that begins.
const inside = `(x, y) => {
	let el = document.elementFromPoint(x, y);
	for (let inner; el && el.shadowRoot && (inner = el.shadowRoot.elementFromPoint(x, y)) && inner !== el;) el = inner;
	if (!el || !el.contentWindow) return null;
	const r = el.getBoundingClientRect(), style = getComputedStyle(el);
	const sx = el.offsetWidth ? r.width / el.offsetWidth : 1, sy = el.offsetHeight ? r.height / el.offsetHeight : 1;
	return [el.contentWindow, r.left + (el.clientLeft + parseFloat(style.paddingLeft)) * sx, r.top + (el.clientTop + parseFloat(style.paddingTop)) * sy, sx, sy];
}`

// apart says whether a frame of the page is of another site, by its host.
func (t *Tab) apart() bool {
	frames := t.Frames()
	for _, f := range frames {
		if host := hostOf(f.URL); host != "" && host != hostOf(frames[0].URL) {
			return true
		}
	}
	return false
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// spotAt finds the frame that is pressed at a point.
func (t *Tab) spotAt(ctx context.Context, g *anypage.Gate, at backend.Point) spot {
	found := spot{frame: backend.FrameID(t.id), scale: backend.Point{X: 1, Y: 1}}
	for range levels {
		c := &caller{t, g, found.frame}
		x, y := found.within(at.X, at.Y)
		soon, cancel := context.WithTimeout(ctx, focusPatience)
		v, err := c.call(soon, anypage.ScriptWorld, "() => ("+inside+")("+string(anypage.Encode(x))+", "+string(anypage.Encode(y))+")", nil, nil)
		cancel()
		if err != nil {
			break
		}
		var parts []value
		var in struct {
			Context string `json:"context"`
		}
		if wire.Unmarshal(orNull(v.Value), &parts) != nil || len(parts) != 5 || wire.Unmarshal(orNull(parts[0].Value), &in) != nil {
			break
		}
		if _, err := t.FrameOf(backend.FrameID(in.Context)); err != nil || in.Context == "" {
			break
		}
		var n [4]float64
		for i := range n {
			_ = wire.Unmarshal(orNull(parts[i+1].Value), &n[i])
		}
		if n[2] <= 0 || n[3] <= 0 {
			break
		}
		found = spot{
			frame: backend.FrameID(in.Context),
			from:  backend.Point{X: found.from.X + n[0]*found.scale.X, Y: found.from.Y + n[1]*found.scale.Y},
			scale: backend.Point{X: found.scale.X * n[2], Y: found.scale.Y * n[3]},
		}
	}
	return found
}

// within is a point of the tab's viewport as the frame has it.
func (s *spot) within(x, y float64) (float64, float64) {
	return (x - s.from.X) / s.scale.X, (y - s.from.Y) / s.scale.Y
}

// shift moves what the pointer does to the places that the frame has for them.
func (s *spot) shift(one anypage.InputSource) {
	actions, _ := one["actions"].([]map[string]any)
	for _, a := range actions {
		switch x := a["x"].(type) {
		case float64:
			y, _ := a["y"].(float64)
			a["x"], a["y"] = s.within(x, y)
		case int:
			y, _ := a["y"].(int)
			left, top := s.within(float64(x), float64(y))
			a["x"], a["y"] = int(left), int(top)
		}
	}
}

// point finds the frame that the pointer is going to act in: the one at the first place, or
// the one where a button is held.
func (t *Tab) point(ctx context.Context, g *anypage.Gate, events []backend.Input) {
	first, held := true, t.held
	for _, e := range events {
		m, ok := e.(backend.Mouse)
		if !ok {
			continue
		}
		if first && !held {
			var at spot
			if t.apart() {
				at = t.spotAt(ctx, g, backend.Point{X: m.X, Y: m.Y})
			}
			t.Mu.Lock()
			if t.spot.frame != at.frame {
				t.hand.ForgetPointer() // it has another place for where the pointer is
			}
			t.spot = at
			t.Mu.Unlock()
		}
		first = false
		switch m.Kind {
		case backend.MouseDown:
			t.held = true
		case backend.MouseUp:
			t.held = false
		}
	}
}
