package match

import (
	"regexp"
	"strings"
	"sync"
)

// matchRegex says what keeps a value from matching a regular expression as a
// whole.
func matchRegex(v any, pattern string) string {
	s, ok := v.(string)
	if !ok {
		return "not a string"
	}
	re, err := compileRegex(pattern)
	if err != nil {
		return "not a regular expression: " + err.Error()
	}
	return when(!re.MatchString(s), "regex match failed")
}

var regexes sync.Map // of pattern to *regexp.Regexp

func compileRegex(pattern string) (*regexp.Regexp, error) {
	if re, ok := regexes.Load(pattern); ok {
		return re.(*regexp.Regexp), nil
	}
	re, err := regexp.Compile(`\A(?:` + javaClasses.Replace(pattern) + `)\z`)
	if err != nil {
		return nil, err
	}
	regexes.Store(pattern, re)
	return re, nil
}

// javaClasses turns names that Java has into those that Go has.
var javaClasses = strings.NewReplacer(
	`\p{Alpha}`, `[[:alpha:]]`, `\p{Digit}`, `[[:digit:]]`, `\p{Alnum}`, `[[:alnum:]]`, `\p{Upper}`, `[[:upper:]]`,
	`\p{Lower}`, `[[:lower:]]`, `\p{Punct}`, `[[:punct:]]`, `\p{Space}`, `[[:space:]]`, `\p{XDigit}`, `[[:xdigit:]]`,
	`\h`, `[ \t]`, `\Z`, `\z`,
)
