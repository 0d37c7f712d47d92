package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"rove/aria"
	"rove/driver"
	"rove/internal/tool"
)

// verb is how a tool becomes a command. The flags are those of its parameters in
// the table that are not given by position.
type verb struct {
	tool    string
	use     string
	short   string
	long    string
	example string
	// args are the parameters given by position; those in brackets may be left
	// out.
	args []string
	// flags have another name or value than their parameter: name, or name and
	// the word for its value.
	flags map[string]string
	// calls makes the calls of a command line that is more than its parameters.
	calls func(c *cobra.Command, args []string, input map[string]any) ([]one, error)
	// check refuses arguments, where there is more to it than their number.
	check func(c *cobra.Command, args []string) error
}

var verbs = []verb{
	{
		tool: "go", use: "go URL [then REF OP [VALUE] …]", args: []string{"url"},
		short: "Open a page and show what is on it",
		long: `Opens a page and prints it as an agent would see it: the address, the title, and
a line for every element that says or does something.

A name without a scheme is https; localhost and bare addresses are http. What is to
be done there can follow after "then", as with act: one answer, of where it ended.

The page stays open in a browser in the background, for the commands that
follow: look, act, wait, eval and go again. It ends after 30 minutes without a
call, or with 'rove session end' or 'rove daemon stop'.`,
		example: `  rove go example.com
  rove go localhost:3000 --json
  rove go example.com --session two      beside the first, with cookies of its own
  rove go example.com --headed           in a window
  rove go localhost:3000/login then '#user' input ada then '#pass' input secret then {button}Login click`,
		calls: goCalls,
		check: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 || len(args) > 1 && args[1] != "then":
				return errors.New("it is written 'rove go URL [then REF OP [VALUE] …]'")
			case len(args) > 1:
				return checkStepWords(args[2:])
			}
			return nil
		},
	},
	{
		tool: "look", use: "look [URL] [REF]", args: []string{"[url]", "[ref]"},
		flags: map[string]string{
			"viewport": "visible", "screenshot": "screenshot FILE", "find": "find TEXT", "budget": "budget TOKENS", "since": "since LOOK",
		},
		short: "Look at the page, or at a part of it",
		long: `Prints the page that is open, whole or in part. With a URL that page is opened
first.

The view is kept within a budget of tokens: what is on screen and what can be
operated comes first, long lists are folded, and what was left out is named.`,
		example: `  rove look                      the page within 1,500 tokens
  rove look --budget 0           all of it
  rove look e12                  only element e12 and what is in it
  rove look --find '/price|cost/i'
  rove look --mode text          the content as Markdown
  rove look --since last         what changed
  rove look --screenshot page.png
  rove look example.com          opens the page first`,
		calls: lookCalls,
		check: func(_ *cobra.Command, args []string) error {
			if len(args) > 2 || len(args) == 2 && (isRef(args[0]) || !isRef(args[1])) {
				return errors.New("look takes a URL, a ref, or a URL and a ref")
			}
			return nil
		},
	},
	{
		tool: "act", use: "act REF OP [VALUE] [then REF OP …] | --steps FILE", args: []string{"[ref]", "[op]", "[value]"},
		flags: map[string]string{"steps": "steps FILE"},
		short: "Do something on the page, and see what came of it",
		long: `Does one operation on an element, or several in order, and prints a receipt: what
was done, and what appeared, went and changed.

REF is a ref from a look (e3), a locator (#save, //h1, '{button}Save'), or _page
for the page itself. What can be done stands in every view; anything takes hover,
dblclick, rightclick, scroll, press, drag, mark, focus, screenshot, text and
attribute. A VALUE that begins with a dash follows after "--".

Several have "then" between them. They are done in order up to the first that
fails, in one call with one receipt. --steps reads them from a file, or from
standard input with "-": one JSON object {"ref", "op", "value"} a line, or an
array of them. A picture is saved to the current directory, or to the FILE of
--screenshot.`,
		example: `  rove act e3 click
  rove act e1 input ada@example.com
  rove act e1 input ada@example.com then e2 input secret then e3 click
  rove act '#country' select Norway
  rove act e5 set -- -3
  rove act e7 drag 'e9 after'
  rove act _page back
  rove act _page screenshot --screenshot page.png
  rove act --steps - <<'END'
  {"ref": "e1", "op": "input", "value": "ada@example.com"}
  {"ref": "e2", "op": "input", "value": "secret"}
  {"ref": "e3", "op": "click"}
  END`,
		calls: actCalls,
		check: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("steps") {
				if len(args) > 0 {
					return errors.New("act takes REF OP [VALUE] or --steps, not both")
				}
				return nil
			}
			return checkStepWords(args)
		},
	},
	{
		tool: "wait", use: "wait CONDITION", args: []string{"for"},
		flags: map[string]string{"timeout": "timeout DURATION"},
		short: "Wait until something is so",
		long: `Waits for a condition and prints what changed meanwhile:

  e5, '!e5'        the element is there, or is gone
  text:WORDS       the words are on the page; gone:WORDS, they no longer are
  url:PART         the address has that part
  request:PART     a request whose address has that part was answered
  idle, load       the page has come to rest, or has loaded
  500              so many milliseconds
  anything else    JavaScript that becomes true, or a locator

When the time is over it ends with exit code 15 and shows the page as it is.`,
		example: `  rove wait text:Welcome
  rove wait '!e5' --timeout 5s
  rove wait 'document.images.length > 3'`,
	},
	{
		tool: "eval", use: "eval JS | -", args: []string{"js"},
		short: "Run JavaScript in the page",
		long: `Runs JavaScript in the page, an expression, statements or a function, and prints
the result as JSON. Promises are awaited. With "-" the script is read from
standard input.`,
		example: `  rove eval document.title
  rove eval 'fetch("/api/me").then(r => r.json())'
  rove eval - < script.js`,
		calls: func(c *cobra.Command, args []string, input map[string]any) ([]one, error) {
			js, err := readAll(c, args[0])
			input["js"] = js
			return []one{{tool: "eval", input: input}}, err
		},
	},
}

// isRef tells a ref or a locator from a URL. A word by itself is a tag: an address has a dot, a colon or a slash.
func isRef(arg string) bool {
	switch {
	case driver.IsRef(arg), arg != "" && strings.ContainsAny(arg[:1], "#{(\"[*>."), strings.HasPrefix(arg, "//"):
		return true
	case strings.ContainsAny(arg, " >"):
		return !strings.Contains(arg, "://")
	}
	return arg != "localhost" && !strings.ContainsAny(arg, ".:/")
}

func lookCalls(c *cobra.Command, args []string, input map[string]any) ([]one, error) {
	var calls []one
	for _, arg := range args {
		if isRef(arg) {
			input["ref"] = arg
		} else {
			calls = append(calls, one{tool: "go", input: map[string]any{"url": arg}, silent: true})
		}
	}
	picture, _ := input["screenshot"].(string)
	if picture != "" {
		input["screenshot"] = true
	}
	return append(calls, one{tool: "look", input: input, picture: picture}), nil
}

// goCalls goes to a page; where there is more to be done it is the first step of an act.
func goCalls(c *cobra.Command, args []string, input map[string]any) ([]one, error) {
	if len(args) == 1 {
		input["url"] = args[0]
		return []one{{tool: "go", input: input}}, nil
	}
	return []one{{tool: "act", input: map[string]any{"steps": wordSteps(append([]string{"_page", "go", args[0]}, args[1:]...))}}}, nil
}

func actCalls(c *cobra.Command, args []string, input map[string]any) ([]one, error) {
	picture, err := c.Flags().GetString("screenshot")
	if err != nil {
		return nil, err
	}
	if from, ok := input["steps"].(string); ok {
		steps, err := readSteps(c, from)
		if err != nil {
			return nil, err
		}
		input = map[string]any{"steps": steps}
	} else {
		steps := wordSteps(args)
		if len(steps) == 1 {
			maps.Copy(input, steps[0])
		} else {
			input["steps"] = steps
		}
	}
	return []one{{tool: "act", input: input, picture: picture}}, nil
}

// wordSteps are the steps of an act that are written as words.
func wordSteps(args []string) []map[string]any {
	var steps []map[string]any
	for _, words := range stepsOf(args) {
		step := map[string]any{}
		for i, name := range []string{"ref", "op", "value"}[:len(words)] {
			step[name] = words[i]
		}
		if step["op"] == "upload" {
			step["value"] = absolute(words[len(words)-1])
		}
		steps = append(steps, step)
	}
	return steps
}

func checkStepWords(args []string) error {
	for _, step := range stepsOf(args) {
		if len(step) < 2 || len(step) > 3 {
			return errors.New("a step is a ref, an operation and perhaps a value in one word, such as: rove act e1 input 'two words' then e2 click")
		}
	}
	return nil
}

// stepsOf takes the words of several steps apart, at every "then" that is not the
// value of one: a value is last, or has another "then" behind it.
func stepsOf(args []string) [][]string {
	steps := [][]string{nil}
	for i, arg := range args {
		last := &steps[len(steps)-1]
		value := len(*last) == 2 && (i == len(args)-1 || args[i+1] == "then")
		if arg == "then" && !value {
			steps = append(steps, nil)
			continue
		}
		*last = append(*last, arg)
	}
	return steps
}

// readSteps reads the steps of an act from a file or standard input: JSON
// objects one after the other, or an array of them.
func readSteps(c *cobra.Command, from string) ([]map[string]any, error) {
	name, text := from, []byte(nil)
	var err error
	if from == "-" {
		name = "standard input"
		text, err = io.ReadAll(io.LimitReader(c.InOrStdin(), inputLimit))
	} else {
		text, err = os.ReadFile(from)
	}
	if err != nil {
		return nil, &usageError{fmt.Errorf("--steps: %w", err)}
	}
	var steps []map[string]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	for {
		var item json.RawMessage
		if err := dec.Decode(&item); err == io.EOF {
			break
		} else if err != nil {
			return nil, &usageError{fmt.Errorf("--steps: %s is not JSON at byte %d: %w", name, dec.InputOffset(), err)}
		}
		if item[0] != '[' {
			item = fmt.Appendf(nil, "[%s]", item)
		}
		var some []map[string]any
		d := json.NewDecoder(bytes.NewReader(item))
		d.UseNumber()
		if err := d.Decode(&some); err != nil {
			return nil, &usageError{fmt.Errorf(`--steps: %s holds something else than steps, which are written {"ref": "e3", "op": "click"}`, name)}
		}
		steps = append(steps, some...)
	}
	if len(steps) == 0 {
		return nil, &usageError{fmt.Errorf("--steps: %s holds no step", name)}
	}
	for _, s := range steps {
		if value, ok := s["value"].(string); ok && s["op"] == "upload" {
			s["value"] = absolute(value)
		}
	}
	return steps, nil
}

// absolute makes the paths of an upload absolute, one, one a line, or a JSON
// list: the daemon is in another directory.
func absolute(value string) string {
	paths := strings.Split(value, "\n")
	var list []string
	if json.Unmarshal([]byte(value), &list) == nil {
		paths = list
	}
	for i, path := range paths {
		if path = strings.TrimSpace(path); path != "" {
			if abs, err := filepath.Abs(path); err == nil {
				paths[i] = abs
			}
		}
	}
	return strings.Join(paths, "\n")
}

// newVerbCommand makes the command of a verb.
func newVerbCommand(v verb) *cobra.Command {
	var f callFlags
	t, err := tool.Find(v.tool)
	if err != nil {
		panic(err) // a mistake in the table above, found by any test
	}
	var read []func(input map[string]any) // the flags that were set
	c := &cobra.Command{
		Use: v.use, Short: v.short, Long: v.long, Example: v.example, GroupID: verbGroup,
		Args: func(c *cobra.Command, args []string) error {
			err := v.count(args)
			if v.check != nil {
				err = v.check(c, args)
			}
			if err != nil {
				return &usageError{fmt.Errorf("%w; see '%s --help'", err, c.CommandPath())}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			input := map[string]any{}
			for _, set := range read {
				set(input)
			}
			calls := []one{{tool: v.tool, input: input}}
			if v.calls == nil {
				for i, arg := range args {
					input[v.args[i]] = arg
				}
			} else if calls, err = v.calls(c, args, input); err != nil {
				return err
			}
			return f.run(c, calls...)
		},
	}
	c.Flags().SortFlags = false
	timeout := callTimeout
	for _, p := range t.Parameters() {
		if p.Name == "session" || v.positional(p.Name) {
			continue
		}
		if p.Name == "timeout" { // its own, which the call outlasts
			timeout = 0
		}
		read = append(read, v.flag(c, p))
	}
	if v.tool == "act" {
		c.Flags().String("screenshot", "", "save a picture that was taken to `FILE`")
	}
	f.register(c, timeout)
	c.ValidArgsFunction = v.complete
	return c
}

// count holds the arguments to those that are named.
func (v *verb) count(args []string) error {
	least := 0
	for _, a := range v.args {
		if !strings.HasPrefix(a, "[") {
			least++
		}
	}
	if len(args) < least || len(args) > len(v.args) {
		return fmt.Errorf("it is written 'rove %s'", v.use)
	}
	return nil
}

func (v *verb) positional(name string) bool {
	return slices.ContainsFunc(v.args, func(a string) bool { return strings.Trim(a, "[]") == name })
}

// flag adds the flag of a parameter, and gives what puts its value into an input.
func (v *verb) flag(c *cobra.Command, p tool.Parameter) func(input map[string]any) {
	name, word, _ := strings.Cut(v.flags[p.Name], " ")
	name, word = cmp.Or(name, p.Name), cmp.Or(word, strings.ToUpper(p.Name))
	var value func() any
	switch {
	case p.Type == "boolean" && !strings.Contains(v.flags[p.Name], " "):
		b := c.Flags().Bool(name, false, p.About)
		value = func() any { return *b }
	case p.Type == "array" && v.flags[p.Name] == name: // of words; what is more has a word for it
		list := c.Flags().StringSlice(name, nil, p.About)
		value = func() any { return *list }
	default:
		f := &flagValue{word: word, number: p.Type == "integer" && !strings.HasPrefix(p.Name, "timeout"), decimal: p.Type == "number"}
		c.Flags().Var(f, name, p.About)
		value = f.value
	}
	if len(p.Enum) > 0 {
		_ = c.RegisterFlagCompletionFunc(name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return p.Enum, cobra.ShellCompDirectiveNoFileComp
		})
	}
	return func(input map[string]any) {
		if c.Flags().Changed(name) {
			input[p.Name] = value()
		}
	}
}

// flagValue is the value of a parameter, with a word for it in the help.
type flagValue struct {
	text    string
	word    string
	number  bool // a whole one
	decimal bool // any
}

func (f *flagValue) String() string { return f.text }
func (f *flagValue) Type() string   { return f.word }

func (f *flagValue) Set(text string) error {
	if _, err := strconv.Atoi(text); f.number && err != nil {
		return errors.New("not a whole number")
	}
	if _, err := strconv.ParseFloat(text, 64); f.decimal && err != nil {
		return errors.New("not a number")
	}
	f.text = text
	return nil
}

func (f *flagValue) value() any {
	if f.number || f.decimal {
		return json.Number(f.text)
	}
	return f.text
}

func (v *verb) complete(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if v.tool == "act" {
		steps := stepsOf(args)
		args = steps[len(steps)-1]
	}
	switch {
	case v.tool == "act" && len(args) == 0:
		return []string{"_page\tthe page itself"}, cobra.ShellCompDirectiveNoFileComp
	case v.tool == "act" && len(args) == 1 && args[0] == "_page":
		return aria.PageActions, cobra.ShellCompDirectiveNoFileComp
	case v.tool == "act" && len(args) == 1:
		return append(driver.Operations(), "assert"), cobra.ShellCompDirectiveNoFileComp
	case v.tool == "act" && len(args) == 2 && args[1] == "upload":
		return nil, cobra.ShellCompDirectiveDefault
	case v.tool == "act" && len(args) > 1:
		return []string{"then\tand another step"}, cobra.ShellCompDirectiveNoFileComp
	case v.tool == "wait" && len(args) == 0:
		return []string{"text:", "gone:", "url:", "request:", "idle", "load"}, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}
