package pwa

import (
	"fmt"
	"slices"
	"strings"

	"rove/aria"
)

// Text is what a model reads: a line for each worker.
func (w *Workers) Text() string {
	var b strings.Builder
	if len(w.Registrations) == 0 {
		who := w.Origin
		if who == "null" { // of data: and sandboxed pages
			who = "this page"
		}
		fmt.Fprintf(&b, "%s has no service worker: %s", line(who), w.why())
	}
	for i, r := range w.Registrations {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("scope " + w.short(r.Scope))
		if r.Controls {
			b.WriteString(", controls this page")
		} else {
			b.WriteString(", does not control this page")
		}
		if r.Preload {
			b.WriteString(", navigation preload")
		}
		for _, slot := range []struct {
			name string
			of   *Worker
		}{{"active", r.Active}, {"waiting", r.Waiting}, {"installing", r.Installing}} {
			if slot.of != nil {
				b.WriteString("\n  " + slot.name + " " + w.short(slot.of.Script) + " " + slot.of.text())
			}
		}
	}
	if w.Controlled && !w.controls() {
		b.WriteString("\nthe page is controlled by " + w.short(w.Controller) + ", which is no longer registered for it")
	}
	if !w.Online {
		b.WriteString("\nthe page is offline")
	}
	for _, e := range w.Errors {
		b.WriteString("\nerror: " + line(e))
	}
	return b.String()
}

func (w *Workers) controls() bool {
	return slices.ContainsFunc(w.Registrations, func(r Registration) bool { return r.Controls })
}

// short leaves out the origin, which has been said.
func (w *Workers) short(url string) string {
	if rest, ok := strings.CutPrefix(url, w.Origin); ok && rest != "" {
		return line(rest)
	}
	return line(url)
}

func (w *Worker) text() string {
	parts := []string{w.State}
	if w.Version != "" {
		parts = append(parts, "version "+w.Version)
	}
	if w.Running != "" {
		parts = append(parts, w.Running)
	}
	if w.Clients > 0 {
		parts = append(parts, fmt.Sprintf("%d clients", w.Clients))
	}
	return "(" + line(strings.Join(parts, ", ")) + ")"
}

// Text is what a model reads of a manifest.
func (m *Manifest) Text() string {
	var b strings.Builder
	switch {
	case m.URL == "":
		b.WriteString("manifest: none")
	default:
		b.WriteString("manifest " + line(m.URL))
		for _, f := range []struct{ name, value string }{
			{"name", m.Name}, {"short_name", m.ShortName}, {"start_url", m.StartURL}, {"scope", m.Scope}, {"display", m.Display},
		} {
			if f.value != "" {
				fmt.Fprintf(&b, "\n  %s %s", f.name, line(f.value))
			}
		}
		for _, i := range m.Icons {
			b.WriteString("\n  icon " + line(strings.Join([]string{i.Src, i.Sizes, i.Type, i.Purpose}, " ")))
		}
	}
	for _, e := range m.Errors {
		b.WriteString("\n  error: " + line(e))
	}
	switch {
	case m.Unknown && len(m.Missing) == 0:
		b.WriteString("\ninstallable: the manifest has what it needs; this browser does not judge more than that")
	case m.Installable:
		b.WriteString("\ninstallable: yes")
	default:
		b.WriteString("\ninstallable: no")
		for _, why := range m.Missing {
			b.WriteString("\n  " + line(why))
		}
	}
	return b.String()
}

// Text is what a model reads of a cache.
func (c *Cache) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cache %s: %d entries", aria.Quote(line(c.Name)), c.Count)
	for _, e := range c.Entries {
		b.WriteString("\n  " + line(e.Method) + " " + line(e.URL))
		switch {
		case e.Opaque:
			b.WriteString(" (opaque)")
		default:
			fmt.Fprintf(&b, " %d %s", e.Status, line(e.Type))
		}
		if e.Size > 0 {
			fmt.Fprintf(&b, " %d bytes", e.Size)
		}
	}
	if left := c.Count - len(c.Entries); left > 0 {
		fmt.Fprintf(&b, "\n  … and %d more", left)
	}
	return b.String()
}

// line keeps what pages say on one line, visible, and short.
func line(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(aria.Plain(text)), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
