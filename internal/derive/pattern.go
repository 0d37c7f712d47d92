package derive

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first asked for. Together
// they would take every start of rove two milliseconds, whatever it is started for.
func pattern(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}
