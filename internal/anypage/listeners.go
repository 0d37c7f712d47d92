package anypage

import "slices"

// Listener is somebody who listens to an element, as Chromium tells it.
type Listener struct {
	Type string `json:"type"`
	Node int    `json:"backendNodeId"`
}

// An element that listens to more kinds of events than this does so for what is below
// it: the root of a framework, not something to click.
const delegation = 12

// clicks are the events that make an element something to click, or to drop on.
var clicks = map[string]bool{
	"click": true, "dblclick": true, "contextmenu": true,
	"mousedown": true, "mouseup": true, "pointerdown": true, "pointerup": true,
	"touchstart": true, "touchend": true, "dragstart": true, "drop": true,
}

// Clickable picks the nodes with a listener for clicks of their own.
func Clickable(listeners []Listener) []int {
	var list []int
	types := make(map[int]map[string]bool)
	for _, l := range listeners {
		if l.Node == 0 {
			continue
		}
		if types[l.Node] == nil {
			types[l.Node] = make(map[string]bool)
			list = append(list, l.Node)
		}
		types[l.Node][l.Type] = true
	}
	return slices.DeleteFunc(list, func(node int) bool {
		if len(types[node]) > delegation {
			return true
		}
		for t := range types[node] {
			if clicks[t] {
				return false
			}
		}
		return true
	})
}
