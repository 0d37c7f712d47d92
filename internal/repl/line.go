package repl

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rove"
	"rove/aria"
	"rove/driver"
	"rove/internal/tool"
)

// parse reads a line as the call of a tool. A tool without a grammar of its own
// is written as its name and a JSON object.
func parse(line string) (name string, input []byte, err error) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	var in map[string]any
	switch {
	case word == "go" && rest != "":
		in = map[string]any{"url": rest}
	case word == "look":
		in, err = parseLook(rest)
	case word == "act" && rest != "":
		word, in, err = parseAct(rest)
	case word == "wait" && rest != "":
		in = map[string]any{"for": rest}
	case word == "eval" && rest != "":
		in = map[string]any{"js": rest}
	case word == "history" || slices.Contains(aria.PageActions, word):
		word, in, err = parseAct("_page " + line)
	case isTarget(line):
		word, in, err = parseAct(line)
	case strings.HasPrefix(rest, "{") || rest == "":
		return word, []byte(rest), known(word)
	default:
		err = known(word)
		if err == nil {
			err = wrong("%s is written as %s {JSON}; see help", word, word)
		}
	}
	if err != nil {
		return "", nil, err
	}
	input, err = json.Marshal(in)
	return word, input, err
}

func known(word string) error {
	if _, err := tool.Find(word); err != nil {
		return wrong("there is no verb %q; see help", word)
	}
	return nil
}

func wrong(format string, args ...any) error {
	return &rove.Error{Code: rove.CodeInvalid, Op: "repl", Message: fmt.Sprintf(format, args...)}
}

// isTarget says whether a line begins with what can be acted on.
func isTarget(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return driver.IsRef(word) || word == "_page" || strings.ContainsAny(line[:1], "#{('") || strings.HasPrefix(line, "//")
}

// parseAct reads REF ["NAME"] OP [VALUE]. The name is what completion puts
// there for a person to read. The value is the rest of the line, or a JSON
// string for one with odd characters.
func parseAct(text string) (word string, in map[string]any, err error) {
	ref, rest := cutTarget(text)
	if rest != "" && rest[0] == '"' && driver.IsRef(ref) {
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			rest = strings.TrimSpace(rest[len(quoted):])
		}
	}
	op, value, _ := strings.Cut(rest, " ")
	if op == "" {
		return "", nil, wrong("what is to be done with %s? It is written as %s click, or %s input TEXT", ref, ref, ref)
	}
	in = map[string]any{"ref": ref, "op": op}
	value = strings.TrimSpace(value)
	var plain string
	if strings.HasPrefix(value, `"`) && json.Unmarshal([]byte(value), &plain) == nil {
		value = plain
	}
	if value != "" {
		in["value"] = value
	}
	return "act", in, nil
}

// cutTarget cuts off the ref or locator at the beginning. A locator may hold
// spaces when it is in quotes, or is of the form {role}Name, which ends before
// the first word that is an operation.
func cutTarget(text string) (ref, rest string) {
	if text[0] == '\'' {
		if end := strings.IndexByte(text[1:], '\''); end >= 0 {
			return text[1 : 1+end], strings.TrimSpace(text[2+end:])
		}
	}
	ref, rest, _ = strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	for strings.HasPrefix(ref, "{") {
		word, after, more := strings.Cut(rest, " ")
		if !more || isOperation(word) {
			break
		}
		ref, rest = ref+" "+word, strings.TrimSpace(after)
	}
	return ref, rest
}

// operations are what elements take.
var operations = append(driver.Operations(), "assert")

func isOperation(word string) bool { return slices.Contains(operations, word) }

// parseLook reads look [REF] [NAME=VALUE] [FLAG]…, where find= takes words in
// quotes.
func parseLook(text string) (map[string]any, error) {
	t, err := tool.Find("look")
	if err != nil {
		return nil, err
	}
	in := map[string]any{}
	for text != "" {
		var word string
		if word, text, err = cutWord(text); err != nil {
			return nil, err
		}
		name, value, has := strings.Cut(word, "=")
		i := slices.IndexFunc(t.Parameters(), func(p tool.Parameter) bool { return p.Name == name })
		switch {
		case i < 0 && !has && driver.IsRef(word):
			in["ref"] = word
		case i < 0 && !has && slices.Contains([]string{"page", "interactive", "text"}, word):
			in["mode"] = word
		case i < 0:
			return nil, wrong("look does not know %q; it is written as look [REF] [find=TEXT] [mode=text] [budget=N] [viewport] [format=yaml] [since=last] [screenshot]", word)
		case t.Parameters()[i].Type == "boolean":
			in[name] = !has || value == "true"
		case !has:
			return nil, wrong("look %s needs a value: %s=…", name, name)
		case t.Parameters()[i].Type == "integer":
			in[name] = json.Number(value)
			if _, err := strconv.Atoi(value); err != nil {
				return nil, wrong("look %s takes a number, not %q", name, value)
			}
		default:
			in[name] = value
		}
	}
	return in, nil
}

// cutWord cuts off the first word; quotes within it hold spaces.
func cutWord(text string) (word, rest string, err error) {
	var b strings.Builder
	quote := rune(0)
	for i, c := range text {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(c)
		case c == '"' || c == '\'':
			quote = c
		case c == ' ':
			return b.String(), strings.TrimSpace(text[i:]), nil
		default:
			b.WriteRune(c)
		}
	}
	if quote != 0 {
		return "", "", wrong("a %c is not closed", quote)
	}
	return b.String(), "", nil
}

// help is the text for a line that asks for it.
func help(line string) (string, bool) {
	if line != "help" && line != "?" && !strings.HasPrefix(line, "help ") {
		return "", false
	}
	if about := strings.TrimSpace(strings.TrimPrefix(line, "help")); about != "" && about != "?" {
		t, err := tool.Find(about)
		if err != nil {
			return fmt.Sprintf("there is no verb %q", about), true
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s: %s\n", t.Name, t.Help)
		for _, p := range t.Parameters() {
			fmt.Fprintf(&b, "  %-11s %s\n", p.Name, p.About)
		}
		return b.String(), true
	}
	return `go URL                  open a page
look [REF] [find="two words"] [mode=text] [budget=0] [since=last] [screenshot]
e3 click                act on an element; e1 input ada@example.com
{button}Save click      … or on what a locator finds; '#a b' click
back, refresh, tab new  act on the page; also press, scroll, dialog, screenshot, undo
wait text:Welcome       wait for e5, !e5, text:, gone:, url:, request:, idle, ms, or JavaScript
eval document.title     run JavaScript in the page
history                 what was done so far
help VERB               its parameters
* STEP, karate.…        a step of a feature, or a script with karate
quit`, true
}
