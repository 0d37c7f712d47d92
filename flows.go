package rove

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"rove/driver"
	"rove/internal/ownfile"
	"rove/recording"
)

// flows are those that can be called by their names: kept by the sessions of a
// browser, and found in the folder that ROVE_FLOWS names.
type flows struct {
	mu   sync.Mutex
	kept map[string]*Flow
}

const flowSuffix = ".flow"

const longestFlowName = 64

// isFlowName says whether a flow may be called so. As a regular expression it would take
// every start of rove two megabytes.
func isFlowName(name string) bool {
	for i, c := range name {
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) && (i == 0 || !strings.ContainsRune(" ._-", c)) {
			return false
		}
	}
	return name != "" && utf8.RuneCountInString(name) <= longestFlowName
}

// KeepFlow keeps a flow under its name, for act _page run NAME: in all sessions of
// the browser, and as a file where ROVE_FLOWS names a folder.
func (s *Session) KeepFlow(f *Flow) error {
	if !isFlowName(f.Name) {
		return driver.Invalid("flow", "%q is no name for a flow: letters, digits, and between them blanks, dots and dashes", f.Name)
	}
	all := &s.browser.flows
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.kept == nil {
		all.kept = map[string]*Flow{}
	}
	all.kept[f.Name] = f
	if dir := os.Getenv("ROVE_FLOWS"); dir != "" {
		var b strings.Builder
		err := f.Write(&b)
		if err == nil {
			err = ownfile.Replace(filepath.Join(dir, f.Name+flowSuffix), []byte(b.String()))
		}
		if err != nil {
			return fmt.Errorf("flow %s: %w", f.Name, err)
		}
	}
	return nil
}

// Flow is the flow of that name.
func (s *Session) Flow(name string) (*Flow, error) {
	all := &s.browser.flows
	all.mu.Lock()
	f := all.kept[name]
	all.mu.Unlock()
	if f != nil {
		return f, nil
	}
	if dir := os.Getenv("ROVE_FLOWS"); dir != "" && isFlowName(name) {
		file, err := os.Open(filepath.Join(dir, name+flowSuffix))
		if err == nil {
			defer file.Close()
			if f, err = recording.ReadFlow(file); err != nil {
				return nil, driver.Invalid("run "+name, "%s cannot be read: %v", file.Name(), err)
			}
			return f, nil
		}
	}
	e := driver.Invalid("run "+name, "there is no flow %q", name)
	e.Hint = "none was kept yet"
	if names := s.flowNames(""); len(names) > 0 {
		e.Hint = "there are " + strings.Join(names, ", ")
	}
	return nil, e
}

// flowNames lists the flows for an origin; "" is all.
func (s *Session) flowNames(origin string) []string {
	all := &s.browser.flows
	all.mu.Lock()
	var names []string
	for name, f := range all.kept {
		if origin == "" || f.Base == origin {
			names = append(names, name)
		}
	}
	all.mu.Unlock()
	if dir := os.Getenv("ROVE_FLOWS"); dir != "" {
		found, _ := filepath.Glob(filepath.Join(dir, "*"+flowSuffix))
		for _, path := range found {
			name := strings.TrimSuffix(filepath.Base(path), flowSuffix)
			if slices.Contains(names, name) {
				continue
			}
			if f, err := s.Flow(name); err == nil && (origin == "" || f.Base == origin) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// flowsLine tells a model which flows there are for a page; "" where there are none.
func (s *Session) flowsLine(url string) string {
	names := s.flowNames(driver.Origin(url))
	if len(names) == 0 || driver.Origin(url) == "" {
		return ""
	}
	return "\nflows: " + strings.Join(names, ", ") + " (_page run NAME)"
}
