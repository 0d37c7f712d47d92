package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"rove/feature"
)

const debugHelp = `  Enter      this step, and stop before the next
  c          go on without stopping
  v          variables
  q          end the run
  anything else is run here: a step, or JavaScript`

// errQuit ends a run from the debugger.
var errQuit = errors.New("ended by hand")

// debugger stops before each step and takes lines.
func debugger(in io.Reader, out io.Writer, quit func(error)) func(*feature.Pause) {
	lines := bufio.NewScanner(in)
	running := false
	return func(p *feature.Pause) {
		if running {
			return
		}
		fmt.Fprintf(out, "%s%s:%d  %s\n", strings.Repeat("  ", p.Depth), p.Path, p.Line, p.Text)
		for {
			fmt.Fprint(out, "debug> ")
			if !lines.Scan() {
				running = true
				return
			}
			switch line := strings.TrimSpace(lines.Text()); line {
			case "", "n", "next":
				return
			case "c", "continue":
				running = true
				return
			case "q", "quit":
				running = true
				quit(errQuit)
				return
			case "h", "help", "?":
				fmt.Fprintln(out, debugHelp)
			case "v", "variables":
				for _, v := range p.Variables() {
					fmt.Fprintf(out, "  %s = %s\n", v.Name, v.Value)
				}
			default:
				text, err := p.Eval(line)
				if err != nil {
					fmt.Fprintln(out, "error:", err)
				} else if text != "" {
					fmt.Fprintln(out, text)
				}
			}
		}
	}
}
