package rove

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"rove/aria"
	"rove/driver"
	"rove/driver/backend"
)

// pageStep does what concerns the page as a whole.
func (s *Session) pageStep(ctx context.Context, st Step) (*driver.Effect, error) {
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkPageValue(st); err != nil {
		return nil, err
	}
	switch st.Op {
	case "look":
		return &driver.Effect{}, nil // the view of it follows
	case "go":
		return s.visit(ctx, tab, st.Value)
	case "wait":
		return &driver.Effect{}, s.waitWithin(ctx, st.Value, WaitTimeout)
	case "back", "forward", "press", "scroll", "upload":
		return tab.Do(ctx, driver.WholePage, driver.Op{Name: st.Op, Value: st.Value})
	case "refresh":
		if st.Value != "" && st.Value != "hard" {
			return nil, driver.Invalid(st.String(), "refresh takes hard, for past the cache: leave anything else out")
		}
		return tab.Do(ctx, driver.WholePage, driver.Op{Name: st.Op, Value: st.Value})
	case "screenshot":
		if st.Value != "" && st.Value != "full" {
			return nil, driver.Invalid(st.String(), "screenshot takes full, for all of the page: leave anything else out")
		}
		return tab.CapturePage(ctx, backend.ScreenshotOptions{FullPage: st.Value == "full"})
	case "dialog":
		return s.answer(ctx, tab, st.Value)
	case "tab":
		return s.tabStep(ctx, st.Value)
	case "pdf":
		pdf, err := tab.PDF(ctx, backend.PDFOptions{Background: true})
		if err != nil {
			return nil, err
		}
		return s.save(FilePDF, "page.pdf", pdf)
	case "viewport":
		v, err := ParseViewport(st.Value)
		if err != nil {
			return nil, err
		}
		return tab.SetViewport(ctx, v)
	case "emulate":
		return s.emulate(ctx, st.Value)
	case "history":
		text := s.historyText(20)
		return &driver.Effect{Text: &text}, nil
	case "undo":
		return s.undo(ctx)
	case "run":
		return s.runFlow(ctx, st.Value)
	}
	return nil, driver.CheckPageOperation(st.Op, aria.PageActions)
}

// checkSteps refuses what no step can be, before the first of several is done. One
// alone is refused where it is done.
func checkSteps(steps []Step) error {
	for i, st := range steps {
		var err error
		switch {
		case st.Op == "" || st.Ref == "":
			err = driver.Invalid("act", "a step needs a ref and an op, such as e3 click")
		case len(steps) == 1, st.Op == "assert":
		case st.Ref == "_page":
			if err = driver.CheckPageOperation(st.Op, aria.PageActions); err == nil {
				err = checkPageValue(st)
			}
		default:
			err = driver.CheckOperation(st.Ref, st.Op, st.Value, aria.PageActions...)
		}
		if e, ok := errors.AsType[*Error](err); ok && len(steps) > 1 {
			told := *e
			told.Message = fmt.Sprintf("step %d of %d: %s; nothing was done", i+1, len(steps), e.Message)
			return &told
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func checkPageValue(st Step) error {
	switch {
	case st.Value != "" && valueless[st.Op]:
		return driver.Invalid(st.String(), "%s takes no value: leave it out", st.Op)
	case st.Value == "" && (st.Op == "go" || st.Op == "wait" || st.Op == "press" || st.Op == "upload" || st.Op == "viewport" || st.Op == "emulate"):
		return driver.Invalid(st.String(), "%s needs a value: %s", st.Op, pageValues[st.Op])
	}
	return nil
}

var pageValues = map[string]string{
	"go": "a URL", "wait": "what to wait for, such as text:Saved", "press": "the keys, such as Enter or Control+A", "upload": "the file's path", "viewport": "a size such as 1280x720", "run": "the name of a flow",
	"emulate": "what, such as device=iPhone 15, locale=de-DE, dark, offline, or none",
}

// valueless are operations of the page that take no value.
var valueless = map[string]bool{"look": true, "back": true, "forward": true, "pdf": true, "history": true, "undo": true}

// ParseViewport reads a size such as 1280x720.
func ParseViewport(s string) (Viewport, error) {
	w, h, _ := strings.Cut(strings.ToLower(strings.TrimSpace(s)), "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if err1 != nil || err2 != nil || width < 1 || height < 1 {
		return Viewport{}, driver.Invalid("viewport", "%q is not a size; write it as WIDTHxHEIGHT, such as 1280x720", s)
	}
	return Viewport{Width: width, Height: height}, nil
}

// emulate changes what the session's pages take the browser for. They are as they
// were until they are loaded again, but for what shows at once.
func (s *Session) emulate(ctx context.Context, value string) (*driver.Effect, error) {
	emulated, err := s.emulated.Change(value)
	if err == nil {
		err = s.driver.EmulateWith(ctx, emulated, Viewport{})
	}
	if err != nil {
		return nil, err
	}
	s.emulated = emulated
	text := "emulates " + emulated.String()
	if emulated == (EmulateOptions{}) {
		text = "emulates nothing"
	}
	return &driver.Effect{Text: &text}, nil
}

func (s *Session) answer(ctx context.Context, tab *driver.Tab, value string) (*driver.Effect, error) {
	if text, ok := strings.CutPrefix(value, "text:"); ok { // whatever it says
		return tab.Answer(ctx, true, text)
	}
	switch value {
	case "", "accept", "ok", "yes":
		text := "" // a person who presses OK at once sends what stands there
		if d := tab.Dialog(); d != nil {
			text = d.Default
		}
		return tab.Answer(ctx, true, text)
	}
	if dismisses(value) {
		return tab.Answer(ctx, false, "")
	}
	return tab.Answer(ctx, true, value)
}

// dismisses says whether an answer to a dialog is a no; all others press its OK.
func dismisses(value string) bool { return value == "dismiss" || value == "cancel" || value == "no" }

// tabStep opens, switches to, closes or lists tabs: "new", "new URL", "2", "close",
// "close 2", "list".
func (s *Session) tabStep(ctx context.Context, value string) (*driver.Effect, error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(value), " ")
	switch word {
	case "", "list":
		text, err := s.tabList(ctx)
		return &driver.Effect{Text: &text}, err
	case "new":
		tab, err := s.driver.NewTab(ctx)
		if err != nil {
			return nil, err
		}
		e := &driver.Effect{Navigated: true, URL: tab.URL()}
		if rest = strings.TrimSpace(rest); rest != "" {
			if _, err := tab.Navigate(ctx, rest, driver.NavigateOptions{}); err != nil {
				return nil, err
			}
			e.URL = tab.URL()
		}
		return e, nil
	case "close":
		if rest = strings.TrimSpace(rest); rest != "" {
			if _, err := s.driver.SwitchTab(rest); err != nil {
				return nil, err
			}
		}
		if err := s.driver.CloseTab(ctx); err != nil {
			return nil, err
		}
		return &driver.Effect{Navigated: true, URL: s.driver.Tab().URL()}, nil
	case "switch":
		value = rest
	}
	value = strings.TrimSpace(value)
	tab, err := s.driver.SwitchTab(value)
	if CodeOf(err) == CodeNotFound {
		if lent, e := s.borrowTab(ctx, value); lent != nil || e != nil {
			tab, err = lent, e
		}
	}
	if err != nil {
		return nil, err
	}
	return &driver.Effect{Navigated: true, URL: tab.URL()}, nil
}

// undo goes back over the last navigation, or gives a field the value it had.
func (s *Session) undo(ctx context.Context) (*driver.Effect, error) {
	all := s.History()
	for i := len(all) - 1; i >= 0; i-- {
		e := all[i]
		if e.Verb == "go" && e.OK {
			return s.driver.Tab().Do(ctx, driver.WholePage, driver.Op{Name: "back"})
		}
		for j := len(e.Steps) - 1; j >= 0; j-- {
			d := e.Steps[j]
			switch {
			case d.Op == "undo":
				return nil, driver.Invalid("undo", "the last undo is as far as it goes back; what was before it stays")
			case d.Effect.Navigated:
				return s.driver.Tab().Do(ctx, driver.WholePage, driver.Op{Name: "back"})
			case d.Effect.Value != nil && strings.Contains(d.Effect.Value.From, mask):
				return nil, driver.Invalid("undo", "%s cannot be undone: what was there before is a secret", d.Step)
			case d.Effect.Value != nil && (d.Op == "input" || d.Op == "type" || d.Op == "clear" || d.Op == "set" || d.Op == "select"):
				op := "input"
				if d.Op == "set" || d.Op == "select" {
					op = d.Op
				}
				return s.undoStep(ctx, Step{Ref: string(d.Effect.Ref), Op: op, Value: d.Effect.Value.From})
			case d.Op == "check" || d.Op == "uncheck":
				op := map[string]string{"check": "uncheck", "uncheck": "check"}[d.Op]
				return s.undoStep(ctx, Step{Ref: string(d.Effect.Ref), Op: op})
			case d.Effect.Seen() && expectsEffect[d.Op]:
				return nil, driver.Invalid("undo", "%s cannot be undone", d.Step)
			}
		}
	}
	return nil, driver.Invalid("undo", "there is nothing to undo")
}

// undoStep does what undoes a step. It is asked about as that, unless undo itself was.
func (s *Session) undoStep(ctx context.Context, st Step) (*driver.Effect, error) {
	agreed := &agreement{}
	if undo, ok := ctx.Value(stepKey{}).(*stepAsked); ok && undo.agreed != nil && undo.agreed.rule != "" {
		*agreed = *undo.agreed
		agreed.about = aria.Ref(st.Ref)
	} else {
		var err error
		if agreed, err = s.consent(ctx, st); err != nil {
			return nil, err
		}
	}
	return s.perform(withStep(ctx, st, agreed), st, false, agreed, "")
}
