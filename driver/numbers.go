package driver

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"rove/aria"
	"rove/driver/backend"
)

// numbers hands out what makes refs unique for the life of a driver: a small
// number for every frame below a main frame, and for each frame the next
// element number. Numbers only ever grow, over looks, navigations and tabs.
type numbers struct {
	mu     sync.Mutex
	frames []frameKey       // frame n of refs (f1, f2, …) is frames[n-1]
	index  map[frameKey]int // and back
	next   []int            // by frame number; 0 is shared by the tabs' main frames
	mains  []mainRange      // whose main frame an e-number belongs to, ascending
}

type frameKey struct {
	tab backend.Tab
	id  backend.FrameID
}

// mainRange says that main-frame numbers from first on belong to a tab.
type mainRange struct {
	first int
	tab   backend.Tab
}

// frame gives a frame's number and the next element number in it.
func (n *numbers) frame(tab backend.Tab, f backend.Frame) (number, next int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.index == nil {
		n.index = map[frameKey]int{}
		n.next = []int{1}
	}
	if f.Parent == "" {
		if len(n.mains) == 0 || n.mains[len(n.mains)-1].tab != tab {
			n.mains = append(n.mains, mainRange{n.next[0], tab})
		}
		return 0, n.next[0]
	}
	key := frameKey{tab, f.ID}
	number, ok := n.index[key]
	if !ok {
		n.frames = append(n.frames, key)
		n.next = append(n.next, 1)
		number = len(n.frames)
		n.index[key] = number
	}
	return number, n.next[number]
}

// used notes the next free element number after a page script gave some out.
func (n *numbers) used(number, next int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if next > n.next[number] {
		n.next[number] = next
	}
}

// none says that no element has got a number yet.
func (n *numbers) none() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return !slices.ContainsFunc(n.next, func(next int) bool { return next > 1 })
}

// owner tells which tab and frame a ref belongs to ("" is the main frame) and
// its number there. ok is false for what was never given out.
func (n *numbers) owner(ref aria.Ref) (tab backend.Tab, frame backend.FrameID, number int, ok bool) {
	f, e, ok := splitRef(ref)
	if !ok {
		return nil, "", 0, false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if f >= len(n.next) || e >= n.next[f] {
		return nil, "", 0, false
	}
	if f > 0 {
		key := n.frames[f-1]
		return key.tab, key.id, e, true
	}
	for i := len(n.mains) - 1; i >= 0; i-- {
		if e >= n.mains[i].first {
			return n.mains[i].tab, "", e, true
		}
	}
	return nil, "", 0, false
}

// prefix is how refs of a frame begin.
func prefix(number int) string {
	if number == 0 {
		return "e"
	}
	return "f" + strconv.Itoa(number) + "e"
}

// splitRef reads "e12" as (0, 12) and "f3e12" as (3, 12).
func splitRef(ref aria.Ref) (frame, number int, ok bool) {
	s := string(ref)
	if rest, isFrame := strings.CutPrefix(s, "f"); isFrame {
		f, e, found := strings.Cut(rest, "e")
		if !found {
			return 0, 0, false
		}
		if frame, ok = digits(f); !ok || frame == 0 {
			return 0, 0, false
		}
		s = "e" + e
	}
	rest, isElement := strings.CutPrefix(s, "e")
	if !isElement {
		return 0, 0, false
	}
	number, ok = digits(rest)
	return frame, number, ok && number > 0
}

func digits(s string) (int, bool) {
	if s == "" || s[0] == '+' || s[0] == '-' || (len(s) > 1 && s[0] == '0') {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// IsRef tells whether s has the shape of a ref, e12 or f3e12.
func IsRef(s string) bool {
	_, _, ok := splitRef(aria.Ref(s))
	return ok
}
