package network

import (
	"fmt"
	"strings"

	"rove/aria"
)

// Line is the request in one line, for people and models: number, method,
// status, type, size, time, source and address, then what it has to do with
// others, what began it, and why it failed.
func (q *Request) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s ", q.Number, oneLine(q.Method, 20))
	switch {
	case q.State == Failed || q.State == Cancelled:
		b.WriteString(q.State)
		if q.Status > 0 {
			fmt.Fprintf(&b, " (%d)", q.Status)
		}
	case q.Status > 0:
		fmt.Fprintf(&b, "%d", q.Status)
	case q.State == Pending:
		b.WriteString(Pending)
	default:
		b.WriteString("-")
	}
	fmt.Fprintf(&b, " %s", q.Type)
	if q.ContentType != "" {
		fmt.Fprintf(&b, " %s", oneLine(q.ContentType, 60))
	}
	fmt.Fprintf(&b, " %s", q.sizes())
	fmt.Fprintf(&b, " %s", duration(q.Millis))
	if q.State == Pending && q.Status > 0 {
		b.WriteString(" so far")
	}
	if q.Source != "" {
		fmt.Fprintf(&b, " %s", q.Source)
		if q.Served != "" {
			fmt.Fprintf(&b, " (%s)", q.Served)
		}
	}
	fmt.Fprintf(&b, " %s", oneLine(q.URL, 500))
	if q.Context != "page" {
		fmt.Fprintf(&b, " | in a %s", q.Context)
	}
	if q.RedirectFrom > 0 {
		fmt.Fprintf(&b, " | redirected from %d", q.RedirectFrom)
	}
	if q.PreflightFor > 0 {
		fmt.Fprintf(&b, " | for %d", q.PreflightFor)
	}
	if by := q.Initiator.String(); by != "" {
		fmt.Fprintf(&b, " | by %s", by)
	}
	if q.Cause != "" {
		fmt.Fprintf(&b, " | during %s", oneLine(q.Cause, 60))
	}
	if q.MessageCount > 0 {
		fmt.Fprintf(&b, " | %d messages", q.MessageCount)
	}
	if q.Failure != nil {
		fmt.Fprintf(&b, " | %s", oneLine(q.Failure.Text, 300))
		if q.Failure.Code != "" && q.Failure.Kind != "aborted" {
			code := q.Failure.Code
			if _, name, ok := strings.Cut(code, "::"); ok {
				code = name // without what all of that browser's begin with
			}
			fmt.Fprintf(&b, " [%s]", oneLine(code, 80))
		}
	}
	return b.String()
}

func (q *Request) sizes() string {
	switch {
	case q.Source != "" && q.Source != FromNetwork, q.Transferred == 0:
		return bytesText(q.Size)
	case q.Size > 2*q.Transferred:
		return bytesText(q.Transferred) + " for " + bytesText(q.Size)
	}
	return bytesText(q.Transferred)
}

// String is the initiator in few words, "" where nothing is known.
func (i Initiator) String() string {
	switch {
	case i.Type == "other" && i.URL == "", i.Type == "preflight":
		return ""
	case i.URL == "":
		return i.Type
	}
	at := oneLine(i.URL, 150)
	if i.Line > 0 {
		at += fmt.Sprintf(":%d", i.Line)
		if i.Column > 1 {
			at += fmt.Sprintf(":%d", i.Column)
		}
	}
	if i.Name != "" {
		at += " in " + aria.Quote(cut(i.Name, 60))
	}
	if i.Type == "other" {
		return at
	}
	return i.Type + " " + at
}

// oneLine is what a page says, on one line and with an end.
func oneLine(s string, most int) string { return cut(aria.Plain(s), most) }

func bytesText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

func duration(ms float64) string {
	switch {
	case ms >= 10_000:
		return fmt.Sprintf("%.1f s", ms/1000)
	case ms >= 10:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f ms", ms)
}
