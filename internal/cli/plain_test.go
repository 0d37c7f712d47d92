package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"rove/aria"
	"rove/feature"
	"rove/report"
)

// TestPlainOutput: what a page or a file said commands no terminal, however it is cut
// into writes; the rest stays as it is.
func TestPlainOutput(t *testing.T) {
	t.Parallel()
	const said, want = "ä\t€😀 \x1b[2J\u009b\u202e\u3164\r\nend\n", "ä\t€😀 \\x1b[2J\\x9b\\u202e\\u3164\\x0d\nend\n"
	for size := 1; size <= len(said); size++ {
		var b bytes.Buffer
		w := plainly(&b, []string{"recording", "show"})
		for rest := []byte(said); len(rest) > 0; {
			n := min(size, len(rest))
			if got, err := w.Write(rest[:n]); got != n || err != nil {
				t.Fatal(got, err)
			}
			rest = rest[n:]
		}
		if b.String() != want {
			t.Errorf("in pieces of %d: %q, want %q", size, b.String(), want)
		}
	}
	var b bytes.Buffer
	fmt.Fprint(plainly(&b, []string{"run"}), "\x1b[31m")
	if b.String() != "\x1b[31m" {
		t.Errorf("colours of run: %q", b.String())
	}
}

// TestRunPrintsPlainly: so it is for what failed in a run, whoever said it.
func TestRunPrintsPlainly(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	p := newRunPrinter(&b, true, false)
	const said = "\x1b[2J\u009b\r\u202e\u2028x"
	s := &report.Scenario{Feature: &report.Feature{Path: "a.feature"}, Name: said, Status: report.Failed, Error: said + "\n" + said, Steps: []*report.Step{{Status: report.Failed, Text: said}}}
	p.progress(feature.Progress{Ended: s})
	p.progress(feature.Progress{Text: said})
	if i := strings.IndexFunc(b.String(), func(r rune) bool { return r != '\n' && (aria.Unseen(r) || r < ' ' || r == 0x2028) }); i >= 0 || !strings.Contains(b.String(), `\x1b[2J`) {
		t.Errorf("%q", b.String())
	}
}
