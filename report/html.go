package report

import (
	"bufio"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed site
var site embed.FS

// HTML writes pages for people, under the names that Karate gives its own:
// karate-summary.html, karate-timeline.html, karate-tags.html, and a page for
// each feature. They open from disk, and ask nothing of any network.
type HTML struct {
	Dir string

	suite    Suite
	rows     []featureRow
	written  time.Time
	pictures int
}

// SummaryName is the page to open first.
const SummaryName = "karate-summary.html"

// A featureRow is what the summary keeps of a feature.
type featureRow struct {
	Path, Name, Page string
	Status           Status
	Time             time.Duration
	Count            map[Status]int
	Scenarios        []scenarioRow
}

// A scenarioRow is what the summary keeps of a scenario.
type scenarioRow struct {
	Name, ID, Anchor, Error string
	Line, Thread            int
	Status                  Status
	Start                   time.Time
	Time                    time.Duration
	Tags                    []string
}

var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"took": took, "mark": mark, "percent": percent, "shown": shown, "first": firstLine,
		"count": func(m map[Status]int, s string) int { return m[Status(s)] },
		"text":  stepText, "pretty": pretty, "long": long, "add": func(a, b int) int { return a + b },
	}).ParseFS(site, "site/*.tmpl"))
})

// Begin writes what all pages share.
func (h *HTML) Begin(s Suite) error {
	h.suite = s
	return fs.WalkDir(site, "site", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".tmpl") {
			return err
		}
		text, err := site.ReadFile(name)
		if err != nil {
			return err
		}
		return create(path.Join(h.Dir, "res"), path.Base(name), func(w *bufio.Writer) error {
			_, err := w.Write(text)
			return err
		})
	})
}

// Scenario is part of Writer.
func (*HTML) Scenario(*Scenario) error { return nil }

// Feature writes a feature's page. The summary is written again now and then,
// so that it is there when the suite does not come to its end.
func (h *HTML) Feature(f *Feature, results Results) error {
	list := results.Heads
	row := featureRow{Path: f.Path, Name: f.Name, Page: QualifiedName(f.Path) + ".html", Status: Passed, Count: map[Status]int{}}
	for _, s := range list {
		row.Count[s.Status]++
		row.Time += s.Time
		if failed(s.Status) || s.Status == Flaky && row.Status == Passed {
			row.Status = s.Status
		}
		row.Scenarios = append(row.Scenarios, scenarioRow{
			Name: title(s), ID: id(s), Anchor: anchor(s), Error: cut(strings.Join(strings.Fields(s.Error), " "), 300), Line: s.Line, Thread: s.Thread,
			Status: s.Status, Start: s.Start, Time: s.Time, Tags: s.Tags,
		})
	}
	if row.Count[Skipped] == len(list) {
		row.Status = Skipped
	}
	h.rows = append(h.rows, row)
	if err := h.featurePage(featureView{Suite: h.suite, Feature: f, Row: row}, results); err != nil {
		return err
	}
	if time.Since(h.written) < 2*time.Second {
		return nil
	}
	sum := Summary{Suite: h.suite, Time: time.Since(h.suite.Start), Features: len(h.rows), Interrupted: "the suite was still running when this was written"}
	for _, r := range h.rows {
		sum.Passed += r.Count[Passed]
		sum.Failed += r.Count[Failed]
		sum.Flaky += r.Count[Flaky]
		sum.Skipped += r.Count[Skipped]
	}
	return h.summary(sum)
}

// End writes the summary, the timeline and the tags.
func (h *HTML) End(s Summary) error {
	if err := h.summary(s); err != nil {
		return err
	}
	if err := h.page("karate-timeline.html", "timeline.tmpl", h.timeline(s)); err != nil {
		return err
	}
	return h.page("karate-tags.html", "tags.tmpl", h.tags(s))
}

func (h *HTML) summary(s Summary) error {
	h.written = time.Now()
	rows := slices.Clone(h.rows)
	// What failed comes first, the rest in the order of the files.
	slices.SortStableFunc(rows, func(a, b featureRow) int {
		return cmp.Or(cmp.Compare(rank(a.Status), rank(b.Status)), cmp.Compare(a.Path, b.Path))
	})
	for i := range rows {
		rows[i].Scenarios = slices.Clone(rows[i].Scenarios)
		slices.SortStableFunc(rows[i].Scenarios, func(a, b scenarioRow) int { return cmp.Compare(rank(a.Status), rank(b.Status)) })
	}
	return h.page(SummaryName, "summary.tmpl", struct {
		Summary
		Rows    []featureRow
		Slowest []slowRow
	}{s, rows, h.slowest(5)})
}

func rank(s Status) int { return slices.Index([]Status{Failed, Flaky, Passed, Skipped}, s) }

type slowRow struct {
	Page string
	scenarioRow
}

func (h *HTML) slowest(n int) []slowRow {
	var all []slowRow
	for _, f := range h.rows {
		for _, s := range f.Scenarios {
			all = append(all, slowRow{f.Page, s})
		}
	}
	slices.SortFunc(all, func(a, b slowRow) int { return cmp.Compare(b.Time, a.Time) })
	return all[:min(n, len(all))]
}

func (h *HTML) page(name, tmpl string, data any) error {
	return create(h.Dir, name, func(w *bufio.Writer) error { return pages().ExecuteTemplate(w, tmpl, data) })
}

// featurePage writes a feature's page, scenario by scenario.
func (h *HTML) featurePage(view featureView, results Results) error {
	return create(h.Dir, view.Row.Page, func(w *bufio.Writer) error {
		if err := pages().ExecuteTemplate(w, "feature begins", view); err != nil {
			return err
		}
		for s, err := range results.All() {
			if err != nil {
				return err
			}
			v, err := h.view(s, 0)
			if err != nil {
				return err
			}
			if err := pages().ExecuteTemplate(w, "scenario", v); err != nil {
				return err
			}
		}
		return pages().ExecuteTemplate(w, "feature ends", view)
	})
}

type featureView struct {
	Suite   Suite
	Feature *Feature
	Row     featureRow
}

// A scenarioView is a scenario with its steps as the page shows them.
type scenarioView struct {
	*Scenario
	Title, ID, Anchor string
	Open              bool
	Steps             []*stepView
}

type stepView struct {
	*Step
	Pictures []picture
	Calls    []callView
	Open     bool
}

type picture struct {
	Name, File, Type string
	Picture          bool
}

type callView struct {
	*Call
	Failed    bool
	Scenarios []*scenarioView
}

// view prepares a scenario. Embeds become files.
func (h *HTML) view(s *Scenario, depth int) (*scenarioView, error) {
	v := &scenarioView{Scenario: s, Anchor: anchor(s), ID: id(s), Title: s.Name, Open: failed(s.Status)}
	if depth == 0 {
		v.Title = title(s)
	}
	for _, step := range shown(s.Steps) {
		w := &stepView{Step: step, Open: failed(step.Status)}
		for _, e := range step.Embeds {
			h.pictures++
			name := fmt.Sprintf("%d%s", h.pictures, extension(e.Type))
			if err := create(path.Join(h.Dir, "embeds"), name, func(w *bufio.Writer) error {
				_, err := w.Write(e.Data)
				return err
			}); err != nil {
				return nil, err
			}
			label := cmp.Or(e.Name, e.Type)
			w.Pictures = append(w.Pictures, picture{label, "embeds/" + name, e.Type, strings.HasPrefix(e.Type, "image/")})
		}
		for _, c := range step.Calls {
			call := callView{Call: c}
			for _, inner := range c.Scenarios {
				i, err := h.view(inner, depth+1)
				if err != nil {
					return nil, err
				}
				call.Failed = call.Failed || failed(inner.Status)
				call.Scenarios = append(call.Scenarios, i)
			}
			w.Calls = append(w.Calls, call)
		}
		v.Steps = append(v.Steps, w)
	}
	return v, nil
}

func extension(contentType string) string {
	t, _, _ := mime.ParseMediaType(contentType)
	switch t {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	case "image/webp":
		return ".webp"
	case "image/gif":
		return ".gif"
	case "application/pdf":
		return ".pdf"
	case "application/json":
		return ".json"
	case "video/webm":
		return ".webm"
	}
	// Everything else is shown as text, never as a page that could run.
	return ".txt"
}

func anchor(s *Scenario) string {
	if s.Example > 0 {
		return fmt.Sprintf("s%d-%d", s.Section, s.Example)
	}
	return fmt.Sprintf("s%d", s.Section)
}

// A lane is what one thread did.
type lane struct {
	Thread int
	Bars   []bar
}

type bar struct {
	Page, Anchor, Name string
	Status             Status
	Left, Width        template.CSS
	Time               time.Duration
}

func (h *HTML) timeline(s Summary) any {
	lanes := map[int]*lane{}
	first, last := s.Suite.Start, s.Suite.Start.Add(s.Time)
	for _, f := range h.rows {
		for _, r := range f.Scenarios {
			if !r.Start.IsZero() && r.Start.Before(first) {
				first = r.Start
			}
			if end := r.Start.Add(r.Time); end.After(last) {
				last = end
			}
		}
	}
	whole := max(last.Sub(first), time.Millisecond)
	part := func(d time.Duration) template.CSS {
		return template.CSS(fmt.Sprintf("%.3f%%", 100*float64(d)/float64(whole)))
	}
	for _, f := range h.rows {
		for _, r := range f.Scenarios {
			if r.Start.IsZero() || r.Status == Skipped {
				continue
			}
			l := lanes[r.Thread]
			if l == nil {
				l = &lane{Thread: r.Thread}
				lanes[r.Thread] = l
			}
			l.Bars = append(l.Bars, bar{f.Page, r.Anchor, r.Name, r.Status, part(r.Start.Sub(first)), part(r.Time), r.Time})
		}
	}
	var list []*lane
	for _, l := range lanes {
		slices.SortFunc(l.Bars, func(a, b bar) int { return cmp.Compare(a.Left, b.Left) })
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b *lane) int { return cmp.Compare(a.Thread, b.Thread) })
	return struct {
		Summary
		Lanes []*lane
		Whole time.Duration
	}{s, list, whole}
}

type tagRow struct {
	Tag   string
	Count map[Status]int
	Time  time.Duration
	Where []slowRow
}

func (h *HTML) tags(s Summary) any {
	rows := map[string]*tagRow{}
	for _, f := range h.rows {
		for _, r := range f.Scenarios {
			for _, t := range r.Tags {
				row := rows[t]
				if row == nil {
					row = &tagRow{Tag: t, Count: map[Status]int{}}
					rows[t] = row
				}
				row.Count[r.Status]++
				row.Time += r.Time
				row.Where = append(row.Where, slowRow{f.Page, r})
			}
		}
	}
	var list []*tagRow
	for _, r := range rows {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *tagRow) int { return cmp.Compare(a.Tag, b.Tag) })
	return struct {
		Summary
		Tags []*tagRow
	}{s, list}
}
