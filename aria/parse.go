package aria

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ErrStale is what Parse answers when the element asked for is gone.
var ErrStale = errors.New("the element is gone")

// Header is what the page script says about the page as a whole.
type Header struct {
	Next             int // the first ref number not given out yet
	URL, Title       string
	ViewportW        int
	ViewportH        int
	ScrollX, ScrollY int
	PageW, PageH     int
	More             bool // the script stopped before the end of the page
	Dirty            bool // elements came since the page was last scanned
	PixelRatio       float64
	Layers           []Layer
}

// Part is one frame's share of a page, before Stitch.
type Part struct {
	Header
	Nodes []Node
}

// Parse reads the page script's answer (internal/inject/CONTRACT.md). Refs get
// the frame's prefix: "e" in the main frame, "f3e" in frame 3. The strings of
// the nodes share the answer's memory.
func Parse(answer, prefix string) (Part, error) {
	head, body, _ := strings.Cut(answer, "\n")
	if msg, ok := strings.CutPrefix(head, "error\t"); ok {
		if msg == "stale" {
			return Part{}, ErrStale
		}
		return Part{}, fmt.Errorf("page script: %s", msg)
	}
	h, err := parseHeader(head)
	if err != nil {
		return Part{}, err
	}
	p := Part{Header: h}
	if body == "" {
		return p, nil
	}

	lines := strings.Count(body, "\n") + 1
	p.Nodes = make([]Node, 0, lines)
	// One allocation holds all refs: what String hands out stays valid while the
	// builder grows.
	var refs strings.Builder
	refs.Grow(lines * (len(prefix) + 6) / 2)

	above := -1 // depth of the node before
	for no := 1; body != ""; no++ {
		var line string
		line, body, _ = strings.Cut(body, "\n")
		if line == "" {
			continue
		}
		p.Nodes = append(p.Nodes, Node{})
		n := &p.Nodes[len(p.Nodes)-1]
		if err := parseNode(n, line, prefix, &refs); err != nil {
			return Part{}, fmt.Errorf("page script: line %d: %w", no, err)
		}
		// A child is one level below its parent, whatever the answer says.
		n.Depth = min(n.Depth, above+1)
		above = n.Depth
		if n.Nest < 0 { // not told
			n.Nest, n.Share = n.Depth, n.Depth
		}
	}
	return p, nil
}

func parseHeader(line string) (Header, error) {
	var h Header
	var nums [9]int // next, then the six measures, then more and dirty
	for i := 0; i < 11; i++ {
		var f string
		f, line = field(line)
		switch {
		case i == 1:
			h.URL = f
		case i == 2:
			h.Title = f
		case f == "" && i > 0:
		default:
			v, ok := number(f)
			if !ok {
				return Header{}, fmt.Errorf("page script: header field %d is %q, not a number", i, clip(f, 40))
			}
			nums[max(0, i-2)] = v
		}
	}
	h.Next = nums[0]
	h.ViewportW, h.ViewportH = nums[1], nums[2]
	h.ScrollX, h.ScrollY = nums[3], nums[4]
	h.PageW, h.PageH = nums[5], nums[6]
	h.More, h.Dirty = nums[7] != 0, nums[8] != 0
	ratio, layers := field(line)
	if ratio != "" {
		var err error
		if h.PixelRatio, err = strconv.ParseFloat(ratio, 64); err != nil {
			return Header{}, fmt.Errorf("page script: pixel ratio %q", clip(ratio, 40))
		}
	}
	for layers != "" {
		var one string
		one, layers, _ = strings.Cut(layers, ";")
		at := strings.LastIndexByte(one, ',')
		box, ok := parseBox(one[:max(at, 0)])
		if !ok {
			return Header{}, fmt.Errorf("page script: layer %q", clip(one, 40))
		}
		h.Layers = append(h.Layers, Layer{box, one[at+1:] == "1"})
	}
	return h, nil
}

func parseNode(n *Node, line, prefix string, refs *strings.Builder) error {
	depth, line := field(line)
	state, line := field(line)
	ref, line := field(line)
	n.Role, line = field(line)
	n.Name, line = field(line)
	n.Value, line = field(line)
	n.Desc, line = field(line)

	depth, inside, _ := strings.Cut(depth, ",")
	var ok bool
	if n.Depth, ok = number(depth); !ok || n.Depth < 0 {
		return fmt.Errorf("depth %q", clip(depth, 40))
	}
	if n.Nest = -1; inside != "" {
		nest, share, _ := strings.Cut(inside, ",")
		var ok2 bool
		if n.Nest, ok = number(nest); ok {
			n.Share, ok2 = number(share)
		}
		if !ok || !ok2 {
			return fmt.Errorf("place %q", clip(inside, 40))
		}
	}
	bits, err := strconv.ParseUint(state, 10, 32)
	if err != nil {
		return fmt.Errorf("state %q", clip(state, 40))
	}
	n.State = State(bits)
	if !isRole(n.Role) {
		return fmt.Errorf("role %q", clip(n.Role, 40))
	}
	if ref != "" {
		if _, err := strconv.ParseUint(ref, 10, 31); err != nil {
			return fmt.Errorf("ref %q", clip(ref, 40))
		}
		from := refs.Len()
		refs.WriteString(prefix)
		refs.WriteString(ref)
		n.Ref = Ref(refs.String()[from:])
	}
	for line != "" {
		var pair string
		if strings.HasPrefix(line, "u=") { // always last, may hold anything
			pair, line = line, ""
		} else {
			pair, line, _ = strings.Cut(line, ";")
		}
		key, val, _ := strings.Cut(pair, "=")
		v, ok := number(val)
		switch key {
		case "l":
			n.Level = v
		case "n":
			n.Count = v
		case "f":
			n.Frame = v
		case "b":
			n.Box, ok = parseBox(val)
		case "o":
			n.Layer = v
		case "u":
			n.URL, ok = val, true
		default: // a newer script may say more
			ok = true
		}
		if !ok {
			return fmt.Errorf("extra %q", clip(pair, 40))
		}
	}
	return nil
}

// isRole keeps the page's words out of the one field that is written without quotes.
func isRole(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && s[i] != '-' {
			return false
		}
	}
	return s != ""
}

func parseBox(s string) (Box, bool) {
	var v [4]int
	for i := range v {
		var part string
		var ok bool
		part, s, _ = strings.Cut(s, ",")
		if v[i], ok = number(part); !ok {
			return Box{}, false
		}
	}
	return Box{v[0], v[1], v[2], v[3]}, s == ""
}

// field cuts the next field off a line.
func field(line string) (f, rest string) {
	f, rest, _ = strings.Cut(line, "\t")
	return f, rest
}

// number reads a number as JavaScript writes it. Fractions, which a scroll offset
// or a box may have on a zoomed page, are dropped; what a page gives without
// bounds, as aria-level, is cut to what an int32 holds.
func number(s string) (int, bool) {
	if len(s) == 1 && s[0] >= '0' && s[0] <= '9' {
		return int(s[0] - '0'), true
	}
	if v, err := strconv.Atoi(s); err == nil && v == int(int32(v)) {
		return v, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) {
		return 0, false
	}
	return int(min(max(f, math.MinInt32), math.MaxInt32)), true
}

// clip cuts a string to n bytes, at a rune's border, and shows that it did.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
