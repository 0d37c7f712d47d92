package provision

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// reporter tells a person what is going on: with a bar on a terminal, with a
// line now and then elsewhere.
type reporter struct {
	w        io.Writer // nil for silence
	terminal bool
	now      func() time.Time
}

func newReporter(w io.Writer) *reporter {
	file, ok := w.(*os.File)
	return &reporter{w: w, terminal: ok && isTerminal(file) && os.Getenv("TERM") != "dumb", now: time.Now}
}

func (r *reporter) say(format string, args ...any) {
	if r.w != nil {
		_, _ = fmt.Fprintf(r.w, format+"\n", args...)
	}
}

// bar shows how far a download is.
type bar struct {
	r           *reporter
	have, total int64 // total 0: not known
	begun       int64 // had before this connection
	start, last time.Time
}

func (r *reporter) bar(have, total int64) *bar {
	now := r.now()
	if have > 0 {
		r.say("Going on at %s", size(have))
	}
	return &bar{r: r, have: have, begun: have, total: total, start: now, last: now}
}

func (b *bar) add(n int) {
	b.have += int64(n)
	if b.r.w == nil {
		return
	}
	every := 5 * time.Second
	if b.r.terminal {
		every = 100 * time.Millisecond
	}
	if now := b.r.now(); now.Sub(b.last) >= every {
		b.last = now
		b.draw()
	}
}

func (b *bar) done() {
	if b.r.w == nil {
		return
	}
	b.draw()
	if b.r.terminal {
		_, _ = fmt.Fprintln(b.r.w)
	}
}

func (b *bar) draw() {
	if b.r.terminal {
		_, _ = fmt.Fprintf(b.r.w, "\r\x1b[K%s", b.line())
		return
	}
	b.r.say("%s", b.line())
}

// line is the state of things in one line: bar, percent, bytes, speed, time left.
func (b *bar) line() string {
	seconds := b.r.now().Sub(b.start).Seconds()
	var speed float64
	if seconds > 0 {
		speed = float64(b.have-b.begun) / seconds
	}
	var s strings.Builder
	if b.total > 0 {
		part := min(1, float64(b.have)/float64(b.total))
		if b.r.terminal {
			const width = 30
			full := int(part * width)
			fmt.Fprintf(&s, "  [%s%s] ", strings.Repeat("=", full), strings.Repeat(" ", width-full))
		} else {
			s.WriteString("  ")
		}
		fmt.Fprintf(&s, "%3.0f %%  %s of %s", part*100, size(b.have), size(b.total))
	} else {
		fmt.Fprintf(&s, "  %s", size(b.have))
	}
	if speed > 0 {
		fmt.Fprintf(&s, "  %s/s", size(int64(speed)))
		if left := float64(b.total-b.have) / speed; left >= 1 {
			fmt.Fprintf(&s, "  %s left", time.Duration(left*float64(time.Second)).Round(time.Second))
		}
	}
	return s.String()
}

// size writes a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d B", n)
}
