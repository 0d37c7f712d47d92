package chrome

import (
	"context"
	"regexp"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// unreachable is the error of a navigation that came to nothing.
func unreachable(word string) error {
	return &backend.Error{Kind: backend.KindNavigation, Text: word, Reason: anypage.ChromiumReason(word)}
}

// resources are the kinds of requests that Chrome calls what everybody does.
var resources = map[string]string{
	"CSPViolationReport": backend.TypePing, "SignedExchange": backend.TypeOther, "FedCM": backend.TypeOther, "": backend.TypeOther,
}

func resource(kind string) string {
	if known, ok := resources[kind]; ok {
		return known
	}
	return kind
}

var netWord = regexp.MustCompile(`ERR_[A-Z_]+`)

// Unreachable reads why a page could not be reached from what a browser with a window
// shows in its place.
func (t *Tab) Unreachable(ctx context.Context) (backend.Reason, string) {
	text, err := t.Eval(ctx, "", "document.body.innerText")
	if err != nil {
		return "", ""
	}
	word := netWord.FindString(string(text))
	if word == "" {
		return "", ""
	}
	return anypage.ChromiumReason("net::" + word), "net::" + word
}
