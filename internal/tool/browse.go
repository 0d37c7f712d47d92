package tool

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"rove"
	"rove/aria"
	"rove/driver"
	"rove/driver/advice"
	"rove/internal/inside"
	"rove/perceive"
)

// browseTools see a page and act on it as a person does. Ids such as el_5 are
// those of the last observation, which is kept with the session.
var browseTools = []*Tool{
	browseRow("browse_navigate", false, "Navigate the browser to a URL", browseNavigate).gentle(),
	browseRow("browse_click", false, "Click a UI element of the last browse_observe, e.g. el_5", browseClick),
	browseRow("browse_type", false, "Type text into a UI element of the last browse_observe; replaces what it holds", browseType),
	browseRow("browse_scroll", false, "Scroll the page", browseScroll).gentle(),
	browseRow("browse_keypress", false, "Press a key where the focus is, with optional modifiers", browseKeypress),
	browseRow("browse_wait", true, "Wait for a condition. met: false if it was not in time", browseWait),
	browseRow("browse_observe", true, "Observe the page: signals, elements with ids (el_0) and their points, visible text, a screenshot", browseObserve),
}

type (
	navigateInput struct {
		URL string `json:"url" about:"as a person would type it"`
		Where
	}
	clickInput struct {
		ElementID string `json:"element_id" about:"an id of the last observation, such as el_5, or el_5@obs_2 to be sure which; or an accessibility id, ax_e12"`
		Where
	}
	typeInput struct {
		ElementID string  `json:"element_id" about:"of a text field, as in browse_click"`
		Text      *string `json:"text" about:"what to enter; empty clears the field"`
		Where
	}
	scrollInput struct {
		DeltaY *int `json:"delta_y" jsonschema:"pixels; positive is down" about:"pixels; positive is down, negative up"`
		Where
	}
	keypressInput struct {
		Key       string   `json:"key" jsonschema:"Enter, a, Tab" about:"such as Enter, a, Tab, Escape, ArrowDown"`
		Modifiers []string `json:"modifiers,omitempty" enum:"shift,control,alt,meta" about:"held meanwhile: shift, control, alt, meta"`
		Where
	}
	untilInput struct {
		Condition string        `json:"condition" jsonschema:"page_loaded, url_changed, a11y_contains_text:TEXT or element_with_name:NAME[@ROLE]" about:"page_loaded, url_changed (since the last observation), a11y_contains_text:TEXT, element_with_name:NAME or element_with_name:NAME@ROLE"`
		TimeoutMS *Milliseconds `json:"timeout_ms,omitempty" about:"milliseconds; 5000 unless told"`
		Where
	}
	observeInput struct {
		IncludeScreenshot bool `json:"include_screenshot,omitempty" about:"the picture in the answer too, not only its path"`
		Where
	}
)

// browseRow is a row whose complaint about a missing parameter is in the words
// that programs know from these tools.
func browseRow[In input](name string, readOnly bool, help string, run func(context.Context, *perceive.Visitor, In) (Output, error)) *Tool {
	t := row(browse, name, readOnly, help, func(ctx context.Context, c *Context, in In) (Output, error) {
		s, err := c.Session(ctx)
		if err != nil {
			return Output{}, err
		}
		out, err := run(advice.With(ctx, browseWords), visitorOf(s), in)
		return out, inWords(browseWords, err)
	})
	prepare := t.prepare
	t.prepare = func(raw []byte) (prepared, error) {
		p, err := prepare(raw)
		if e, ok := errors.AsType[*rove.Error](err); ok {
			told := *e
			told.Message = missing.ReplaceAllString(e.Message, "Missing required parameter: $1;")
			err = &told
		}
		return p, err
	}
	return t
}

var missing = regexp.MustCompile(`^(\w+) is missing;`)

func browseNavigate(ctx context.Context, v *perceive.Visitor, in navigateInput) (Output, error) {
	r, err := v.Navigate(ctx, in.URL)
	if err != nil {
		return Output{}, err
	}
	return Output{Text: "navigated to " + aria.Plain(r.URL), Data: r}, nil
}

func browseClick(ctx context.Context, v *perceive.Visitor, in clickInput) (Output, error) {
	r, err := v.Click(ctx, in.ElementID)
	if err != nil {
		return Output{}, err
	}
	return Output{Text: fmt.Sprintf("clicked %s (%s)", r.ElementID, r.ResolvedID), Data: r}, nil
}

func browseType(ctx context.Context, v *perceive.Visitor, in typeInput) (Output, error) {
	r, err := v.Type(ctx, in.ElementID, *in.Text)
	if err != nil {
		return Output{}, err
	}
	return Output{Text: fmt.Sprintf("typed into %s (%s)", r.ElementID, r.ResolvedID), Data: r}, nil
}

func browseScroll(ctx context.Context, v *perceive.Visitor, in scrollInput) (Output, error) {
	r, err := v.Scroll(ctx, *in.DeltaY)
	if err != nil {
		return Output{}, err
	}
	return Output{Text: fmt.Sprintf("scrolled by %d", r.DeltaY), Data: r}, nil
}

func browseKeypress(ctx context.Context, v *perceive.Visitor, in keypressInput) (Output, error) {
	held, err := perceive.ParseModifiers(in.Modifiers)
	if err != nil {
		return Output{}, err
	}
	r, err := v.Keypress(ctx, in.Key, held...)
	if err != nil {
		return Output{}, err
	}
	return Output{Text: "pressed " + strings.Join(append(in.Modifiers, r.Key), "+"), Data: r}, nil
}

func browseWait(ctx context.Context, v *perceive.Visitor, in untilInput) (Output, error) {
	r, err := v.Wait(ctx, in.Condition, patience{in.TimeoutMS}.least(perceive.DefaultWait))
	if err != nil {
		return Output{}, err
	}
	text := "met: " + r.Condition
	if !r.Met {
		text = "not met in time: " + r.Condition
	}
	return Output{Text: text, Data: r}, nil
}

func browseObserve(ctx context.Context, v *perceive.Visitor, in observeInput) (Output, error) {
	r, err := v.Observe(ctx, perceive.ObserveOptions{IncludeScreenshot: in.IncludeScreenshot})
	if err != nil {
		return Output{}, err
	}
	out := Output{Data: r, Text: r.UIMap + "\nObservation: " + r.Observation}
	if r.ScreenshotPath != "" {
		out.Text += "\nScreenshot: " + r.ScreenshotPath
	}
	if in.IncludeScreenshot && len(r.PNG) > 0 {
		out.Images = []Image{{"image/png", r.PNG}}
	}
	return out, nil
}

// visitorKey is where a session keeps its visitor.
type visitorKey struct{}

// visitorOf is who browses in a session, with what was observed last.
func visitorOf(s *rove.Session) *perceive.Visitor {
	return inside.Of(s).Keep(visitorKey{}, func() any {
		page := perceive.Drive(s.Driver())
		page.Hide = s.Mask
		page.Hands = verbs{s}
		page.Blind = inside.Of(s).May("screenshot") != nil
		v := perceive.NewVisitor(page, perceive.Eyes())
		v.Save = func(png []byte) (string, error) {
			file, err := s.Folder().Save(rove.FileScreenshot, "observed.png", png)
			return file.Path, err
		}
		return v
	}).(*perceive.Visitor)
}

// verbs are hands that act through the session's verbs: what they do is in its
// history, may name secrets, and is held to its rules.
type verbs struct{ session *rove.Session }

func (h verbs) Go(ctx context.Context, url string) error {
	_, err := h.session.Go(ctx, url)
	return err
}

func (h verbs) Do(ctx context.Context, target, op, value string, _ *driver.Expected) (*driver.Effect, error) {
	if op == "prompt" {
		op, value = "dialog", "text:"+value
	}
	r, err := h.session.Act(ctx, rove.Step{Ref: target, Op: op, Value: value})
	if err != nil {
		return nil, err
	}
	return &r.Done[0].Effect, nil
}
