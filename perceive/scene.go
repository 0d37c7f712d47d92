package perceive

import (
	"slices"
	"strings"
)

// scene is what is in view of a page, arranged as a person takes it in: what
// belongs together, and what floats above the rest.
type scene struct {
	nodes  []*A11yNode       // in view, layers left out
	parent map[string]string // by node id
	byID   map[string]*A11yNode
	ids    map[string]string // el_N by node id, of what can be operated
	covers []int             // layers that no press goes past, the outermost first
	told   bool              // the backend tells of states and layers
}

func newScene(s *Sight) *scene {
	sc := &scene{
		parent: map[string]string{}, byID: make(map[string]*A11yNode, len(s.Nodes)), ids: map[string]string{},
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Role == layerRole {
			sc.told = true
			if n.has(covering) {
				sc.covers = append(sc.covers, n.Layer)
			}
			continue
		}
		sc.told = sc.told || len(n.States) > 0
		sc.byID[n.NodeID] = n
		for _, c := range n.Children {
			sc.parent[c] = n.NodeID
		}
		if !n.has(string(Offscreen)) {
			sc.nodes = append(sc.nodes, n)
		}
	}
	for i := range s.Map.Elements {
		if e := &s.Map.Elements[i]; e.Interactive {
			sc.ids[e.AXRef] = e.ID
		}
	}
	return sc
}

// within says whether a node is another or inside it.
func (sc *scene) within(n, outer *A11yNode) bool {
	for id, deep := n.NodeID, 0; id != "" && deep < 1000; id, deep = sc.parent[id], deep+1 {
		if id == outer.NodeID {
			return true
		}
	}
	return false
}

// inside says whether a node is inside one of these roles.
func (sc *scene) inside(n *A11yNode, roles ...string) bool {
	for id, deep := sc.parent[n.NodeID], 0; id != "" && deep < 1000; id, deep = sc.parent[id], deep+1 {
		if up := sc.byID[id]; up != nil && slices.Contains(roles, up.Role) {
			return true
		}
	}
	return false
}

// operable says whether something can be done with a node.
func (sc *scene) operable(n *A11yNode) bool { return sc.ids[n.NodeID] != "" }

// part is a part of a page that belongs together.
type part struct {
	scene    *scene
	nodes    []*A11yNode
	controls []*A11yNode // what can be operated
	text     string      // what can be read, and the name of the part itself
}

// gather makes a part of the nodes in view that are in it.
func (sc *scene) gather(name string, in func(*A11yNode) bool) *part {
	p := &part{scene: sc}
	var text strings.Builder
	text.WriteString(name)
	for _, n := range sc.nodes {
		if !in(n) {
			continue
		}
		p.nodes = append(p.nodes, n)
		if sc.operable(n) {
			p.controls = append(p.controls, n)
		} else if n.Name != "" && n.Name != name && RoleOf(n.Role) != Container {
			if text.Len() > 0 {
				text.WriteByte(' ')
			}
			text.WriteString(n.Name)
		}
	}
	p.text = text.String()
	return p
}

// all is everything in view.
func (sc *scene) all() *part { return sc.gather("", func(*A11yNode) bool { return true }) }

// layer is what is in a layer.
func (sc *scene) layer(number int) *part {
	return sc.gather("", func(n *A11yNode) bool { return n.Layer == number })
}

// over is what is in a layer that covers the screen, or in front of it.
func (sc *scene) over(number int) *part {
	return sc.gather("", func(n *A11yNode) bool { return n.Layer >= number })
}

// layers lists the numbers of the layers that something in view is in.
func (sc *scene) layers() []int {
	var list []int
	for _, n := range sc.nodes {
		if n.Layer > 0 && !slices.Contains(list, n.Layer) {
			list = append(list, n.Layer)
		}
	}
	return list
}

// below is what is inside a node.
func (sc *scene) below(outer *A11yNode) *part {
	return sc.gather(outer.Name, func(n *A11yNode) bool { return n != outer && sc.within(n, outer) })
}

// control finds something to press whose name is like that.
func (p *part) control(like ...vocabulary) *A11yNode {
	for _, re := range like {
		for _, c := range p.controls {
			if r := RoleOf(c.Role); c.Name != "" && len(c.Name) < 80 && r != TextInput && re.MatchString(c.Name) {
				return c
			}
		}
	}
	return nil
}

// id is how an element is called in the map, "" for none.
func (p *part) id(n *A11yNode) string {
	if n == nil {
		return ""
	}
	return p.scene.ids[n.NodeID]
}

// headline is what a part begins with.
func (p *part) headline() string {
	for _, n := range p.nodes {
		if n.Role == "heading" && n.Name != "" {
			return n.Name
		}
	}
	return p.text
}

// short says that there is so little to see that what is said is what the page
// is there for.
func (p *part) short(text, controls int) bool {
	return len(p.text) <= text && len(p.controls) <= controls
}
