package tool

import (
	"errors"

	"rove"
	"rove/driver/advice"
)

// inWords is an error with its hint in the words of a set of tools.
func inWords(w advice.Words, err error) error {
	var e *rove.Error
	if !errors.As(err, &e) || e.Advice() == "" {
		return err
	}
	return e.In(w)
}

// browserWords are what is advised in the tools of the set browser.
var browserWords = advice.Verbs.With(advice.Words{
	advice.AnswerDialog: "answer it first: browser_handle_dialog",
	advice.AnswerAlert:  "answer it first: browser_handle_dialog",
	advice.GiveAnswer:   "browser_handle_dialog",
	advice.GiveText:     "browser_handle_dialog",
	advice.AnswerInTab:  "answer that first: browser_tabs select tab %s, then browser_handle_dialog",
	advice.StopPage:     "wait for it, or stop it: browser_reload, or browser_navigate elsewhere",
	advice.Upload:       "browser_upload",
	advice.WaitDownload: "browser_wait_for state download",
	advice.NewPicture:   "take another: browser_take_screenshot",
	advice.PictureOrTab: "switch to its tab, or take another: browser_take_screenshot",
	advice.PictureOrRef: "take another: browser_take_screenshot, or name an element",
	advice.SeeRefs:      "see the refs there are with browser_snapshot",
	advice.SeeNow:       "see what is there with browser_snapshot now",
	advice.SeeThere:     "see what is there with browser_snapshot",
	advice.LookThere:    "see what is there with browser_snapshot",
	advice.LookNow:      "see what is there with browser_snapshot now",
	advice.LookAgain:    "take browser_snapshot again",
	advice.SeeOrWait:    "see what is there with browser_snapshot, or wait for it",
	advice.WaitLonger:   "wait longer, or see what is there with browser_snapshot now",
	advice.TryAgain:     "try again, or see what is there with browser_snapshot now",
	advice.TryLonger:    "try again with a longer timeout, or see what is there with browser_snapshot now",
	advice.WaitAndLook:  "wait a moment and take browser_snapshot again, or go to another URL",
	advice.PressInstead: "press a key on it instead, such as Enter, or see what is there with browser_snapshot now",
	advice.TryAnother:   "something of the page keeps it from that; try another element, or take browser_snapshot again",
	advice.LookInFrame:  "take browser_snapshot again, and use the ref of what is in it",
	advice.SeeWhatItCan: "see with browser_snapshot what can be done with it",
	advice.FindText:     "it may be worded otherwise, or be above: take browser_snapshot with find",
	advice.SeeMessage:   "see with browser_snapshot what the page says about it",
	advice.GoOnByHand:   "take browser_snapshot, and go on by hand from here",
	advice.UseKeys:      "keys are %s; text is typed with browser_type",
	advice.AsBefore:     "the page is as it was last shown; browser_snapshot shows it again",
	advice.ShowsNow:     "browser_snapshot shows what is there now",
	advice.MendScript:   "mend the script, or see with browser_snapshot what is there",
})

// browseWords are the same for the set browse, which has no more than a person has.
var browseWords = advice.Verbs.With(advice.Words{
	advice.AnswerDialog: "answer it first: browse_observe shows its buttons, browse_click presses one",
	advice.AnswerAlert:  "answer it first: browse_observe shows its buttons, browse_click presses one",
	advice.GiveAnswer:   "browse_observe shows its buttons, browse_click presses one",
	advice.GiveText:     "browse_observe shows its buttons, browse_click presses one",
	advice.AnswerInTab:  "answer that first: another tab, which cannot be reached here: %s, then browse_observe shows its buttons, browse_click presses one",
	advice.StopPage:     "wait for it, or stop it: browse_navigate to the same page, or elsewhere",
	advice.Upload:       "it cannot be answered here",
	advice.WaitDownload: "browse_wait page_loaded",
	advice.NewPicture:   "take another: browse_observe with include_screenshot",
	advice.PictureOrTab: "switch to its tab, or take another: browse_observe with include_screenshot",
	advice.PictureOrRef: "take another: browse_observe with include_screenshot, or name an element",
	advice.SeeRefs:      "see the ids there are with browse_observe",
	advice.SeeNow:       "see what is there with browse_observe now",
	advice.SeeThere:     "see what is there with browse_observe",
	advice.LookThere:    "see what is there with browse_observe",
	advice.LookNow:      "see what is there with browse_observe now",
	advice.LookAgain:    "browse_observe again",
	advice.SeeOrWait:    "see what is there with browse_observe, or wait for it",
	advice.WaitLonger:   "wait longer, or see what is there with browse_observe now",
	advice.TryAgain:     "try again, or see what is there with browse_observe now",
	advice.TryLonger:    "try again with a longer timeout, or see what is there with browse_observe now",
	advice.WaitAndLook:  "wait a moment and browse_observe again, or go to another URL",
	advice.PressInstead: "press a key on it instead, such as Enter, or see what is there with browse_observe now",
	advice.TryAnother:   "something of the page keeps it from that; try another element, or browse_observe again",
	advice.LookInFrame:  "browse_observe again, and use the ref of what is in it",
	advice.SeeWhatItCan: "see with browse_observe what it is",
	advice.FindText:     "it may be worded otherwise, or be above: browse_observe",
	advice.SeeMessage:   "see with browse_observe what the page says about it",
	advice.GoOnByHand:   "see with browse_observe what is there, and go on by hand",
	advice.UseKeys:      "keys are %s; text is typed with browse_type",
	advice.AsBefore:     "the page is as it was last shown; browse_observe shows it again",
	advice.ShowsNow:     "browse_observe shows what is there now",
	advice.MendScript:   "mend the script, or see with browse_observe what is there",
})
