package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// took is a duration as people read it.
func took(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "<1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
}

// mark is the sign of a status; its words stand beside it for those who cannot
// see it.
func mark(s Status) string {
	switch s {
	case Passed:
		return "✓"
	case Failed:
		return "✕"
	case Flaky:
		return "↻"
	}
	return "–"
}

func percent(n int, s Summary) string {
	all := s.Passed + s.Failed + s.Flaky + s.Skipped
	if all == 0 {
		return "0%"
	}
	return fmt.Sprintf("%.4f%%", 100*float64(n)/float64(all))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "…"
}

func stepText(s *Step) string {
	if s.Hook != "" {
		return s.Hook
	}
	return s.Text
}

// pretty indents JSON, and leaves everything else as it is.
func pretty(s string) string {
	t := strings.TrimSpace(s)
	if !strings.HasPrefix(t, "{") && !strings.HasPrefix(t, "[") {
		return s
	}
	var v any
	d := json.NewDecoder(strings.NewReader(t))
	d.UseNumber()
	if d.Decode(&v) != nil || d.More() {
		return s
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(v) != nil {
		return s
	}
	return strings.TrimSpace(b.String())
}

// long texts are folded.
func long(s string) bool { return len(s) > 1500 || strings.Count(s, "\n") > 20 }
