package report

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// JUnit writes an XML file for each feature, as CI servers read them.
type JUnit struct{ Dir string }

type junitSuite struct {
	XMLName   xml.Name    `xml:"testsuite"`
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr,omitempty"`
	File      string      `xml:"file,attr,omitempty"`
	Cases     []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class      string           `xml:"classname,attr"`
	Name       string           `xml:"name,attr"`
	Time       string           `xml:"time,attr"`
	File       string           `xml:"file,attr,omitempty"`
	Line       int              `xml:"line,attr,omitempty"`
	Properties *junitProperties `xml:"properties"`
	Failure    *junitFailure    `xml:"failure"`
	Skipped    *struct{}        `xml:"skipped"`
	Out        string           `xml:"system-out,omitempty"`
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Begin is part of Writer.
func (JUnit) Begin(Suite) error { return nil }

// Scenario is part of Writer.
func (JUnit) Scenario(*Scenario) error { return nil }

// Feature writes the file of a feature, case by case.
func (j JUnit) Feature(f *Feature, r Results) error {
	suite := junitSuite{Name: f.Path, File: f.Path, Tests: len(r.Heads)}
	var sum time.Duration
	for _, s := range r.Heads {
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
	return writeJUnit(j.Dir, QualifiedName(f.Path)+".xml", suite, func(add func(junitCase) error) error {
		for s, err := range r.All() {
			if err == nil {
				err = add(newJunitCase(f, s))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func newJunitCase(f *Feature, s *Scenario) junitCase {
	c := junitCase{Class: QualifiedName(f.Path), Name: clean(title(s)), Time: seconds(s.Time), File: f.Path, Line: s.Line}
	for _, t := range s.Tags {
		if name, value, ok := strings.Cut(strings.TrimPrefix(t, "@"), "="); ok {
			c.addProperty(name, value)
		}
	}
	switch s.Status {
	case Failed:
		c.Failure = &junitFailure{Message: clean(s.Error), Text: clean(trace(s))}
	case Skipped:
		c.Skipped = &struct{}{}
	default:
		if s.Status == Flaky {
			c.addProperty("flaky", fmt.Sprintf("passed on attempt %d", s.Attempt))
		}
		c.Out = clean(trace(s))
	}
	return c
}

// End writes files for what could not be read, so that CI shows them as failed.
func (j JUnit) End(s Summary) error {
	for _, b := range s.Broken {
		suite := junitSuite{Name: b.Path, File: b.Path, Tests: 1, Failures: 1, Time: seconds(0)}
		if err := writeJUnit(j.Dir, QualifiedName(b.Path)+".xml", suite, func(add func(junitCase) error) error {
			return add(junitCase{
				Class: QualifiedName(b.Path), Name: "could not be read", Time: seconds(0), File: b.Path, Line: b.Line,
				Failure: &junitFailure{Message: clean(b.Error), Text: clean(b.Error)},
			})
		}); err != nil {
			return err
		}
	}
	return nil
}

func writeJUnit(dir, name string, suite junitSuite, cases func(add func(junitCase) error) error) error {
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
		if err := cases(func(c junitCase) error { return c.write(w) }); err != nil {
			return err
		}
		_, err = w.WriteString("\n</testsuite>\n")
		return err
	})
}

// write writes a case. By hand: there are thousands of them, and a marshaller takes
// as long for one as the scenario that it tells of.
func (c *junitCase) write(w *bufio.Writer) error {
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
	if c.Properties != nil {
		w.WriteString("\n  <properties>")
		for _, p := range c.Properties.List {
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
		w.WriteString("</failure>")
	}
	if c.Skipped != nil {
		w.WriteString("\n  <skipped></skipped>")
	}
	if c.Out != "" {
		w.WriteString("\n  <system-out>")
		escapeXML(w, c.Out)
		w.WriteString("</system-out>")
	}
	_, err := w.WriteString("\n </testcase>") // an error before it is told here, too
	return err
}

// escapeXML writes text that may stand in an attribute or an element.
func escapeXML(w *bufio.Writer, s string) {
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
	if c.Properties == nil {
		c.Properties = &junitProperties{}
	}
	c.Properties.List = append(c.Properties.List, junitProperty{clean(name), clean(value)})
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }

// trace is a line for each step, dotted up to how it ended.
func trace(s *Scenario) string {
	var b strings.Builder
	for _, step := range shown(s.Steps) {
		line, _, _ := strings.Cut(step.Text, "\n")
		line = step.Keyword + " " + line
		if step.Hook != "" {
			line = step.Hook
		}
		b.WriteString(line)
		b.WriteByte(' ')
		for range max(3, 75-utf8.RuneCountInString(line)) {
			b.WriteByte('.')
		}
		b.WriteByte(' ')
		b.WriteString(string(step.Status))
		b.WriteByte('\n')
		if step.Error != "" {
			fmt.Fprintf(&b, "\n%s\n\n", step.Error)
		}
	}
	for i, e := range s.Earlier {
		fmt.Fprintf(&b, "attempt %d failed: %s\n", i+1, e)
	}
	return b.String()
}

// clean takes out what XML cannot hold.
func clean(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 && r != '\n' || r == utf8.RuneError || r > 0xFFFD }) {
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
