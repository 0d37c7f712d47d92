package driver

import (
	"context"
	"fmt"
	"time"

	"rove/driver/backend"
	"rove/internal/wire"
)

// plain is what every answer of the page script has.
type plain struct {
	OK     bool   `json:"ok"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Next   int    `json:"next"`
}

// answer is one of the page script: it has all that plain has.
type answer interface{ common() *plain }

func (p *plain) common() *plain { return p }

// run calls a function of the page script in a frame and reads its answer. The
// argument is made with the next free number for a ref. patience is what the
// function may wait; a page that takes much longer does not answer at all.
func (t *Tab) run(ctx context.Context, frame backend.Frame, function string, patience time.Duration, out answer, arg func(next int) any) error {
	number, next := t.driver.numbers.frame(t.tab, frame)
	ctx, cancel := context.WithTimeout(ctx, patience+answerTimeout)
	defer cancel()
	results, err := t.tab.Call(ctx, backend.Call{Frame: frame.ID, Func: function, Arg: arg(next)})
	if err == nil {
		err = results[0].Err
	}
	if err != nil {
		return err
	}
	if err := decode(results[0].Value, out); err != nil {
		return fmt.Errorf("the page script's %s answered %.80q: %w", function, results[0].Value, err)
	}
	t.driver.numbers.used(number, out.common().Next)
	return nil
}

// ask calls a function of the page script and reads its answer. What the script
// cannot make sense of is an error; what it did not find is errNotThere.
func (t *Tab) ask(ctx context.Context, frame backend.Frame, function string, arg map[string]any, out answer) error {
	told, _ := arg["timeout"].(int64)
	return t.asked(ctx, frame, function, time.Duration(told)*time.Millisecond, arg, out)
}

// asked is ask with the time that the page may take.
func (t *Tab) asked(ctx context.Context, frame backend.Frame, function string, patience time.Duration, arg map[string]any, out answer) error {
	err := t.run(ctx, frame, function, patience, out, func(next int) any {
		if arg == nil {
			arg = map[string]any{}
		}
		arg["next"] = next
		return arg
	})
	if err != nil {
		return err
	}
	switch p := out.common(); p.Code {
	case "invalid":
		return &Error{Code: CodeInvalid, Message: p.Reason}
	case "notfound":
		return errNotThere
	}
	return nil
}

// prepareArg is the argument of the page script's prepare and its like. What it
// reckons with is always there.
type prepareArg struct {
	Next     int         `json:"next"`
	Ref      int         `json:"ref,omitzero"`
	Locator  string      `json:"locator,omitzero"`
	Path     []step      `json:"path,omitzero"`
	Need     string      `json:"need,omitzero"`
	At       *[2]float64 `json:"at,omitzero"`
	Edge     string      `json:"edge,omitzero"`
	Held     int         `json:"held,omitzero"` // what is dragged
	Again    bool        `json:"again,omitzero"`
	Clear    bool        `json:"clear,omitzero"`
	Disabled bool        `json:"disabled,omitzero"`
	Timeout  int64       `json:"timeout"`
	Expect   *Expected   `json:"expect,omitzero"`

	Values    []string `json:"values,omitzero"`
	Index     bool     `json:"index,omitzero"`
	Value     string   `json:"value,omitzero"`
	Attribute string   `json:"attribute,omitzero"`
	DX        float64  `json:"dx"`
	DY        float64  `json:"dy"`
	Pages     bool     `json:"pages,omitzero"`
	Owner     int      `json:"owner,omitzero"`
	X         float64  `json:"x"`
	Y         float64  `json:"y"`
	Check     bool     `json:"check,omitzero"`
	Cap       int64    `json:"cap"`
	Until     string   `json:"until,omitzero"`

	Answers map[string]int `json:"answers,omitzero"` // that the page has got, by address

	Counting bool `json:"count,omitzero"`

	Sets   bool   `json:"sets,omitzero"`      // what would be set off is to be said
	Also   []int  `json:"also,omitzero"`      // nodes that may be set off beside that
	Node   int    `json:"node,omitzero"`      // the very node that it has to be
	Moves  bool   `json:"moves,omitzero"`     // it is to be moved
	Undrag bool   `json:"undragged,omitzero"` // a drag-and-drop of the page's own is to be called off
	Steady bool   `json:"steady,omitzero"`    // the point has to be the element's for a while
	Origin string `json:"origin,omitzero"`    // of the document that may have the value
	Who    bool   `json:"who,omitzero"`       // what it is known by is to be said
	Key    string `json:"key,omitzero"`
	Keys   bool   `json:"keys,omitzero"` // a text is typed elsewhere
	Alt    bool   `json:"alt,omitzero"`
}

// scriptElement is an element as the page script tells of it.
type scriptElement struct {
	Ref   int    `json:"ref"`
	ID    int    `json:"id"` // of the very node, where somebody agrees to it
	Role  string `json:"role"`
	Name  string `json:"name"`
	Words string `json:"words"` // of what has no name; where somebody agrees to it, what it shows beside its name
	More  bool   `json:"more"`  // there are more words than are told
	In    string `json:"in"`    // what is around one of several
	Gone  bool   `json:"gone"`  // what it was hit in place of has been taken away
}

// state is what an element holds.
type state struct {
	Value    *string `json:"value"`
	Checked  *bool   `json:"checked"`
	Expanded *bool   `json:"expanded"`
	Selected *bool   `json:"selected"`
	Pressed  *bool   `json:"pressed"`
	Masked   *int    `json:"masked"`
}

// verdict is an answer of the page script's side of acting.
type verdict struct {
	plain
	scriptElement
	state
	Tag  string `json:"tag"`
	Type string `json:"type"`

	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`

	By      *scriptElement  `json:"by"`
	Matches []scriptElement `json:"matches"`
	Count   int             `json:"count"`
	Options []string        `json:"options"`

	Chosen   bool `json:"chosen"` // of an option: it is already, and a press would take it back
	Stays    bool `json:"stays"`  // of a list: it is still open, and has the focus
	Disabled bool `json:"disabled"`
	Visible  bool `json:"visible"`
	Focused  bool `json:"focused"`

	Changes   int            `json:"changes"`
	Waits     bool           `json:"waits"`     // the page has set timers since
	Sure      bool           `json:"sure"`      // it has read the answers that it got
	All       bool           `json:"all"`       // what the field holds is still to be selected, by keys
	There     bool           `json:"there"`     // room was made at the edge that is dropped on
	Way       []float64      `json:"way"`       // that the pointer comes to the edge
	Stir      bool           `json:"stir"`      // something came below the pointer since it was moved
	Note      float64        `json:"note"`      // ms until an editor has taken note of its selection
	Came      bool           `json:"came"`      // the press came to the element that was meant
	Clicks    int            `json:"clicks"`    // and so many clicks
	Unclicked bool           `json:"unclicked"` // it was pressed, and no click came of it
	Slipped   *scriptElement `json:"slipped"`   // what had come over the element before it was let go
	Missed    *scriptElement `json:"missed"`
	Astray    *struct {      // keys that something else would have got
		Keys  int           `json:"keys"`
		By    scriptElement `json:"by"`
		Heard int           `json:"heard"` // keys that came
		Left  bool          `json:"left"`  // the keys were for the whole document
	} `json:"astray"`
	Sets    []scriptElement `json:"sets"`   // what a press or a key sets off
	Held    []scriptElement `json:"held"`   // what was not agreed to, and kept from being set off
	Inner   int             `json:"inner"`  // the frame that gets it instead, by its owner's number
	Within  [2]float64      `json:"within"` // the point in that frame
	Origin  string          `json:"origin"`
	Writes  bool            `json:"writes"`  // it is a field for text, which a blank is a letter for
	Lost    bool            `json:"lost"`    // no press came, where one was meant
	Outside string          `json:"outside"` // an address for another program that the page asked for
	Gone    bool            `json:"gone"`
	Covers  []struct {      // what it lies over or under since it was moved
		scriptElement
		Over bool `json:"over"`
	} `json:"covers"`
	Shift   *[2]int `json:"shift"`   // how far it was moved
	Drawn   int     `json:"drawn"`   // how many more shapes drawings have
	Stirred bool    `json:"stirred"` // focus, selection or scroll position changed
	Spread  bool    `json:"spread"`  // something came elsewhere than in the element

	Unchosen *scriptElement `json:"unchosen"` // the box or button that a press of its label has not chosen

	Unfilled *struct {
		scriptElement
		Reason string `json:"reason"`
	} `json:"unfilled"`

	From  *string   `json:"from"`
	To    *string   `json:"to"`
	Text  *string   `json:"text"`
	Moved []float64 `json:"moved"`
	Top   int       `json:"top"`

	ScrollX float64 `json:"scrollX"`
	ScrollY float64 `json:"scrollY"`
	Ratio   float64 `json:"ratio"` // device pixels to a CSS pixel

	Start *[2]float64 `json:"start"`
	Till  *[2]float64 `json:"till"`

	Who *Identity `json:"who"` // what it is known by

	End bool    `json:"end"`
	Min *string `json:"min"`
	Max *string `json:"max"`
	Now *string `json:"now"`
}

// decode reads an answer of the page script.
func decode(value string, out answer) error { return wire.Unmarshal([]byte(value), out) }

// call asks the side of the page script that acts; what it refuses is no error yet.
func (t *Tab) call(ctx context.Context, frame backend.Frame, function string, arg prepareArg) (*verdict, error) {
	var v verdict
	err := t.run(ctx, frame, function, time.Duration(arg.Timeout+arg.Cap)*time.Millisecond, &v, func(next int) any {
		arg.Next = next
		return arg
	})
	if err != nil {
		return nil, err
	}
	return &v, nil
}
