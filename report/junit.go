package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// JUnit writes an XML file for each feature, as CI servers read them.
type JUnit struct {
	Dir string

	// cases are the texts of the scenarios that have ended, until their file has.
	cases map[*Scenario][]byte
	text  bytes.Buffer
	// written is when the files of features that have not ended were last written.
	written time.Time
}

// junitEvery is how much of a long feature a crash may cost where JUnit is the only
// report: the others have every result on disk.
const junitEvery = time.Second

type junitSuite struct {
	XMLName   xml.Name `xml:"testsuite"`
	Name      string   `xml:"name,attr"`
	Tests     int      `xml:"tests,attr"`
	Failures  int      `xml:"failures,attr"`
	Errors    int      `xml:"errors,attr"`
	Skipped   int      `xml:"skipped,attr"`
	Time      string   `xml:"time,attr"`
	Timestamp string   `xml:"timestamp,attr,omitempty"`
	File      string   `xml:"file,attr,omitempty"`
}

// junitCase is a case. The steps of traced are told in its failure, or else in what it
// printed.
type junitCase struct {
	Class      string
	Name       string
	Time       string
	File       string
	Line       int
	Properties []junitProperty
	Failure    *junitFailure
	Skipped    bool
	traced     *Scenario
}

type junitProperty struct{ Name, Value string }

type junitFailure struct{ Message, Text string }

// Begin forgets a run before.
func (j *JUnit) Begin(Suite) error {
	j.cases = map[*Scenario][]byte{}
	j.written = time.Now()
	return nil
}

// Exchanges is part of Brief.
func (*JUnit) Exchanges() bool { return false }

// Scenario makes the case of a scenario. It is kept as text, which is less than its
// steps are, and is right whatever becomes of them.
func (j *JUnit) Scenario(s *Scenario) error {
	if j.cases == nil {
		j.cases = map[*Scenario][]byte{}
	}
	j.text.Reset()
	c := newJunitCase(s)
	c.write(&j.text)
	j.cases[s] = bytes.Clone(j.text.Bytes())
	if time.Since(j.written) < junitEvery {
		return nil
	}
	err := j.unfinished()
	j.written = time.Now()
	return err
}

// unfinished writes what there is of features that have not ended.
func (j *JUnit) unfinished() error {
	files := map[*Feature][]*Scenario{}
	for s := range j.cases {
		files[s.Feature] = append(files[s.Feature], s)
	}
	for f, list := range files {
		slices.SortFunc(list, func(a, b *Scenario) int {
			return cmp.Or(cmp.Compare(a.Section, b.Section), cmp.Compare(a.Example, b.Example))
		})
		if err := j.file(f, list); err != nil {
			return err
		}
	}
	return nil
}

// Feature writes the file of a feature.
func (j *JUnit) Feature(f *Feature, r Results) error {
	err := j.file(f, r.Heads)
	for _, s := range r.Heads {
		delete(j.cases, s)
	}
	return err
}

// file writes cases of a feature, one after the other.
func (j *JUnit) file(f *Feature, list []*Scenario) error {
	suite := junitSuite{Name: f.Path, File: f.Path, Tests: len(list)}
	var sum time.Duration
	for _, s := range list {
		sum += s.Time
		if suite.Timestamp == "" && !s.Start.IsZero() {
			suite.Timestamp = s.Start.UTC().Format("2006-01-02T15:04:05")
		}
		switch s.Status {
		case Failed:
			suite.Failures++
		case Skipped:
			suite.Skipped++
		}
	}
	suite.Time = seconds(sum)
	return writeJUnit(j.Dir, QualifiedName(f.Path)+".xml", suite, func(w *bufio.Writer) error {
		for _, s := range list {
			if _, err := w.Write(j.cases[s]); err != nil {
				return err
			}
		}
		return nil
	})
}

func newJunitCase(s *Scenario) junitCase {
	path := s.Feature.Path
	c := junitCase{Class: QualifiedName(path), Name: clean(title(s)), Time: seconds(s.Time), File: path, Line: s.Line}
	for _, t := range s.Tags {
		if name, value, ok := strings.Cut(strings.TrimPrefix(t, "@"), "="); ok {
			c.addProperty(name, value)
		}
	}
	switch s.Status {
	case Failed:
		c.Failure, c.traced = &junitFailure{Message: clean(s.Error)}, s
	case Skipped:
		c.Skipped = true
	default:
		if s.Status == Flaky {
			c.addProperty("flaky", fmt.Sprintf("passed on attempt %d", s.Attempt))
		}
		c.traced = s
	}
	return c
}

// End writes files for what could not be read, so that CI shows them as failed.
func (j *JUnit) End(s Summary) error {
	for _, b := range s.Broken {
		suite := junitSuite{Name: b.Path, File: b.Path, Tests: 1, Failures: 1, Time: seconds(0)}
		if err := writeJUnit(j.Dir, QualifiedName(b.Path)+".xml", suite, func(w *bufio.Writer) error {
			c := junitCase{
				Class: QualifiedName(b.Path), Name: "could not be read", Time: seconds(0), File: b.Path, Line: b.Line,
				Failure: &junitFailure{Message: clean(b.Error), Text: clean(b.Error)},
			}
			c.write(w)
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

func writeJUnit(dir, name string, suite junitSuite, cases func(*bufio.Writer) error) error {
	return create(dir, name, func(w *bufio.Writer) error {
		if _, err := w.WriteString(xml.Header); err != nil {
			return err
		}
		// The element without its cases, open.
		head, err := xml.Marshal(suite)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(bytes.TrimSuffix(head, []byte("</testsuite>")), '\n')); err != nil {
			return err
		}
		if err := cases(w); err != nil {
			return err
		}
		_, err = w.WriteString("\n</testsuite>\n")
		return err
	})
}

// textWriter is what is written to in memory: an error is told later, if at all.
type textWriter interface {
	io.StringWriter
	io.ByteWriter
}

// write writes a case. By hand: there are thousands of them, and a marshaller takes
// as long for one as the scenario that it tells of.
func (c *junitCase) write(w textWriter) {
	attribute := func(name, value string) {
		w.WriteByte(' ')
		w.WriteString(name)
		w.WriteString(`="`)
		escapeXML(w, value)
		w.WriteByte('"')
	}
	w.WriteString("\n <testcase")
	attribute("classname", c.Class)
	attribute("name", c.Name)
	attribute("time", c.Time)
	if c.File != "" {
		attribute("file", c.File)
	}
	if c.Line != 0 {
		attribute("line", strconv.Itoa(c.Line))
	}
	w.WriteByte('>')
	if len(c.Properties) > 0 {
		w.WriteString("\n  <properties>")
		for _, p := range c.Properties {
			w.WriteString("\n   <property")
			attribute("name", p.Name)
			attribute("value", p.Value)
			w.WriteString("></property>")
		}
		w.WriteString("\n  </properties>")
	}
	if c.Failure != nil {
		w.WriteString("\n  <failure")
		attribute("message", c.Failure.Message)
		w.WriteByte('>')
		escapeXML(w, c.Failure.Text)
		trace(w, c.traced)
		w.WriteString("</failure>")
	}
	if c.Skipped {
		w.WriteString("\n  <skipped></skipped>")
	}
	if s := c.traced; s != nil && c.Failure == nil && (len(s.Earlier) > 0 || slices.ContainsFunc(s.Steps, (*Step).told)) {
		w.WriteString("\n  <system-out>")
		trace(w, s)
		w.WriteString("</system-out>")
	}
	w.WriteString("\n </testcase>")
}

// escapeXML writes text that may stand in an attribute or an element.
func escapeXML(w textWriter, s string) {
	last := 0
	for i := range len(s) {
		var as string
		switch s[i] {
		case '"':
			as = "&#34;"
		case '\'':
			as = "&#39;"
		case '&':
			as = "&amp;"
		case '<':
			as = "&lt;"
		case '>':
			as = "&gt;"
		case '\t':
			as = "&#x9;"
		case '\n':
			as = "&#xA;"
		case '\r':
			as = "&#xD;"
		default:
			continue
		}
		w.WriteString(s[last:i])
		w.WriteString(as)
		last = i + 1
	}
	w.WriteString(s[last:])
}

func (c *junitCase) addProperty(name, value string) {
	c.Properties = append(c.Properties, junitProperty{clean(name), clean(value)})
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }

// dots lead from a step to how it ended.
const dots = "..........................................................................."

// trace is a line for each step, dotted up to how it ended.
func trace(w textWriter, s *Scenario) {
	if s == nil {
		return
	}
	for _, step := range s.Steps {
		if !step.told() {
			continue
		}
		before, line := step.Hook, ""
		if before == "" {
			before = step.Keyword + " "
			line, _, _ = strings.Cut(step.Text, "\n")
		}
		escapeXML(w, clean(before))
		escapeXML(w, clean(line))
		long := utf8.RuneCountInString(before) + utf8.RuneCountInString(line)
		w.WriteByte(' ')
		w.WriteString(dots[:max(3, len(dots)-long)])
		w.WriteByte(' ')
		w.WriteString(string(step.Status))
		w.WriteString(newline)
		if step.Error != "" {
			w.WriteString(newline)
			escapeXML(w, clean(step.Error))
			w.WriteString(newline + newline)
		}
	}
	for i, e := range s.Earlier {
		escapeXML(w, clean(fmt.Sprintf("attempt %d failed: %s\n", i+1, e)))
	}
}

// told says whether a step is in the trace: those of @report=false are not.
func (s *Step) told() bool { return !s.Quiet }

// newline as escapeXML writes it.
const newline = "&#xA;"

// clean takes out what XML cannot hold.
func clean(s string) string {
	odd := false
	for i := range len(s) {
		if c := s[i]; c < 0x20 && c != '\n' || c >= utf8.RuneSelf {
			odd = true
			break
		}
	}
	if !odd {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r':
			return r
		case r < 0x20, r == utf8.RuneError, r == 0xFFFE, r == 0xFFFF:
			return '\uFFFD'
		}
		return r
	}, s)
}
