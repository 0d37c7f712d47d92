package driver

import (
	"cmp"
	"fmt"
	"strings"

	"rove/aria"
	"rove/driver/advice"
)

// refusal puts the page script's reason into a sentence.
func (a *action) refusal(v *verdict) error {
	what := a.target
	if v.Role != "" {
		what = a.describe(v.scriptElement)
	}
	e := &Error{Op: a.op}
	switch v.Code {
	case "stale":
		return stale(aria.Ref(strings.TrimPrefix(a.target, "ref:")))
	case "notfound":
		e.Code = CodeNotFound
		e.Advise(advice.SeeThere)
		e.Message = fmt.Sprintf("element not found: %s on %s", a.target, a.tab.URL())
		if v.Reason != "" {
			e.Message = v.Reason
		}
		if v.By != nil {
			e.Hint = "the text is that of " + a.describe(*v.By)
		}
	case "changed":
		e.Code = CodeStale
		e.Message = fmt.Sprintf("%s is no longer the %s it was: now it is %s", a.target, describeExpected(a.arg.Expect), a.describe(v.scriptElement))
		e.Hint = "this step was not done; try again if that is the one you mean"
	case "several":
		e.Code = CodeInvalid
		var list []string
		for _, m := range v.Matches {
			one := a.describe(m)
			if m.In != "" && m.In != cmp.Or(m.Name, m.Words) {
				one += fmt.Sprintf(" in %q", m.In)
			}
			list = append(list, one)
		}
		e.Message = fmt.Sprintf("%s matches %d elements, and none was acted on: %s", a.target, v.Count, strings.Join(list, "; "))
		e.Hint = "use one of these refs"
	case "hidden":
		e.Code, e.Message = CodeHidden, what+" is not visible: "+v.Reason
		e.Hint = "something may have to be opened or scrolled first"
		if v.By != nil {
			e.Hint = "it shows while the pointer is over " + a.describe(*v.By) + ": hover that first, in the same call"
		}
	case "covered":
		e.Code, e.Message = CodeCovered, what+" is covered"
		if v.By != nil {
			e.Message += " by " + a.describe(*v.By)
			e.Hint = "close or move that first"
		} else if v.Reason != "" {
			e.Message = what + ": " + v.Reason
			e.Advise(advice.TryAnother)
		}
	case "replaced":
		e.Code, e.Message = CodeCovered, what+" was taken away while it was being pressed, each time: the page rebuilds itself below the pointer"
		e.Advise(advice.PressInstead)
	case "contested":
		e.Code, e.Message = CodeCovered, what+" is fought over: something comes and goes where it is to be pressed, and it was not pressed"
		if a.Origin != "" {
			e.Message = what + " does not keep the focus: something on the page takes it away, and the secret was not typed"
			e.Code = CodePolicy
		}
		e.Hint = "close or stop that first"
	case "slipped":
		e.Code, e.Message = CodeCovered, what+" was pressed, but before it was let go "+a.describe(*v.By)+" had come over it: that was no click"
		if a.Name == "dblclick" {
			e.Message = what + " was pressed, but before it was pressed again and let go " + a.describe(*v.By) + " had come over it: that was no double click"
		}
		e.Hint = "close or stop that first"
	case "elsewhere":
		e.Code, e.Message = CodePolicy, fmt.Sprintf("the document of %s is of %s now, which may not have that", a.target, v.Reason)
		e.Hint = PolicyHint
	case "unheard":
		e.Code, e.Message = CodeCovered, what+" got no press: something comes and goes over it, or the browser shows something of its own over the page, such as a question to its user"
		e.Hint = "close or stop what is there, or go to the page again"
	case "disabled":
		e.Code, e.Message = CodeDisabled, what+" is disabled"
		if v.Reason != "" {
			e.Message = what + ": " + v.Reason
		}
		e.Hint = "something else may have to be filled in first"
	case "moving":
		e.Code, e.Message, e.Hint = CodeTimeout, what+" does not stop moving", "wait, or stop the animation"
	case "nooption":
		e.Code = CodeInvalid
		e.Message = fmt.Sprintf("select failed, no option matching: '%s' for: %s", a.Value, a.target)
		var list []string
		for _, o := range v.Options {
			list = append(list, aria.Quote(o))
		}
		e.Hint = "there are " + strings.Join(list, ", ")
		if v.Count == 0 {
			e.Hint = "there are none now"
		}
		if more := v.Count - len(v.Options); more > 0 {
			e.Hint += fmt.Sprintf(" and %d more", more)
		}
	default:
		e.Code, e.Message = CodeInvalid, what+": "+v.Reason
		if v.Role == "" && strings.Contains(v.Reason, a.target) {
			e.Message = v.Reason
		}
		if v.Reason == "" {
			e.Message = what + " does not take that"
			e.Advise(advice.SeeWhatItCan)
		}
	}
	return e
}

func (a *action) describe(s scriptElement) string {
	text := s.Role
	if name := cmp.Or(s.Name, s.Words); name != "" {
		text += fmt.Sprintf(" %q", name)
	}
	if s.Ref > 0 {
		text = string(a.refOf(s.Ref)) + " " + text
	}
	return text
}

func describeExpected(e *Expected) string {
	if e == nil {
		return "element"
	}
	return fmt.Sprintf("%s %q", e.Role, e.Name)
}
