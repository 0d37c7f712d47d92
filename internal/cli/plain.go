package cli

import (
	"io"
	"slices"
	"unicode/utf8"

	"rove/aria"
)

// ownOutput are the commands whose standard output is not for a person alone: a
// protocol, colours, or a file with its own way to write what nobody sees.
var ownOutput = []string{"mcp", "serve", "daemon", "repl", "run", "mock", "completion", "derive"}

// plainly is standard output for the command of a line. What pages and other people's
// files said goes there in many ways; none of it is to command a terminal, or not to be
// seen.
func plainly(out io.Writer, args []string) io.Writer {
	if len(args) > 0 && slices.Contains(ownOutput, args[0]) {
		return out
	}
	return &plain{out: out}
}

// plain is a writer that writes out what nobody would see.
type plain struct {
	out  io.Writer
	rest []byte // the beginning of a character
}

func (p *plain) Write(b []byte) (int, error) {
	text := append(p.rest, b...)
	whole := len(text)
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if c := text[len(text)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-i:]) {
				whole -= i
			}
			break
		}
	}
	p.rest = slices.Clone(text[whole:])
	if _, err := io.WriteString(p.out, aria.Reveal(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(b), nil
}
