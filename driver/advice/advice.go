// Package advice is what can be done next, as codes. Errors and answers carry a code
// with its arguments; every set of tools has one table that puts codes into its own
// words. Nothing is ever replaced in finished sentences, which pages have a part in.
package advice

import (
	"context"
	"fmt"
	"maps"
	"strings"
)

// Code is one thing that can be advised.
type Code string

const (
	AnswerDialog Code = "answer-dialog" // answer the dialog that is open
	AnswerAlert  Code = "answer-alert"  // the same, where a text would not do
	GiveAnswer   Code = "give-answer"   // how a dialog is answered
	GiveText     Code = "give-text"     // how a prompt is answered
	AnswerInTab  Code = "answer-in-tab" // answer the dialog of another tab: its number
	StopPage     Code = "stop-page"     // a page that does not answer
	Upload       Code = "upload"        // give files to the chooser that is open
	WaitDownload Code = "wait-download"
	NewPicture   Code = "new-picture" // the one that was taken is too old
	PictureOrTab Code = "picture-or-tab"
	PictureOrRef Code = "picture-or-ref"
	SeeRefs      Code = "see-refs"
	SeeNow       Code = "see-now"
	SeeThere     Code = "see-there"
	LookThere    Code = "look-there"
	LookNow      Code = "look-now"
	LookAgain    Code = "look-again"
	SeeOrWait    Code = "see-or-wait"
	WaitLonger   Code = "wait-longer"
	TryAgain     Code = "try-again"
	TryLonger    Code = "try-longer"
	WaitAndLook  Code = "wait-and-look"
	PressInstead Code = "press-instead"
	TryAnother   Code = "try-another"
	LookInFrame  Code = "look-in-frame"
	SeeWhatItCan Code = "see-what-it-can"
	FindText     Code = "find-text"
	SeeMessage   Code = "see-message"
	GoOnByHand   Code = "go-on-by-hand"
	UseKeys      Code = "use-keys" // the keys there are
	AsBefore     Code = "as-before"
	ShowsNow     Code = "shows-now"
	MendScript   Code = "mend-script"

	// What whoever started rove can do, or a person at it.
	TakeChrome    Code = "take-chrome"
	GetChrome     Code = "get-chrome"
	GetPlaywright Code = "get-playwright"
	OrTakeChrome  Code = "or-take-chrome" // beside what can be done else
	AllowTabs     Code = "allow-tabs"
	AskNobody     Code = "ask-nobody" // without the rule that has somebody asked
	SayYes        Code = "say-yes"
	OwnBrowser    Code = "own-browser"
	TakeLogin     Code = "take-login" // from a person's browser to one of rove's own
	GiveParameter Code = "give-parameter"
)

// Words are what codes are in the words of one set of tools, with %s for each
// argument.
type Words map[Code]string

// Say puts a code into words.
func (w Words) Say(code Code, args ...string) string {
	format, ok := w[code]
	if !ok {
		return string(code)
	}
	list := make([]any, strings.Count(format, "%s"))
	for i := range list {
		list[i] = ""
		if i < len(args) {
			list[i] = args[i]
		}
	}
	return fmt.Sprintf(format, list...)
}

// Verbs are the words of the agent's verbs.
var Verbs = Words{
	AnswerDialog: "answer it first: act _page dialog accept | dismiss | TEXT",
	AnswerAlert:  "answer it first: act _page dialog accept | dismiss",
	GiveAnswer:   "act _page dialog accept | dismiss",
	GiveText:     "act _page dialog accept | dismiss | TEXT",
	AnswerInTab:  "answer that first: act _page tab %s, then act _page dialog accept | dismiss",
	StopPage:     "wait for it, or stop it: act _page refresh, or go elsewhere",
	Upload:       "act _page upload PATH",
	WaitDownload: "wait download",
	NewPicture:   "take another: act _page screenshot",
	PictureOrTab: "switch to its tab, or take another: act _page screenshot",
	PictureOrRef: "take another: act _page screenshot, or name an element",
	SeeRefs:      "look to see the refs there are",
	SeeNow:       "look to see what is there now",
	SeeThere:     "look to see what is there",
	LookThere:    "look at what is there",
	LookNow:      "look at what is there now",
	LookAgain:    "look again",
	SeeOrWait:    "look to see what is there, or wait for it",
	WaitLonger:   "wait longer, or look at what is there now",
	TryAgain:     "try again, or look at what is there now",
	TryLonger:    "try again with a longer timeout, or look at what is there now",
	WaitAndLook:  "wait a moment and look again, or go to another URL",
	PressInstead: "press a key on it instead, such as Enter, or look at what is there now",
	TryAnother:   "something of the page keeps it from that; try another element, or look again",
	LookInFrame:  "look again, and use the ref of what is in it",
	SeeWhatItCan: "look at what can be done with it",
	FindText:     "it may be worded otherwise, or be above: look with find",
	SeeMessage:   "look for what the page says about it",
	GoOnByHand:   "look, and go on by hand from here",
	UseKeys:      "keys are %s; text is typed with input",
	AsBefore:     "the page is as it was last shown; look shows it again",
	ShowsNow:     "look shows what is there now",
	MendScript:   "mend the script, or see with look what is there",

	TakeChrome:    "install it, or take what is there: --browser chrome",
	GetChrome:     "rove browser install chrome, and take it: --browser chrome",
	GetPlaywright: "rove browser install playwright fetches it; or name the folder of a playwright-core in ROVE_PLAYWRIGHT",
	OrTakeChrome:  "%s, or take Chrome: --browser chrome",
	AllowTabs:     "the person can allow it: --tabs all",
	AskNobody:     "do without it, or have rove started without --confirm %s",
	SayYes:        "say it at a terminal, or with --yes",
	OwnBrowser:    "load it into a session of rove's own: without --connect",
	TakeLogin:     "leave them out, or take the login along to a browser of rove's own, which can: rove session save, then rove session load --allow …",
	GiveParameter: "set %s in the environment, or give it: --param %s=…",
}

// Methods are the words for Go programs, which have the methods of the driver.
var Methods = Verbs.With(Words{
	AnswerDialog: "answer it first: Driver.Dialog, or Driver.OnDialog for all to come",
	StopPage:     "wait for it, or stop it: Driver.Refresh, or Driver.SetURL to go elsewhere",
})

// With is a table with other words for some codes.
func (w Words) With(other Words) Words {
	all := maps.Clone(w)
	maps.Copy(all, other)
	return all
}

type key struct{}

// With has the answers to calls of a context be in these words.
func With(ctx context.Context, w Words) context.Context { return context.WithValue(ctx, key{}, w) }

// From are the words of a context: those of the verbs unless told.
func From(ctx context.Context) Words {
	if w, ok := ctx.Value(key{}).(Words); ok {
		return w
	}
	return Verbs
}
