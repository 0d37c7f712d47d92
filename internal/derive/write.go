package derive

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rove/aria"
	"rove/internal/wire"
	"rove/recording"
)

// writers has the formats. Each is a pure function of a flow.
var writers = map[string]func(*recording.Flow) (string, error){
	"feature":    writeFeature,
	"js":         writeJS,
	"go":         writeGo,
	"playwright": writePlaywright,
	"proposal":   writeProposal,
	"flow": func(f *recording.Flow) (string, error) {
		var b strings.Builder
		err := f.Write(&b)
		return b.String(), err
	},
}

// Formats are the formats there are, the first the one that is meant unless told.
var Formats = []string{"feature", "js", "go", "playwright", "proposal", "flow"}

// Write writes a flow as a script.
func Write(f *recording.Flow, format string) (string, error) {
	w := writers[format]
	if w == nil {
		return "", fmt.Errorf("there is no format %q: say %s", format, strings.Join(Formats, ", "))
	}
	text, err := w(f)
	if err != nil {
		return "", err
	}
	return shown(text, format), nil
}

// shown writes out what nobody would see who reads a script: names that a page chose
// must not look like something else than what runs. All formats but Go have the escapes
// of JSON.
func shown(text, format string) string {
	if format != "go" {
		return string(aria.RevealJSON([]byte(text)))
	}
	var b strings.Builder
	for _, r := range text {
		if aria.Unseen(r) || strings.ContainsRune("\u2028\u2029\u200c\u200d\ufe0e\ufe0f", r) {
			fmt.Fprintf(&b, `\U%08x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// head is what every script begins with: the verdict, and what was left out.
func head(f *recording.Flow, mark string) string {
	var b strings.Builder
	line := func(text string) { b.WriteString(mark + " " + strings.ReplaceAll(text, "\n", " ") + "\n") }
	line(f.Proof.String())
	line("derived by rove from what was done in a session")
	if f.Proof != nil {
		for _, d := range f.Proof.Dropped {
			line("dropped: " + d)
		}
	}
	for _, n := range f.Notes {
		line("note: " + n)
	}
	return b.String()
}

// title is what the script is called.
func title(f *recording.Flow) string {
	if f.Name != "" {
		return strings.Join(strings.Fields(f.Name), " ")
	}
	return "flow"
}

// query is the best way to an element that every tool has words for; "" for none.
func query(who *recording.Identity) string {
	if who == nil {
		return ""
	}
	for _, w := range who.Ways {
		if w.Query != "" {
			return w.Query
		}
	}
	return ""
}

// part is a piece of a value: words, or the name of a parameter.
type part struct {
	text  string
	param bool
}

func parts(value string) []part {
	var list []part
	at := 0
	for _, m := range recording.ParamPlace.FindAllStringSubmatchIndex(value, -1) {
		if m[0] > at {
			list = append(list, part{text: value[at:m[0]]})
		}
		list = append(list, part{value[m[2]:m[3]], true})
		at = m[1]
	}
	if at < len(value) || len(list) == 0 {
		list = append(list, part{text: value[at:]})
	}
	return list
}

// expression is a value in a language that joins texts with +.
func expression(value string, quote func(string) string, name func(string) string) string {
	var list []string
	for _, p := range parts(value) {
		if p.param {
			list = append(list, name(p.text))
		} else {
			list = append(list, quote(p.text))
		}
	}
	return strings.Join(list, " + ")
}

// freshParts are the words around the number that makes a value fresh.
func freshParts(p recording.Param) (before, after string) {
	before, after, _ = strings.Cut(p.Value, "{{now}}")
	return before, after
}

// jsQuote is a text as JavaScript has it: in the quotes that need fewer escapes.
func jsQuote(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	var b strings.Builder
	b.WriteByte(quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x2028 || r == 0x2029:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(quote)
	return b.String()
}

func jsonText(v any) string {
	data, err := wire.Marshal(v)
	if err != nil {
		return `""`
	}
	return string(data)
}

// seenScript is a function of an XPath that gives a script which says whether
// something there can be seen.
const seenScript = `"(function(q){var r=document.evaluate(q,document,null,7,null);for(var i=0;i<r.snapshotLength;i++)if(r.snapshotItem(i).checkVisibility())return true;return false})(" + JSON.stringify(q) + ")"`

// heldScript is a function of a query that gives a script which says what a field holds.
var heldScript = jsonText(recording.HeldFunction+"(") + ` + JSON.stringify(q) + ")"`

// keptScript is a function of a path and a text that gives a script which says whether the
// application answers with it.
func keptScript(kind string) string {
	before, after := recording.KeptFunction(kind)
	return jsonText(before) + ` + JSON.stringify(path) + "," + JSON.stringify(text) + ` + jsonText(after)
}

// pressScript is a function of a key that gives a script which tells an element of it,
// and does what a browser does by itself: Enter sends a form.
const pressScript = `"function(e){ e.focus(); var k = { key: '" + key + "', code: '" + key + "', keyCode: " + code + ", which: " + code + ", bubbles: true, cancelable: true, composed: true }; ` +
	`var on = e.dispatchEvent(new KeyboardEvent('keydown', k)); if (k.key == 'Enter') { on = on && e.dispatchEvent(new KeyboardEvent('keypress', k)); ` +
	`if (on && e.tagName == 'INPUT') { e.dispatchEvent(new Event('change', { bubbles: true })); var b = e.form && Array.from(e.form.elements).find(function(x){ return x.type == 'submit' || x.type == 'image' }); if (b) b.click(); else if (e.form) e.form.requestSubmit() } ` +
	`else if (on && (e.tagName == 'A' || e.tagName == 'BUTTON')) e.click(); else if (on) document.execCommand('insertLineBreak') } e.dispatchEvent(new KeyboardEvent('keyup', k)) }"`

// uses says whether a kind of check is in a flow.
func uses(f *recording.Flow, kinds ...string) bool {
	return slices.ContainsFunc(f.Steps, func(do recording.Do) bool {
		return slices.ContainsFunc(do.Checks, func(c recording.Check) bool { return slices.Contains(kinds, c.Kind) })
	})
}

// sameFrame says whether two steps are in one document.
func sameFrame(a, b []recording.Frame) bool {
	return slices.EqualFunc(a, b, func(x, y recording.Frame) bool { return x.Name == y.Name && x.Index == y.Index })
}

func frameOf(do *recording.Do) []recording.Frame {
	if do.Who == nil {
		return nil
	}
	return do.Who.Frame
}

// answers reads the value of a dialog step: whether to accept, and what to type.
func answers(value string) (accept bool, text string) {
	switch value {
	case "", "accept", "ok", "yes":
		return true, ""
	case "dismiss", "cancel", "no":
		return false, ""
	}
	return true, strings.TrimPrefix(value, "text:")
}

// unseated are the fields that take their value at once and not key by key.
var unseated = map[string]bool{"date": true, "time": true, "datetime-local": true, "month": true, "week": true, "color": true, "range": true}

// each are the files of an upload as arguments: one path, a line for each, or a JSON array.
func each(paths string, quote func(string) string) string {
	var list []string
	if wire.Unmarshal([]byte(paths), &list) != nil {
		list = strings.Split(paths, "\n")
	}
	var args []string
	for _, path := range list {
		if path = strings.TrimSpace(path); path != "" {
			args = append(args, quote(path))
		}
	}
	return strings.Join(args, ", ")
}

// answersChooser is a step that gives files to a chooser that the page has opened. Which
// field that is for is not known.
func answersChooser(do *recording.Do) bool { return do.Op == "upload" && do.Who == nil }

// tabOf is the tab that a step goes to, by its number from 1, or by a part of its address.
func tabOf(value string) (n int, which string) {
	which = strings.TrimPrefix(strings.TrimSpace(value), "switch ")
	if n, err := strconv.Atoi(which); err == nil {
		return n, ""
	}
	if word, _, _ := strings.Cut(which, " "); word == "new" || word == "close" {
		return 0, ""
	}
	return 0, which
}

// lacks are the steps of a flow that a format has no words for. A script without them would
// do something else than what was proved: there is none then.
type lacks struct {
	step  int // at work, counted from 1
	steps []string
}

func (l *lacks) add(do *recording.Do) {
	what := strings.TrimSpace(do.Op + " " + strings.Join(strings.Fields(do.Value), " "))
	if do.Who != nil {
		what = fmt.Sprintf("%s of %s %q", what, do.Who.Role, do.Who.Name)
	}
	l.steps = append(l.steps, fmt.Sprintf("step %d, %s", l.step, what))
}

func (l *lacks) err(who string) error {
	if len(l.steps) == 0 {
		return nil
	}
	return fmt.Errorf("%s has no words for %s: take another format, of which flow has words for everything", who, strings.Join(l.steps, "; "))
}
