package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// row is one line of the table: what was done on which page, and what it took.
// Zero means that a column does not apply.
type row struct {
	Page    string        `json:"page"`
	What    string        `json:"what"`
	Runs    int           `json:"runs,omitempty"`
	Median  time.Duration `json:"median_ns,omitempty"`
	Min     time.Duration `json:"min_ns,omitempty"`
	Max     time.Duration `json:"max_ns,omitempty"`
	Slower  float64       `json:"time_ratio,omitempty"` // than the floor's walk
	Bytes   int           `json:"bytes,omitempty"`
	Tokens  int           `json:"tokens,omitempty"`
	Dearer  float64       `json:"token_ratio,omitempty"` // than the floor
	Writes  float64       `json:"writes,omitempty"`
	Replies float64       `json:"replies,omitempty"`
	Note    string        `json:"note,omitempty"`
}

// time fills in what was measured.
func (r *row) time(samples []time.Duration) {
	if len(samples) == 0 {
		return
	}
	s := slices.Sorted(slices.Values(samples))
	r.Runs, r.Median, r.Min, r.Max = len(s), median(s), s[0], s[len(s)-1]
}

// median of sorted samples, 0 if there are none.
func median[T time.Duration | float64](s []T) T {
	mid := len(s) / 2
	switch {
	case len(s) == 0:
		return 0
	case len(s)%2 == 0:
		return (s[mid-1] + s[mid]) / 2
	}
	return s[mid]
}

// medianRatio is the median of a[i]/b[i]. As both were measured in the same
// turn, a busy moment of the machine does not count.
func medianRatio(a, b []time.Duration) float64 {
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = float64(a[i]) / float64(b[i])
	}
	slices.Sort(ratios)
	return median(ratios)
}

// report is the whole run, as -json writes it.
type report struct {
	Browser string    `json:"browser"`
	Go      string    `json:"go"`
	CPUs    int       `json:"cpus"`
	When    time.Time `json:"when"`
	Rows    []row     `json:"rows"`
}

func (r *report) save(file string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o644)
}

var header = []string{"page", "what", "ms", "× walk", "bytes", "tokens", "× floor", "writes", "replies", "note"}

// left are the columns that hold words; all others are numbers.
var left = map[int]bool{0: true, 1: true, 9: true}

// print writes the rows as an aligned Markdown table. A page is named once.
func (r *report) print(w io.Writer) error {
	cells := [][]string{header}
	page := ""
	for _, x := range r.Rows {
		name := x.Page
		if name == page {
			name = ""
		}
		page = x.Page
		cells = append(cells, []string{
			name, x.What, millis(x.Median), ratio(x.Slower), count(x.Bytes), count(x.Tokens), ratio(x.Dearer),
			trips(x.Writes), trips(x.Replies), x.Note,
		})
	}
	width := make([]int, len(header))
	for _, line := range cells {
		for i, c := range line {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	var out strings.Builder
	for n, line := range cells {
		for i, c := range line {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if left[i] {
				c += pad
			} else {
				c = pad + c
			}
			out.WriteString("| " + c + " ")
		}
		out.WriteString("|\n")
		if n > 0 {
			continue
		}
		for i, w := range width {
			if left[i] {
				out.WriteString("|" + strings.Repeat("-", w+2))
			} else {
				out.WriteString("|" + strings.Repeat("-", w+1) + ":")
			}
		}
		out.WriteString("|\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// millis shows three digits, whatever the size.
func millis(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case d == 0:
		return ""
	case ms < 10:
		return strconv.FormatFloat(ms, 'f', 2, 64)
	case ms < 100:
		return strconv.FormatFloat(ms, 'f', 1, 64)
	default:
		return count(int(ms + 0.5))
	}
}

func ratio(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// trips are whole numbers unless runs differ.
func trips(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// count groups a number's digits by thousands.
func count(n int) string {
	if n == 0 {
		return ""
	}
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return count(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
