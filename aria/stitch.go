package aria

import "math"

// Frame is what came back from one frame of the page.
type Frame struct {
	Part
	// Err says why the frame could not be read; "" where it was.
	Err string
}

// Stitch puts each frame's nodes below the iframe node that owns it, frames in
// frames too. A frame whose iframe is not in the tree is hidden, and left out.
// One that is there but could not be read is named in Unreadable.
func Stitch(main Part, frames map[int]Frame) *Tree {
	s := stitcher{frames: frames, used: make(map[int]bool, len(frames))}
	t := &Tree{
		URL: main.URL, Title: main.Title, More: main.More,
		Screen: Box{main.ScrollX, main.ScrollY, main.ViewportW, main.ViewportH}, PixelRatio: main.PixelRatio, Layers: main.Layers,
	}
	if len(frames) == 0 && !hasFrame(main.Nodes) {
		t.Nodes = main.Nodes
		return t
	}
	n := len(main.Nodes)
	for _, f := range frames {
		n += len(f.Nodes)
	}
	t.Nodes = make([]Node, 0, n)
	s.t = t
	s.add(main.Nodes, 0, 0, true, place{})
	return t
}

type stitcher struct {
	t      *Tree
	frames map[int]Frame
	used   map[int]bool // a frame has one owner; a second is a forgery or a bug
}

// place is where a frame is on the screen, and on which layer.
type place struct {
	inside Box // of the frame's border; without extent for the page itself
	sx, sy float64
	layer  int // the frame is in, 0 for none
	layers int // that were counted before its own
}

// put gives a box of a frame its place on the screen.
func (p place) put(b Box) Box {
	if p.sx == 0 {
		return b
	}
	scale := func(v int, by float64) int { return int(math.Round(float64(v) * by)) }
	return Box{p.inside.X + scale(b.X, p.sx), p.inside.Y + scale(b.Y, p.sy), scale(b.W, p.sx), scale(b.H, p.sy)}
}

// within is the place of a frame whose element is n.
func (s *stitcher) within(n *Node, f *Part) place {
	p := place{layer: n.Layer, layers: len(s.t.Layers)}
	if n.Box.W > 0 && n.Box.H > 0 && f.ViewportW > 0 && f.ViewportH > 0 {
		p.inside = n.Box
		p.sx, p.sy = float64(n.Box.W)/float64(f.ViewportW), float64(n.Box.H)/float64(f.ViewportH)
	}
	for _, l := range f.Layers {
		s.t.Layers = append(s.t.Layers, Layer{Box: p.put(l.Box)})
	}
	return p
}

func (s *stitcher) add(nodes []Node, depth, nest int, inView bool, at place) {
	for _, n := range nodes {
		n.Depth += depth
		n.Nest += nest
		n.Share += nest
		n.Box = at.put(n.Box)
		if n.Layer > 0 {
			n.Layer += at.layers
		} else {
			n.Layer = at.layer
		}
		if !inView {
			n.State &^= InView
		}
		s.t.Nodes = append(s.t.Nodes, n)
		if n.Role != "iframe" || n.Frame == 0 || s.used[n.Frame] {
			continue
		}
		s.used[n.Frame] = true
		f, ok := s.frames[n.Frame]
		switch {
		case !ok:
			s.unreadable(&n, "not loaded yet")
		case f.Err != "":
			s.unreadable(&n, f.Err)
		default:
			s.t.More = s.t.More || f.More
			s.add(f.Nodes, n.Depth+1, n.Nest+1, n.State&InView != 0, s.within(&n, &f.Part))
		}
	}
}

func (s *stitcher) unreadable(n *Node, why string) {
	what := "iframe"
	if n.Name != "" {
		what += " " + Quote(n.Name)
	}
	if n.Ref != "" {
		what = string(n.Ref) + " " + what
	}
	s.t.Unreadable = append(s.t.Unreadable, what+": "+Plain(why))
}

func hasFrame(nodes []Node) bool {
	for i := range nodes {
		if nodes[i].Role == "iframe" && nodes[i].Frame != 0 {
			return true
		}
	}
	return false
}
