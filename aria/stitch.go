package aria

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
	t := &Tree{URL: main.URL, Title: main.Title, More: main.More}
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
	s.add(main.Nodes, 0, true)
	return t
}

type stitcher struct {
	t      *Tree
	frames map[int]Frame
	used   map[int]bool // a frame has one owner; a second is a forgery or a bug
}

func (s *stitcher) add(nodes []Node, depth int, inView bool) {
	for _, n := range nodes {
		n.Depth += depth
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
			s.add(f.Nodes, n.Depth+1, n.State&InView != 0)
		}
	}
}

func (s *stitcher) unreadable(n *Node, why string) {
	what := "iframe"
	if n.Name != "" {
		what += " " + quote(n.Name)
	}
	if n.Ref != "" {
		what = string(n.Ref) + " " + what
	}
	s.t.Unreadable = append(s.t.Unreadable, what+": "+clean(why))
}

func hasFrame(nodes []Node) bool {
	for i := range nodes {
		if nodes[i].Role == "iframe" && nodes[i].Frame != 0 {
			return true
		}
	}
	return false
}
