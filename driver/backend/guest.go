package backend

import "context"

// Host is a Context that may be a guest in a browser that a person uses: its tabs
// are its own, and all else of the browser is the person's.
type Host interface {
	// Guest says whether it is one.
	Guest() bool
	// Others lists the tabs that are not the context's, nor another guest's.
	Others(ctx context.Context) ([]OtherTab, error)
	// Adopt takes one of them in. Closing it, or the context, leaves it open.
	Adopt(ctx context.Context, id string) (Tab, error)
	// Lent says whether a tab was adopted.
	Lent(t Tab) bool
}

// OtherTab is a tab of a person.
type OtherTab struct{ ID, Title, URL string }
