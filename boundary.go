package rove

import "rove/aria"

// What a page says stands between quotes, or on the rest of a line that rove
// began, so that no page can write a line that reads like one of rove's. Where
// its text has lines of its own, as Markdown does, they stand between two lines
// with a word that is made up for each answer: no page can know it beforehand.

// oneLine keeps a text on one line, with nothing in it that cannot be seen.
func oneLine(s string) string { return aria.OneLine(s) }

// pageText are the operations whose text is the page's own.
var pageText = map[string]bool{"text": true, "attribute": true, "mark": true, "assert": true, "scroll": true}
