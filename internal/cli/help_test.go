package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestHelpOfEveryCommand: each says what it does and how it is written, no line is
// wider than one likes to read, and what it takes is there.
func TestHelpOfEveryCommand(t *testing.T) {
	var all func(c *cobra.Command)
	all = func(c *cobra.Command) {
		var out bytes.Buffer
		c.SetOut(&out)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		help := out.String()
		if !strings.Contains(help, "Usage:\n  "+c.CommandPath()) {
			t.Errorf("%s: the help does not say how it is written:\n%s", c.CommandPath(), help)
		}
		_, flags, _ := strings.Cut(help, "\nFlags")
		for line := range strings.Lines(flags) {
			if len(line) > 104 {
				t.Errorf("%s: a wide line: %s", c.CommandPath(), line)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && strings.Count(flags, "--"+f.Name+" ")+strings.Count(flags, "--"+f.Name+"\n") < 1 {
				t.Errorf("%s: the help does not name --%s", c.CommandPath(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && !strings.Contains(help, "\n  "+sub.Name()+" ") {
				t.Errorf("%s: the help does not name %s", c.CommandPath(), sub.Name())
			}
			all(sub)
		}
	}
	all(newRootCommand())
}

// TestWrongFlags: what was meant is named.
func TestWrongFlags(t *testing.T) {
	for line, want := range map[string]string{
		"look --bugdet 3":      "did you mean --budget?",
		"look --sessoin x":     "did you mean --session?",
		"go x --head":          "did you mean --headed?",
		"look --zzz":           "unknown flag: --zzz\n",
		"mcp --viewprt 1x1":    "did you mean --viewport?",
		"completion nope":      "bash, zsh, fish, powershell",
		"serve --addr nowhere": "write it as HOST:PORT",
		"session load a /nope": "no such file",
	} {
		var out, err bytes.Buffer
		if code := Main(strings.Fields(line), strings.NewReader(""), &out, &err); code != 2 || !strings.Contains(err.String(), want) {
			t.Errorf("%s: %d, %s", line, code, err.String())
		}
	}
}
