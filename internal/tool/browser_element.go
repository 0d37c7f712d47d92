package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

type clickParams struct {
	selected
	Wait bool `json:"wait,omitempty" about:"wait for the element to appear; without, a missing one is an error at once"`
	patience
	Where
}

func clickElement(ctx context.Context, c *Context, in clickParams) (Output, error) {
	return runSteps(ctx, c, "", in.step(in.Selector, "click", "", in.Wait))
}

type typeParams struct {
	selected
	Text  *Text `json:"text" about:"what to type; a line break is Enter"`
	Clear bool  `json:"clear,omitempty" about:"replace what is there, instead of adding to it"`
	patience
	Where
}

func typeInto(ctx context.Context, c *Context, in typeParams) (Output, error) {
	text := string(*in.Text)
	op := "type"
	switch {
	case in.Clear:
		op = "input"
	case text == "":
		return Output{}, invalid("browser_type", "text is empty; with clear, an empty text empties the field")
	}
	n := 0
	for it := graphemes.FromString(text); it.Next(); {
		n++
	}
	word := "characters"
	if n == 1 {
		word = "character"
	}
	return runSteps(ctx, c, fmt.Sprintf("typed %d %s", n, word), in.step(in.Selector, op, text, false))
}

type keyParams struct {
	Key       string   `json:"key" about:"a character, or the name of a key: Enter, Tab, Escape, ArrowDown, F5, …"`
	Modifiers []string `json:"modifiers,omitempty" enum:"Control,Shift,Alt,Meta" about:"keys to hold: Control, Shift, Alt, Meta"`
	Where
}

// modifiers are the keys that can be held, by all their names.
var modifiers = map[string]string{
	"control": "Control", "ctrl": "Control", "shift": "Shift", "alt": "Alt", "option": "Alt",
	"meta": "Meta", "cmd": "Meta", "command": "Meta", "controlormeta": "ControlOrMeta",
}

func pressKey(ctx context.Context, c *Context, in keyParams) (Output, error) {
	chord := ""
	for _, m := range in.Modifiers {
		name, ok := modifiers[strings.ToLower(m)]
		if !ok {
			return Output{}, invalid("browser_key_press", "there is no modifier %q; modifiers are Control, Shift, Alt, Meta", m)
		}
		chord += name + "+"
	}
	key := in.Key
	switch {
	case key == " ":
		key = "Space"
	case len(strings.Fields(key)) > 1:
		return Output{}, invalid("browser_key_press", "key takes one key, not %q; text is typed with browser_type", key)
	}
	return runSteps(ctx, c, "", onPage("press", chord+key))
}

type selectParams struct {
	selected
	Value Text `json:"value" about:"the option's value or text, or #2 for the third; several with commas"`
	patience
	Where
}

func selectOption(ctx context.Context, c *Context, in selectParams) (Output, error) {
	return runSteps(ctx, c, "", in.step(in.Selector, "select", string(in.Value), false))
}

type elementParams struct {
	selected
	patience
	Where
}

func hoverElement(ctx context.Context, c *Context, in elementParams) (Output, error) {
	return runSteps(ctx, c, "", in.step(in.Selector, "hover", "", false))
}

type scrollParams struct {
	To       string `json:"to,omitempty" jsonschema:"down, up 3 (screens), right 200px, top, bottom, until:TEXT" about:"down, up 3 (screens), right 200px, top, bottom, or until:TEXT"`
	Selector string `json:"selector,omitempty" about:"this element: scrolls inside it, or without to brings it into view"`
	Where
}

func scrollPage(ctx context.Context, c *Context, in scrollParams) (Output, error) {
	if in.Selector != "" {
		return runSteps(ctx, c, "", patience{}.step(in.Selector, "scroll", in.To, false))
	}
	return runSteps(ctx, c, "", onPage("scroll", in.To))
}

type uploadParams struct {
	Paths    []string `json:"paths" about:"the files"`
	Selector string   `json:"selector,omitempty" about:"the file input, or what opens the file chooser; without, the one that is open"`
	patience
	Where
}

func uploadFiles(ctx context.Context, c *Context, in uploadParams) (Output, error) {
	if len(in.Paths) == 0 {
		return Output{}, invalid("browser_upload", "paths is empty; it takes the paths of files")
	}
	for _, p := range in.Paths {
		if strings.ContainsAny(p, "\r\n") || strings.TrimSpace(p) == "" {
			return Output{}, invalid("browser_upload", "%q is not a path", p)
		}
	}
	paths := strings.Join(in.Paths, "\n")
	if in.Selector == "" {
		return runSteps(ctx, c, "", onPage("upload", paths))
	}
	return runSteps(ctx, c, "", in.step(in.Selector, "upload", paths, false))
}

type dialogParams struct {
	Accept bool `json:"accept" about:"true is OK or yes, false is Cancel or no"`
	Text   Text `json:"text,omitempty" about:"the answer to a prompt"`
	Where
}

func handleDialog(ctx context.Context, c *Context, in dialogParams) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	answer := map[bool]string{true: "accept", false: "dismiss"}[in.Accept]
	if in.Text != "" {
		d := s.Driver().Tab().Dialog()
		switch {
		case !in.Accept:
			return Output{}, invalid("browser_handle_dialog", "text is the answer to a prompt; it goes with accept true")
		case d != nil && d.Type != "prompt":
			return Output{}, invalid("browser_handle_dialog", "text is the answer to a prompt, and this is the dialog %s %q", d.Type, d.Message)
		}
		answer = "text:" + string(in.Text)
	}
	return runSteps(ctx, c, "", onPage("dialog", answer))
}
