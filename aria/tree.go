// Package aria holds what a page looks like to someone who cannot see it: a
// tree of roles and names, and what one does with it: render it in few tokens,
// fit it into a budget, fold what repeats, find in it, tell two apart.
//
// The package is pure. It does no I/O and knows no browser: trees come from
// Parse, which reads what rove's page script wrote.
package aria

// Tree is a page, or a part of one, as a list of nodes in document order.
// A node's children are the nodes that follow it with a greater depth.
type Tree struct {
	URL   string
	Title string
	Nodes []Node
	// Unreadable names the frames that could not be read, and why.
	Unreadable []string
	// More is true when the page script stopped before the end of the page.
	More bool
	// Screen is the visible part of the page: where it is scrolled to, and its
	// size.
	Screen Box
	// PixelRatio is how many device pixels a CSS pixel has, and Layers is what
	// floats above the page, where boxes were asked for.
	PixelRatio float64
	Layers     []Layer
}

// Layer is a part of the page that floats above the rest of it, as a banner, a
// toast or a dialog does.
type Layer struct {
	Box    Box
	Covers bool // it takes every press on the screen
}

// Ref names an element for as long as it lives: "e12" in the main frame,
// "f3e12" in frame 3. A number is never given to another element.
type Ref string

// Node is an element with something to say, or a run of text.
// The strings share the memory of the page script's answer.
type Node struct {
	Depth int
	Ref   Ref    // "" where there is nothing to do with the element
	Role  string // an ARIA role; "text" for a run of text; "clickable"; "iframe"
	Name  string // accessible name, or the text of a run; white space collapsed
	Value string // what a field holds, a select shows, a slider stands at; passwords masked
	Desc  string // what tells a nameless element apart: a class, a place, an icon
	URL   string // of a link or frame, where asked for
	State State
	Level int // headings, tree items, rows: 1-based, 0 for none
	Count int // a closed select's options; a list's or grid's whole size where known
	Frame int // of an iframe: the owner number of the frame inside; 0 for none
	Box   Box // where asked for
	Nest  int // how deep in the document it is
	Share int // how many levels of the document it shares with the node before
	Layer int // the number of the layer it is in, from 1, where boxes were asked for; 0 is the page
}

// Box is an element's place in the viewport of the page, in CSS pixels.
type Box struct{ X, Y, W, H int }

// State is a set of an element's states and of marks the page script gave it.
type State uint32

const (
	Checked     State = 1 << iota
	Mixed             // aria-checked or aria-pressed "mixed"
	Disabled          //
	Expanded          //
	Collapsed         //
	Selected          //
	Pressed           //
	Active            // has the focus
	Required          //
	Invalid           //
	Readonly          //
	Current           // aria-current
	Multiple          // takes several values
	HasPopup          //
	HasValue          // Value counts even when it is empty
	Masked            // Value is masked
	Placeholder       // Name is only the placeholder
	Modal             // an open modal dialog
	InView            // at least partly on screen
	Scrollable        // has content to scroll to
	Editable          // contenteditable
	Operable          // something can be done with it: it counts for mode interactive
	Block             // text: starts a block of its own (a paragraph), not inline
	Pre               // text: preformatted; Name holds its line breaks
	Draggable         //
	FileInput         //
	Offscreen         // hidden by design but operable
	Drawn             // a part of a drawing (SVG)
	Hovers            // the pointer over it opens something
	Floats            // in something that lies over the page: a toast, a menu
	Unwritten         // Name stands nowhere in the page's text: an icon, what a style draws, a label that is only said
)
