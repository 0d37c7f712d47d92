package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"rove/aria"
	"rove/feature"
	"rove/report"
)

// runPrinter tells people how a run goes: on a terminal with a line that is
// written over, else with a line for each scenario.
type runPrinter struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	color    bool
	quiet    bool
	start    time.Time
	running  []*report.Scenario
	line     bool // a progress line is on the screen
	drawn    time.Time
	// lines holds back what is no failure for a moment: thousands of scenarios a second
	// are not worth a write each.
	lines *bufio.Writer
	soon  *time.Timer
}

// progressDelay is how long a line of progress may be late.
const progressDelay = 100 * time.Millisecond

func newRunPrinter(out io.Writer, color, quiet bool) *runPrinter {
	p := &runPrinter{out: out, quiet: quiet, start: time.Now(), lines: bufio.NewWriter(out)}
	if f, ok := out.(*os.File); ok {
		info, err := f.Stat()
		nowhere, _ := os.Stat(os.DevNull)
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0 && !os.SameFile(info, nowhere)
	}
	p.color = color && p.terminal
	return p
}

// red is a text in red, where there are colours.
func (p *runPrinter) red(text string) string {
	if !p.color {
		return text
	}
	return "\x1b[31m" + text + "\x1b[0m"
}

func (p *runPrinter) progress(e feature.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case e.Started != nil:
		p.running = append(p.running, e.Started)
	case e.Broken != nil:
		p.wipe()
		fmt.Fprintf(p.out, "%s %s\n", p.red("broken"), aria.Reveal(e.Broken.Error))
	case e.Ended != nil:
		p.running = slices.DeleteFunc(p.running, func(s *report.Scenario) bool { return s == e.Ended })
		p.ended(e)
	case e.Text != "":
		p.wipe()
		fmt.Fprintln(p.out, aria.Reveal(e.Text))
	}
	if p.terminal && !p.quiet {
		p.draw(e)
	}
}

func (p *runPrinter) ended(e feature.Progress) {
	s := e.Ended
	switch {
	case s.Status == report.Failed:
		p.wipe()
		fmt.Fprint(p.out, p.failure(s))
		if e.Picture != "" {
			fmt.Fprintf(p.out, "    picture: %s\n", e.Picture)
		}
	case !p.terminal && !p.quiet:
		p.scheduleLines()
		line := append(append(p.lines.AvailableBuffer(), s.Status...), "  "...)
		line = strconv.AppendInt(append(append(line, s.Feature.Path...), ':'), int64(s.Line), 10)
		line = append(append(append(line, ' '), aria.OneLine(s.Name)...), " ("...)
		p.lines.Write(append(append(line, s.Time.Round(time.Millisecond).String()...), ")\n"...))
	}
}

// failure tells a failure at once: where, the step, why. Pages and servers have words in
// it; the only commands for the terminal are those that paint.
func (p *runPrinter) failure(s *report.Scenario) string {
	var b strings.Builder
	path, line := s.ErrorPath, s.ErrorLine
	if path == "" {
		path, line = s.Feature.Path, s.Line
	}
	fmt.Fprintf(&b, "%s  %s:%d %s\n", p.red("failed"), s.Feature.Path, s.Line, aria.OneLine(s.Name))
	if st := failedStep(s.Steps); st != nil {
		fmt.Fprintf(&b, "  %s:%d  %s %s\n", path, line, st.Keyword, aria.Reveal(st.Text))
	} else {
		fmt.Fprintf(&b, "  %s:%d\n", path, line)
	}
	for text := range strings.SplitSeq(strings.TrimRight(s.Error, "\n"), "\n") {
		fmt.Fprintf(&b, "    %s\n", aria.OneLine(text))
	}
	return b.String()
}

// failedStep is the innermost step that failed.
func failedStep(steps []*report.Step) *report.Step {
	for _, st := range steps {
		if st.Status != report.Failed {
			continue
		}
		for _, call := range st.Calls {
			for _, s := range call.Scenarios {
				if inner := failedStep(s.Steps); inner != nil {
					return inner
				}
			}
		}
		return st
	}
	return nil
}

// scheduleLines sees to it that lines are written in a moment.
func (p *runPrinter) scheduleLines() {
	if p.lines.Buffered() > 0 {
		return
	}
	if p.soon != nil {
		p.soon.Reset(progressDelay)
		return
	}
	p.soon = time.AfterFunc(progressDelay, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		_ = p.lines.Flush()
	})
}

// draw writes the progress line, where it is not as good as new.
func (p *runPrinter) draw(e feature.Progress) {
	if p.line && time.Since(p.drawn) < progressDelay {
		return
	}
	p.drawn = time.Now()
	line := fmt.Sprintf("%d/%d", e.Done, e.All)
	if e.Failed > 0 {
		line += p.red(fmt.Sprintf("  %d failed", e.Failed))
	}
	if e.Done > 0 && e.Done < e.All {
		left := time.Duration(float64(time.Since(p.start)) / float64(e.Done) * float64(e.All-e.Done))
		line += "  " + left.Round(time.Second).String() + " left"
	}
	var names []string
	for _, s := range p.running {
		names = append(names, fmt.Sprintf("%s:%d", s.Feature.Path, s.Line))
		if len(names) == 3 && len(p.running) > 3 {
			names = append(names, fmt.Sprintf("and %d more", len(p.running)-3))
			break
		}
	}
	if len(names) > 0 {
		line += "  " + strings.Join(names, ", ")
	}
	if len(line) > 110 {
		line = line[:110]
	}
	fmt.Fprintf(p.out, "\r\x1b[K%s", line)
	p.line = true
}

// wipe makes room for what is to be read now.
func (p *runPrinter) wipe() {
	_ = p.lines.Flush()
	if p.line {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.line = false
	}
}

// clear takes the progress line away.
func (p *runPrinter) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
}

// restart begins anew for another run.
func (p *runPrinter) restart() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start, p.running = time.Now(), nil
}

// summary tells the end: counts, the slowest, where the report is.
func (p *runPrinter) summary(r *feature.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Config != "" {
		fmt.Fprintf(p.out, "%s\n", p.red(aria.Reveal(r.Config)))
	}
	var all []*report.Scenario
	for _, f := range r.Files {
		all = append(all, f.Scenarios...)
	}
	if len(all) > 3 && !p.quiet {
		slices.SortStableFunc(all, func(a, b *report.Scenario) int { return int(b.Time - a.Time) })
		fmt.Fprintln(p.out, "slowest:")
		for _, s := range all[:3] {
			fmt.Fprintf(p.out, "  %8s  %s:%d %s\n", s.Time.Round(time.Millisecond), s.Feature.Path, s.Line, aria.OneLine(s.Name))
		}
	}
	counts := fmt.Sprintf("%s in %s: %d passed", countOf(r.Passed+r.Failed+r.Skipped, "scenario"), countOf(r.Features, "feature"), r.Passed)
	if r.Flaky > 0 {
		counts += fmt.Sprintf(" (%d flaky)", r.Flaky)
	}
	if r.Failed > 0 {
		counts += ", " + p.red(fmt.Sprintf("%d failed", r.Failed))
	}
	if r.Skipped > 0 {
		counts += fmt.Sprintf(", %d skipped", r.Skipped)
	}
	if n := len(r.Broken); n > 0 {
		counts += fmt.Sprintf(", %s broken", countOf(n, "file"))
	}
	fmt.Fprintf(p.out, "%s, in %s\n", counts, r.Time.Round(10*time.Millisecond))
	if r.Interrupted != "" {
		fmt.Fprintf(p.out, "not all was run: %s\n", r.Interrupted)
	}
	if r.Trouble != nil {
		fmt.Fprintf(p.out, "%s %v\n", p.red("reports:"), aria.Reveal(r.Trouble.Error()))
	}
	if r.Output != "" && !r.Unwritten {
		fmt.Fprintf(p.out, "report: %s\n", r.Output)
	}
}

// countOf is a number of things: 1 feature, 2 features.
func countOf(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
