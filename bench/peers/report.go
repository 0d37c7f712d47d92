package main

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// report is the whole run.
type report struct {
	When       time.Time       `json:"when"`
	Browser    string          `json:"browser"`
	CPUs       int             `json:"cpus"`
	Contenders []contenderName `json:"contenders"`
	Rows       []*row          `json:"rows"`
}

type contenderName struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// row is one thing that all did.
type row struct {
	What  string           `json:"what"`
	Cells map[string]*cell `json:"cells"`
}

// cell is what it took one of them. Zero is what does not apply.
type cell struct {
	Median time.Duration `json:"median_ns,omitempty"`
	Tokens int           `json:"tokens,omitempty"`
	Calls  int           `json:"calls,omitempty"`
	Bytes  int           `json:"bytes,omitempty"`
	Failed string        `json:"failed,omitempty"` // why, where it never worked
	Tries  int           `json:"tries,omitempty"`
	Wrong  int           `json:"wrong,omitempty"` // how many of them failed

	samples []time.Duration
}

func (r *report) cell(what, who string) *cell {
	i := slices.IndexFunc(r.Rows, func(x *row) bool { return x.What == what })
	if i < 0 {
		i = len(r.Rows)
		r.Rows = append(r.Rows, &row{what, map[string]*cell{}})
	}
	c := r.Rows[i].Cells[who]
	if c == nil {
		c = &cell{}
		r.Rows[i].Cells[who] = c
	}
	return c
}

func (r *report) time(what, who string, d time.Duration) {
	c := r.cell(what, who)
	c.samples = append(c.samples, d)
	s := slices.Sorted(slices.Values(c.samples))
	c.Median = s[len(s)/2]
}

func (r *report) tokens(what, who string, n int) { r.cell(what, who).Tokens = n }
func (r *report) calls(what, who string, n int)  { r.cell(what, who).Calls = n }
func (r *report) bytes(what, who string, n int)  { r.cell(what, who).Bytes = n }
func (r *report) fail(what, who string, err error) {
	first, _, _ := strings.Cut(err.Error(), "\n")
	r.cell(what, who).Failed = fmt.Sprintf("%.120s", first)
}

// tried notes how a try went that may go wrong.
func (r *report) tried(what, who string, err error) {
	c := r.cell(what, who)
	c.Tries++
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %s: %v\n", who, what, err)
		c.Wrong++
	}
	if c.Wrong == c.Tries {
		r.fail(what, who, err)
	} else {
		c.Failed = ""
	}
}

func (c *cell) String() string {
	if c == nil {
		return ""
	}
	if c.Failed != "" {
		return "fails"
	}
	var parts []string
	if c.Calls > 0 {
		parts = append(parts, fmt.Sprintf("%d calls", c.Calls))
	}
	if c.Tokens > 0 {
		parts = append(parts, thousands(c.Tokens)+" tokens")
	}
	if c.Median > 0 {
		parts = append(parts, duration(c.Median))
	}
	if c.Bytes > 0 {
		parts = append(parts, fmt.Sprintf("%d MiB", c.Bytes>>20))
	}
	if c.Wrong > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d went wrong", c.Wrong, c.Tries))
	}
	return strings.Join(parts, ", ")
}

func duration(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.2f s", ms/1000)
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

type measure struct {
	name string
	of   func(*cell) float64
}

// measures are what cells are compared by: less is better in all of them.
var measures = []measure{
	{"tokens", func(c *cell) float64 { return float64(c.Tokens) }},
	{"calls", func(c *cell) float64 { return float64(c.Calls) }},
	{"time", func(c *cell) float64 { return float64(c.Median) }},
	{"memory", func(c *cell) float64 { return float64(c.Bytes) }},
}

// behind says in what the first contender is behind another.
func (r *report) behind() []string {
	var list []string
	first := r.Contenders[0].Name
	for _, x := range r.Rows {
		ours := x.Cells[first]
		if ours == nil {
			continue
		}
		for _, other := range r.Contenders[1:] {
			theirs := x.Cells[other.Name]
			if theirs == nil || theirs.Failed != "" {
				continue
			}
			for _, m := range measures {
				if a, b := m.of(ours), m.of(theirs); a > b && b > 0 {
					list = append(list, fmt.Sprintf("%s: %s of %s is %.2f × that of %s.", x.What, m.name, first, a/b, other.Name))
				}
			}
			if ours.Failed != "" {
				list = append(list, fmt.Sprintf("%s: %s fails, %s does not.", x.What, first, other.Name))
			}
		}
	}
	return list
}

func (r *report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %d CPUs; tokens by o200k_base of what a model reads; medians; all took turns in one run (`make bench-peers`).\n\n|", r.When.Format("2 January 2006"), r.Browser, r.CPUs)
	for _, c := range r.Contenders {
		fmt.Fprintf(&b, " | %s %s", c.Name, c.Version)
	}
	b.WriteString(" |\n|---" + strings.Repeat("|---", len(r.Contenders)) + "|\n")
	for _, x := range r.Rows {
		b.WriteString("| " + x.What)
		for _, c := range r.Contenders {
			fmt.Fprintf(&b, " | %s", x.Cells[c.Name])
		}
		b.WriteString(" |\n")
	}
	if list := r.behind(); len(list) > 0 {
		b.WriteString("\nWhere " + r.Contenders[0].Name + " is behind:\n\n- " + strings.Join(list, "\n- ") + "\n")
	}
	return b.String()
}

// charted are the rows that the chart shows, and by what.
var charted = []struct{ what, by string }{
	{"tool definitions", "tokens"},
	{"look: admin dashboard", "tokens"},
	{"flow: login to dashboard", "tokens"},
	{"flow: form of ten fields", "tokens"},
	{"flow: form of ten fields", "time"},
	{"click and see what came of it", "time"},
	{"cold start to first view", "time"},
	{"memory after all of this", "memory"},
}

// svg draws a bar for each contender in each of the charted rows, the longest as
// wide as the chart.
func (r *report) svg() string {
	const width, label, bar, gap = 860, 190, 15, 14
	colours := []string{"#0b7a4b", "#9aa4b2", "#b8a58c", "#a08fb0", "#8fa6b0"}
	var b strings.Builder
	y := 34
	for i, c := range r.Contenders {
		x := label + i*165
		fmt.Fprintf(&b, `<rect x="%d" y="8" width="12" height="12" fill="%s"/><text x="%d" y="18">%s</text>`+"\n", x, colours[i%len(colours)], x+17, html.EscapeString(c.Name))
	}
	for _, ch := range charted {
		i := slices.IndexFunc(r.Rows, func(x *row) bool { return x.What == ch.what })
		k := slices.IndexFunc(measures, func(m measure) bool { return m.name == ch.by })
		if i < 0 || k < 0 {
			continue
		}
		most := 0.0
		for _, c := range r.Rows[i].Cells {
			most = max(most, measures[k].of(c))
		}
		if most == 0 {
			continue
		}
		fmt.Fprintf(&b, `<text x="0" y="%d" font-weight="bold">%s</text><text x="0" y="%d" fill="#777">%s</text>`+"\n", y+12, html.EscapeString(strings.TrimSuffix(ch.what, " and see what came of it")), y+27, ch.by)
		for j, c := range r.Contenders {
			one := r.Rows[i].Cells[c.Name]
			if one == nil {
				continue
			}
			value := measures[k].of(one)
			w := value / most * (width - label - 90)
			only := cell{}
			switch ch.by {
			case "tokens":
				only.Tokens = one.Tokens
			case "time":
				only.Median = one.Median
			case "memory":
				only.Bytes = one.Bytes
			}
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/><text x="%.1f" y="%d">%s</text>`+"\n",
				label, y, max(w, 1), bar-3, colours[j%len(colours)], label+w+6, y+bar-5, strings.TrimSuffix(only.String(), " tokens"))
			y += bar
		}
		y += gap
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="rove beside other browsers for agents; less is better">
<rect width="100%%" height="100%%" fill="#fff"/>
%s</svg>
`, width, y, width, y, b.String())
}

// load reads the data of an earlier run.
func load(file string) (*report, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &report{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(r.Contenders) == 0 {
		return nil, fmt.Errorf("%s has no contenders: is it peers.json?", file)
	}
	return r, nil
}

func (r *report) save(dir string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	for name, text := range map[string]string{"peers.json": string(data) + "\n", "peers.md": r.markdown(), "peers.svg": r.svg()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
