package backend

// Input is one move of a hand: a Mouse, Key or Text.
type Input interface{ input() }

// Mods are the modifier keys held, a bit each.
type Mods int

const (
	Alt Mods = 1 << iota
	Control
	Meta
	Shift
)

// MouseKind says what the mouse does.
type MouseKind string

const (
	MouseMove  MouseKind = "move"
	MouseDown  MouseKind = "down"
	MouseUp    MouseKind = "up"
	MouseWheel MouseKind = "wheel"
)

// Button is a button of the mouse.
type Button string

const (
	NoButton     Button = ""
	LeftButton   Button = "left"
	MiddleButton Button = "middle"
	RightButton  Button = "right"
)

type (
	// Mouse moves, presses, releases or turns the wheel at a point of the
	// viewport, in CSS pixels.
	Mouse struct {
		Kind   MouseKind
		X, Y   float64
		Button Button  // pressed or released; held, while moving
		Clicks int     // 1, or 2 for the second click of a double click
		DX, DY float64 // of the wheel
		Mods   Mods
	}
	// Key presses or releases a key.
	Key struct {
		Down     bool
		Key      string // "a", "Enter": KeyboardEvent.key
		Code     string // "KeyA": KeyboardEvent.code
		Text     string // what the press types, "" for nothing
		Location int    // 1 left, 2 right, 3 keypad
		Mods     Mods
		Hold     bool // a modifier that stays down for all that comes, until it is let go
	}
	// Text inserts text as an input method or a paste would, without keys.
	Text struct{ Text string }
)

func (Mouse) input() {}
func (Key) input()   {}
func (Text) input()  {}

// Point is a place in the viewport, in CSS pixels.
type Point struct{ X, Y float64 }
