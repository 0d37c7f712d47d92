package soak

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"rove"
	"rove/internal/demo"
)

// tally is what was done, and how it went.
type tally struct {
	mu     sync.Mutex
	tools  map[string]*line
	codes  map[rove.Code]int
	events map[string]int
	told   map[string]bool
	words  map[string]int // of errors
}

type line struct {
	good, bad int
	times     []time.Duration
}

func (y *tally) add(name string, err error, took time.Duration) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.tools == nil {
		y.tools, y.codes, y.words = map[string]*line{}, map[rove.Code]int{}, map[string]int{}
	}
	l := y.tools[name]
	if l == nil {
		l = &line{}
		y.tools[name] = l
	}
	l.times = append(l.times, took)
	if err == nil {
		l.good++
		return
	}
	l.bad++
	y.codes[rove.CodeOf(err)]++
	words, _, _ := strings.Cut(err.Error(), "\n")
	words = digits.ReplaceAllString(strings.ToValidUTF8(words[:min(len(words), 140)], ""), "#")
	y.words[fmt.Sprintf("%-11s %s", rove.CodeOf(err), words)]++
}

func (y *tally) event(what string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.events == nil {
		y.events = map[string]int{}
	}
	y.events[what]++
}

// first is true once for each key.
func (y *tally) first(key string) bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.told == nil {
		y.told = map[string]bool{}
	}
	was := y.told[key]
	y.told[key] = true
	return !was
}

func (y *tally) good(name string) int   { return y.line(name).good }
func (y *tally) called(name string) int { return y.line(name).good + y.line(name).bad }

func (y *tally) line(name string) line {
	y.mu.Lock()
	defer y.mu.Unlock()
	if l := y.tools[name]; l != nil {
		return *l
	}
	return line{}
}

func (y *tally) String() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	var b strings.Builder
	var all line
	row := func(name string, l line) {
		slices.Sort(l.times)
		at := func(q float64) time.Duration {
			if len(l.times) == 0 {
				return 0
			}
			return l.times[int(q*float64(len(l.times)-1))].Round(time.Millisecond)
		}
		fmt.Fprintf(&b, "%-32s %6d ok %6d failed   p50 %7v   p99 %7v   max %7v\n", name, l.good, l.bad, at(0.5), at(0.99), at(1))
	}
	for _, name := range slices.Sorted(maps.Keys(y.tools)) {
		l := y.tools[name]
		row(name, *l)
		all.good, all.bad, all.times = all.good+l.good, all.bad+l.bad, append(all.times, l.times...)
	}
	row("all", all)
	b.WriteString("errors:")
	for _, code := range slices.Sorted(maps.Keys(y.codes)) {
		fmt.Fprintf(&b, " %s %d", code, y.codes[code])
	}
	for _, what := range slices.Sorted(maps.Keys(y.events)) {
		fmt.Fprintf(&b, "; %d %s", y.events[what], what)
	}
	b.WriteString("\nthe most frequent:\n")
	words := slices.SortedFunc(maps.Keys(y.words), func(a, b string) int { return y.words[b] - y.words[a] })
	for _, w := range words[:min(len(words), 60)] {
		fmt.Fprintf(&b, "%5d %s\n", y.words[w], w)
	}
	return b.String()
}

var digits = regexp.MustCompile(`\d+`)

var demoPages = func() []string {
	list := []string{"/"}
	for _, p := range demo.Pages {
		list = append(list, p.Path)
	}
	return list
}()
