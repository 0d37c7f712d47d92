package driver

import (
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"rove/driver/advice"
	"rove/driver/backend"
	"rove/internal/spell"
)

// typing is what a person's hands do to type a text. Characters of a US
// keyboard are struck as keys, with Shift where they need it; others come as
// the one key of some other keyboard, and what no keyboard has in one key, such
// as an emoji, is inserted whole. The Key constants press what they name.
func typing(text string) []backend.Input {
	var kb keyboard
	// The protocol carries valid UTF-8 only.
	text = strings.ToValidUTF8(text, "\uFFFD")
	long := len(text) > byHand
	var pasted strings.Builder
	for text != "" {
		// Cut at keys first: a combining mark after one does not join it.
		i := strings.IndexFunc(text, isWebDriverKey)
		if i < 0 {
			i = len(text)
		}
		for it := graphemes.FromString(text[:i]); it.Next(); {
			g := it.Value()
			if long && len(kb.events) > 0 && kb.pastes(g) {
				pasted.WriteString(g)
				continue
			}
			kb.text(&pasted)
			kb.character(g)
		}
		kb.text(&pasted)
		text = text[i:]
		if r, n := utf8.DecodeRuneInString(text); n > 0 {
			kb.webDriver(string(r))
			text = text[n:]
		}
	}
	kb.releaseAll()
	return kb.events
}

// byHand is how many bytes are typed key by key. Nobody types more than that, and a
// browser takes about a millisecond for each key: the rest comes as from a clipboard,
// after a first key that the page can see.
const byHand = 1000

// pastes says whether a character can come at once with others. Keys that do
// something are pressed: Enter, Tab, and whatever comes while a modifier is held.
func (kb *keyboard) pastes(g string) bool {
	kb.returnShift()
	return len(kb.held) == 0 && g[0] >= ' '
}

func (kb *keyboard) text(b *strings.Builder) {
	if b.Len() > 0 {
		kb.events = append(kb.events, backend.Text{Text: b.String()})
		b.Reset()
	}
}

// chords presses several chords one after the other: "Tab Tab Enter". Around
// the plus after a modifier, spaces do no harm: "Control + a".
func chords(s string) ([]backend.Input, error) {
	fields := strings.Fields(s)
	if _, ok := strokesByChar[s]; ok || len(fields) == 0 {
		fields = []string{s} // the space itself, or nothing
	}
	var events []backend.Input
	for i := 0; i < len(fields); i++ {
		c := fields[i]
		for i+2 < len(fields) && fields[i+1] == "+" && endsHolding(c) {
			c += "+" + fields[i+2]
			i += 2
		}
		e, err := chord(c)
		if err != nil {
			return nil, err
		}
		events = append(events, e...)
	}
	return events, nil
}

// chord presses one key, with modifiers held or without: "Enter", "a", "+",
// "Control+Shift+ArrowLeft". All that is pressed is released, last first.
func chord(s string) ([]backend.Input, error) {
	strokes, err := parseChord(s)
	if err != nil {
		return nil, err
	}
	var kb keyboard
	for _, st := range strokes {
		kb.strike(st)
	}
	kb.releaseAll()
	return kb.events, nil
}

func parseChord(s string) ([]stroke, error) {
	if s == "" {
		return nil, Invalid("press", "no key given; keys are %s", acceptedKeys())
	}
	names := strings.Split(s, "+")
	switch {
	case s == "+":
		names = []string{"+"}
	case strings.HasSuffix(s, "++"):
		names = append(strings.Split(strings.TrimSuffix(s, "++"), "+"), "+")
	}
	strokes := make([]stroke, 0, len(names))
	for i, name := range names {
		if name == "" {
			return nil, Invalid("press", `%q has nothing on one side of a "+"; the plus itself is "+" or "Control++"`, s)
		}
		st, ok := findStroke(name)
		if !ok {
			return nil, unknownKey(name)
		}
		if i < len(names)-1 && st.mod == 0 {
			return nil, Invalid("press", "%q in %q is not a key to hold: Control, Shift, Alt and Meta are; for one key after the other write %q",
				name, s, strings.Join(names, " "))
		}
		strokes = append(strokes, st)
	}
	return strokes, nil
}

// stroke is a key as it is struck.
type stroke struct {
	key
	shift bool // it takes Shift to get the character
}

// keyboard notes what hands do on it.
type keyboard struct {
	events []backend.Input
	held   []key // modifiers, in the order they were pressed
	borrow bool  // the last one held is a Shift for the sake of characters
}

func (kb *keyboard) mods() (m backend.Mods) {
	for _, k := range kb.held {
		m |= k.mod
	}
	return m
}

// typesNothing is true while a modifier is held that makes keys commands.
func (kb *keyboard) typesNothing() bool { return kb.mods()&^backend.Shift != 0 }

// character types one grapheme cluster.
func (kb *keyboard) character(g string) {
	if st, ok := strokesByChar[g]; ok {
		kb.strike(st)
		return
	}
	if oneKey(g) || kb.typesNothing() {
		kb.strike(stroke{key: key{name: g}})
		return
	}
	kb.returnShift()
	kb.events = append(kb.events, backend.Text{Text: g})
}

// webDriver presses the key of a code point: modifiers change between held and
// released.
func (kb *keyboard) webDriver(point string) {
	kb.returnShift()
	if point == KeyNull {
		kb.releaseAll()
		return
	}
	k := strokesByPoint[point].key
	if slices.Contains(kb.held, k) {
		kb.up(k)
		return
	}
	kb.strike(stroke{key: k})
}

// strike presses and releases a key; a modifier stays pressed. Shift is pressed
// for the characters that need it and kept for as long as they follow one
// another.
func (kb *keyboard) strike(st stroke) {
	// Control+A is what people write for Control+a.
	shift := st.shift && !(kb.typesNothing() && isLetter(st.key))
	if !shift {
		kb.returnShift()
	} else if kb.mods()&backend.Shift == 0 {
		kb.down(shiftKey)
		kb.borrow = true
	}
	kb.down(st.key)
	if st.mod == 0 {
		kb.up(st.key)
	}
}

func (kb *keyboard) returnShift() {
	if kb.borrow {
		kb.borrow = false
		kb.up(shiftKey)
	}
}

func (kb *keyboard) releaseAll() {
	kb.borrow = false
	for len(kb.held) > 0 {
		kb.up(kb.held[len(kb.held)-1])
	}
}

func (kb *keyboard) down(k key) {
	if k.mod != 0 {
		if slices.Contains(kb.held, k) {
			return
		}
		kb.held = append(kb.held, k)
	}
	e := kb.event(k)
	e.Down = true
	switch {
	case kb.typesNothing():
	case k.text != "":
		e.Text = k.text
	case oneKey(e.Key):
		e.Text = e.Key
	}
	kb.events = append(kb.events, e)
}

func (kb *keyboard) up(k key) {
	kb.held = slices.DeleteFunc(kb.held, func(h key) bool { return h == k })
	kb.events = append(kb.events, kb.event(k))
}

func (kb *keyboard) event(k key) backend.Key {
	e := backend.Key{Key: k.name, Code: k.code, Location: k.side, Mods: kb.mods()}
	if e.Mods&backend.Shift != 0 && k.shifted != "" {
		e.Key = k.shifted
	}
	return e
}

func isLetter(k key) bool { return strings.HasPrefix(k.code, "Key") }

// oneKey is true for a character that is one UTF-16 unit and no control: a
// press of a key carries no more.
func oneKey(g string) bool {
	r, n := utf8.DecodeRuneInString(g)
	return n > 0 && n == len(g) && r <= 0xFFFF && !unicode.IsControl(r)
}

func isWebDriverKey(r rune) bool {
	_, ok := strokesByPoint[string(r)]
	return ok || string(r) == KeyNull
}

// endsHolding is true for a chord whose last key is a modifier.
func endsHolding(s string) bool {
	st, ok := findStroke(s[strings.LastIndex(s, "+")+1:])
	return ok && st.mod != 0
}

// findStroke finds a key by its character, its WebDriver code point, or in any
// case its name, its code or an alias.
func findStroke(name string) (stroke, bool) {
	if st, ok := strokesByChar[name]; ok {
		return st, true
	}
	if st, ok := strokesByPoint[name]; ok {
		return st, true
	}
	if st, ok := strokesByName[plainName(name)]; ok {
		return st, true
	}
	// No "-" within codes, or Alt-Left would be the left Alt.
	if st, ok := strokesByCode[strings.ToLower(name)]; ok {
		return st, true
	}
	if !utf8.ValidString(name) || name == KeyNull {
		return stroke{}, false
	}
	return stroke{key: key{name: name}}, oneKey(name) && !unicode.IsSpace([]rune(name)[0])
}

// plainName makes one of PageUp, PAGE_UP and page-up.
func plainName(s string) string { return dashes.Replace(strings.ToLower(s)) }

var dashes = strings.NewReplacer("_", "", "-", "")

var (
	strokesByChar  = map[string]stroke{}
	strokesByPoint = map[string]stroke{}
	strokesByName  = map[string]stroke{} // by plainName; aliases too
	strokesByCode  = map[string]stroke{} // in lower case
	shiftKey       key
)

func init() {
	add := func(m map[string]stroke, name string, st stroke) {
		if _, taken := m[name]; !taken {
			m[name] = st
		}
	}
	for _, k := range usKeys {
		strokesByCode[strings.ToLower(k.code)] = stroke{key: k}
		if oneKey(k.name) {
			add(strokesByChar, k.name, stroke{key: k})
		} else {
			add(strokesByName, plainName(k.name), stroke{key: k})
		}
		if k.shifted != "" {
			add(strokesByChar, k.shifted, stroke{key: k, shift: true})
		}
	}
	for char, code := range map[string]string{"\r": "Enter", "\n": "Enter", "\r\n": "Enter", "\t": "Tab", "\b": "Backspace"} {
		strokesByChar[char] = strokesByCode[strings.ToLower(code)]
	}
	for point, code := range webDriverKeys {
		strokesByPoint[point] = strokesByCode[strings.ToLower(code)]
	}
	for point, moved := range webDriverKeypad {
		k := strokesByName[plainName(moved.name)].key
		k.code, k.side = moved.code, keypad
		strokesByPoint[point] = stroke{key: k}
	}
	strokesByName[plainName("ControlOrMeta")] = strokesByName[plainName(controlOrMeta(runtime.GOOS))]
	for alias, name := range keyAliases {
		strokesByName[alias], _ = findStroke(name)
	}
	shiftKey = strokesByName["shift"].key
}

// controlOrMeta is the key of shortcuts on a system.
func controlOrMeta(goos string) string {
	if goos == "darwin" {
		return "Meta"
	}
	return "Control"
}

func unknownKey(name string) *Error {
	if long := []rune(name); len(long) > 40 {
		name = string(long[:40]) + "…"
	}
	e := Invalid("press", "there is no key %q", name)
	if near := nearKey(name); near != "" {
		e.Message += "; did you mean " + near + "?"
	}
	return e.Advise(advice.UseKeys, acceptedKeys())
}

// acceptedKeys says what a chord is made of.
func acceptedKeys() string {
	names := make([]string, 0, len(namedKeys))
	for _, k := range namedKeys {
		if k.side == 0 {
			names = append(names, listedName(k))
		}
	}
	return "a single character, " + strings.Join(names, ", ") +
		", F1 to F24, Numpad0 to Numpad9; to hold: Control+, Shift+, Alt+, Meta+, ControlOrMeta+"
}

// listedName is how a key is written in messages.
func listedName(k key) string {
	if oneKey(k.name) {
		return k.code
	}
	return k.name
}

// nearKey is the key somebody may have meant, "" if there is none near.
func nearKey(name string) string {
	if plus := strings.ReplaceAll(name, "-", "+"); plus != name {
		if _, err := parseChord(plus); err == nil {
			return plus
		}
	}
	plain := plainName(name)
	best, distance := "", 1+min(2, len(plain)/3)
	for _, k := range usKeys {
		if len(plain) > 2 && best == "" && strings.HasPrefix(plainName(listedName(k)), plain) {
			best = listedName(k)
		}
		if d := spell.Distance(plain, plainName(listedName(k)), distance); d < distance {
			best, distance = listedName(k), d
		}
	}
	return best
}
