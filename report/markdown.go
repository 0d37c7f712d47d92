package report

import (
	"bufio"
	"fmt"
	"path/filepath"
	"strings"
)

// Markdown writes a short summary for a pull request or a job's page.
type Markdown struct {
	File     string
	failures []string
	flaky    []string
}

// Begin forgets a run before: a suite that is watched runs again.
func (m *Markdown) Begin(Suite) error {
	m.failures, m.flaky = nil, nil
	return nil
}

// Exchanges is part of Brief.
func (*Markdown) Exchanges() bool { return false }

// Scenario keeps what failed.
func (m *Markdown) Scenario(s *Scenario) error {
	switch s.Status {
	case Failed:
		at, line := s.ErrorPath, s.ErrorLine
		if at == "" {
			at, line = s.Feature.Path, s.Line
		}
		m.failures = append(m.failures, fmt.Sprintf("| %s | `%s:%d` | %s |", cell(title(s)), at, line, cell(cut(strings.Join(strings.Fields(s.Error), " "), 200))))
	case Flaky:
		m.flaky = append(m.flaky, fmt.Sprintf("- %s (`%s:%d`), attempt %d", cell(title(s)), s.Feature.Path, s.Line, s.Attempt))
	}
	return nil
}

// Feature is part of Writer.
func (*Markdown) Feature(*Feature, Results) error { return nil }

// End writes the file.
func (m *Markdown) End(s Summary) error {
	return create(filepath.Dir(m.File), filepath.Base(m.File), func(w *bufio.Writer) error {
		head := "✅ all passed"
		if s.Failed > 0 || len(s.Broken) > 0 {
			head = fmt.Sprintf("❌ %d failed", s.Failed+len(s.Broken))
		}
		fmt.Fprintf(w, "### %s\n\n| passed | failed | flaky | skipped | features | time |\n|---:|---:|---:|---:|---:|---:|\n| %d | %d | %d | %d | %d | %s |\n",
			head, s.Passed, s.Failed, s.Flaky, s.Skipped, s.Features, took(s.Time))
		if s.Interrupted != "" {
			fmt.Fprintf(w, "\n%s\n", cell(s.Interrupted))
		}
		if len(m.failures)+len(s.Broken) > 0 {
			fmt.Fprint(w, "\n| failed | where | why |\n|---|---|---|\n")
			for _, b := range s.Broken {
				fmt.Fprintf(w, "| the file could not be read | `%s:%d` | %s |\n", b.Path, b.Line, cell(cut(b.Error, 200)))
			}
			const most = 100
			for i, f := range m.failures {
				if i == most {
					fmt.Fprintf(w, "\n%d more are in the report.\n", len(m.failures)-most)
					break
				}
				fmt.Fprintln(w, f)
			}
		}
		if len(m.flaky) > 0 {
			fmt.Fprintf(w, "\nFlaky, passed when tried again:\n\n%s\n", strings.Join(m.flaky, "\n"))
		}
		return nil
	})
}

// cell keeps a text within a cell of a table, and from being markup.
func cell(s string) string {
	return markup.Replace(clean(s))
}

var markup = strings.NewReplacer("\n", " ", "\r", " ", "|", `\|`, "<", "&lt;", "`", "'", "[", `\[`, "@", "@\u200b")

// Annotations writes failures as GitHub's workflow commands, which show them at
// their lines.
type Annotations struct{ Write func(line string) }

// Begin is part of Writer.
func (Annotations) Begin(Suite) error { return nil }

// Exchanges is part of Brief.
func (Annotations) Exchanges() bool { return false }

// Scenario writes a failure.
func (a Annotations) Scenario(s *Scenario) error {
	at, line := s.ErrorPath, s.ErrorLine
	if at == "" {
		at, line = s.Feature.Path, s.Line
	}
	switch s.Status {
	case Failed:
		a.Write(fmt.Sprintf("::error file=%s,line=%d,title=%s::%s", property.Replace(at), line, property.Replace(title(s)), message.Replace(cut(s.Error, 2000))))
	case Flaky:
		a.Write(fmt.Sprintf("::warning file=%s,line=%d,title=%s::flaky: passed on attempt %d", property.Replace(s.Feature.Path), s.Line, property.Replace(title(s)), s.Attempt))
	}
	return nil
}

// Feature is part of Writer.
func (Annotations) Feature(*Feature, Results) error { return nil }

// End writes what could not be read.
func (a Annotations) End(s Summary) error {
	for _, b := range s.Broken {
		a.Write(fmt.Sprintf("::error file=%s,line=%d,title=could not be read::%s", property.Replace(b.Path), b.Line, message.Replace(b.Error)))
	}
	return nil
}

var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
