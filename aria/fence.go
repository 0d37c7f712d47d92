package aria

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
)

// Fenced is page text with lines of its own, between lines that no page can forge,
// with nothing in it that cannot be seen.
func Fenced(text string) string {
	begin, end := Fence()
	return begin + Reveal(strings.TrimRight(text, "\n")) + "\n" + strings.TrimRight(end, "\n")
}

// Fence gives the lines that page text is put between: with a word that is made up each
// time, so that no page can know it beforehand.
func Fence() (begin, end string) {
	word := make([]byte, 3)
	_, _ = rand.Read(word) // never fails
	name := hex.EncodeToString(word)
	return "<page " + name + ">\n", "</page " + name + ">\n"
}
