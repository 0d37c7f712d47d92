package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// QualifiedName is the name of a feature's files: its path with dots, without
// the extension, as CI set-ups for Karate expect it.
func QualifiedName(path string) string {
	path = strings.TrimSuffix(filepath.ToSlash(path), ".feature")
	var parts []string
	for p := range strings.SplitSeq(path, "/") {
		if p != "" && p != "." {
			parts = append(parts, strings.Map(fileSafe, strings.ReplaceAll(p, "..", "__")))
		}
	}
	return strings.Join(parts, ".")
}

func fileSafe(r rune) rune {
	if strings.ContainsRune(`<>:"/\|?*`, r) || r < ' ' {
		return '_'
	}
	return r
}

// create makes a file in a folder, and the folder where it is not there. What is
// written is in the file only once close has succeeded.
func create(dir, name string, write func(*bufio.Writer) error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	f, err := os.CreateTemp(dir, ".writing-*")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	w := bufio.NewWriterSize(f, 64<<10)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("report: %s: %w", name, err)
	}
	return nil
}

func createJSON(dir, name string, v any) error {
	return create(dir, name, func(w *bufio.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(v)
	})
}

// createList writes JSON whose last member is an empty list, with items that are
// made one after the other: the whole is never in memory.
func createList(dir, name, before string, v any, after string, items func(add func(any) error) error) error {
	return create(dir, name, func(w *bufio.Writer) error {
		head, err := marshal(v)
		if err != nil {
			return err
		}
		head, ok := bytes.CutSuffix(head, []byte("[]}"))
		if !ok {
			return fmt.Errorf("the last member of %T is no empty list", v)
		}
		if _, err := w.WriteString(before + string(head) + "["); err != nil {
			return err
		}
		first := true
		if err := items(func(item any) error {
			text, err := marshal(item)
			if err != nil {
				return err
			}
			if !first {
				text = append([]byte(","), text...)
			}
			first = false
			_, err = w.Write(text)
			return err
		}); err != nil {
			return err
		}
		_, err = w.WriteString("]}" + after + "\n")
		return err
	})
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// shown are the steps that reports have: not those of @report=false.
func shown(steps []*Step) []*Step {
	var out []*Step
	for _, s := range steps {
		if !s.Quiet {
			out = append(out, s)
		}
	}
	return out
}

// title is a scenario's name in reports that need one.
func title(s *Scenario) string {
	if s.Name != "" {
		return s.Name
	}
	name := fmt.Sprintf("%s_%d", QualifiedName(s.Feature.Path), s.Section)
	if s.Example > 0 {
		name += fmt.Sprintf("_%d", s.Example)
	}
	return name
}

// id is a scenario's place: [2.1:17].
func id(s *Scenario) string {
	if s.Example > 0 {
		return fmt.Sprintf("[%d.%d:%d]", s.Section, s.Example, s.Line)
	}
	return fmt.Sprintf("[%d:%d]", s.Section, s.Line)
}

func failed(s Status) bool { return s == Failed }
