package rove

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"rove/aria"
	"rove/driver"
)

// FoundResult is what a wait for an element came to.
type FoundResult struct {
	OK      bool   `json:"ok"`
	Elapsed int64  `json:"elapsed"` // milliseconds
	Ref     string `json:"ref"`     // of the first element
	Role    string `json:"role,omitempty"`
	Name    string `json:"name,omitempty"`
	Matches int    `json:"matches"`
	text    string
}

// Text is what a model reads.
func (r *FoundResult) Text() string { return r.text }

// WaitFor waits until a locator finds an element, in any frame; with visible
// until one can be seen. A timeout of 0 does not wait.
func (s *Session) WaitFor(ctx context.Context, locator string, visible bool, timeout time.Duration) (*FoundResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return verb(s, "wait", locator, func() (*FoundResult, error) { return s.waitElement(ctx, locator, visible, timeout) })
}

func (s *Session) waitElement(ctx context.Context, locator string, visible bool, timeout time.Duration) (*FoundResult, error) {
	start := time.Now()
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.find(ctx, tab, locator, driver.FindOptions{Visible: visible, Within: timeout})
	if err != nil {
		return nil, s.held(err)
	}
	r := &FoundResult{OK: true, Elapsed: time.Since(start).Milliseconds(), Ref: string(found[0]), Matches: len(found)}
	what := r.Ref
	// It may be gone again by now, and was there all the same.
	if seen, err := tab.Read(ctx, r.Ref); err == nil {
		r.Role, r.Name = seen.Role, s.out.Text(seen.Name)
		what += " " + r.Role
		if r.Name != "" {
			what += fmt.Sprintf(" %q", clip(r.Name, 60))
		}
	}
	if r.Matches > 1 {
		what += fmt.Sprintf(", the first of %d", r.Matches)
	}
	r.text = fmt.Sprintf("found after %d ms: %s", r.Elapsed, what)
	return r, nil
}

// find finds elements. A locator that is a script is one, and asked about as such.
func (s *Session) find(ctx context.Context, tab *driver.Tab, locator string, opts driver.FindOptions) ([]aria.Ref, error) {
	if isScript(locator) {
		if err := s.script(ctx, locator); err != nil {
			return nil, err
		}
	}
	return tab.Find(ctx, locator, opts)
}

// only is the ref of the one element that a locator finds.
func (s *Session) only(ctx context.Context, tab *driver.Tab, locator string) (string, error) {
	found, err := s.find(ctx, tab, locator, driver.FindOptions{})
	if err != nil {
		return "", s.held(err)
	}
	if len(found) > 1 {
		return "", several("look", locator, "", found)
	}
	return string(found[0]), nil
}

// several is the error for a locator that finds more than the one that is wanted.
func several(op, locator, which string, found []aria.Ref) error {
	const most = 8
	list := make([]string, 0, most)
	for _, ref := range found[:min(len(found), most)] {
		list = append(list, string(ref))
	}
	return &Error{
		Code: CodeInvalid, Op: op, Hint: "use one of these refs",
		Message: fmt.Sprintf("%s matches %d elements%s: %s", locator, len(found), which, strings.Join(list, ", ")),
	}
}

// first finds what a step with First is to be done to: the locator itself where
// it is clear enough, else the ref of the first of so many. Consent was given before,
// where it is a script.
func (s *Session) first(ctx context.Context, st Step) (target string, matches int, err error) {
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return "", 0, err
	}
	found, err := tab.Find(ctx, st.Ref, driver.FindOptions{Within: st.Wait})
	if err != nil {
		return "", 0, err
	}
	if len(found) == 1 && !isScript(st.Ref) && !strings.HasPrefix(string(found[0]), "f") {
		return st.Ref, 0, nil
	}
	if len(found) == 1 {
		return string(found[0]), 0, nil
	}
	return string(found[0]), len(found), nil
}

// isBareWords says that a locator is a text without its quotes, which a shell took away,
// unless it finds elements as CSS: nobody writes those with a capital letter.
func isBareWords(locator string) bool {
	for i, r := range locator {
		switch {
		case i == 0 && !unicode.IsUpper(r):
			return false
		case !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune(" &-", r):
			return false
		}
	}
	return locator != ""
}

// inFrames gives what a locator finds in a frame its ref, where the main frame has
// nothing of the kind; a text without its quotes gets them. All else it leaves as it is.
func (s *Session) inFrames(ctx context.Context, st Step) (string, error) {
	counts := st.Op == "assert" && strings.HasPrefix(strings.TrimSpace(st.Value), "count")
	if st.Ref == "_page" || driver.IsRef(st.Ref) || isScript(st.Ref) || counts {
		return st.Ref, nil
	}
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return "", err
	}
	if isBareWords(st.Ref) {
		if n, err := tab.Count(ctx, st.Ref); err == nil && n == 0 {
			st.Ref = `"` + st.Ref + `"`
		}
	}
	found := tab.FindInFrames(ctx, st.Ref)
	switch {
	case len(found) == 0:
		return st.Ref, nil
	case len(found) == 1:
		return string(found[0]), nil
	}
	return "", several(st.Op+" "+st.Ref, st.Ref, " of a frame, and none was acted on", found)
}
