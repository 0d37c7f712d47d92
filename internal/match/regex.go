package match

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// pattern is a regular expression that must match the whole of a string.
type pattern interface {
	matches(s string) (bool, error)
}

// plainPattern needs time that grows with the string alone.
type plainPattern struct{ *regexp.Regexp }

func (p plainPattern) matches(s string) (bool, error) { return p.MatchString(s), nil }

// richPattern looks ahead and behind, and has a limit of time for it.
type richPattern struct{ *regexp2.Regexp }

func (p richPattern) matches(s string) (bool, error) { return p.MatchString(s) }

// matchRegex says what keeps a value from matching a regular expression as a
// whole.
func matchRegex(v any, text string) string {
	s, ok := v.(string)
	if !ok {
		return "not a string"
	}
	p, err := compileRegex(text)
	if err != nil {
		return "not a regular expression: " + err.Error()
	}
	fits, err := p.matches(s)
	if err != nil {
		return "regex match failed: " + err.Error()
	}
	return when(!fits, "regex match failed")
}

var patterns sync.Map // of text to pattern

func compileRegex(text string) (pattern, error) {
	if p, ok := patterns.Load(text); ok {
		return p.(pattern), nil
	}
	p, err := newPattern(text)
	if err == nil {
		patterns.Store(text, p)
	}
	return p, err
}

func newPattern(text string) (pattern, error) {
	// As it stands first, so that the error shows what was written.
	translated := javaClasses.Replace(text)
	if _, plain := regexp.Compile(translated); plain == nil {
		re, err := regexp.Compile(`\A(?:` + translated + `)\z`)
		return plainPattern{re}, err
	}
	if _, err := regexp2.Compile(text, regexp2.None); err != nil {
		return nil, err
	}
	re, err := regexp2.Compile(`\A(?:`+text+`)\z`, regexp2.None)
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = time.Second
	return richPattern{re}, nil
}

// javaClasses turns names that Java has into those that Go has.
var javaClasses = strings.NewReplacer(
	`\p{Alpha}`, `[[:alpha:]]`, `\p{Digit}`, `[[:digit:]]`, `\p{Alnum}`, `[[:alnum:]]`, `\p{Upper}`, `[[:upper:]]`,
	`\p{Lower}`, `[[:lower:]]`, `\p{Punct}`, `[[:punct:]]`, `\p{Space}`, `[[:space:]]`, `\p{XDigit}`, `[[:xdigit:]]`,
	`\h`, `[ \t]`, `\Z`, `\z`,
)
