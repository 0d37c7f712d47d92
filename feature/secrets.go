package feature

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"rove/internal/outlet"
	"rove/report"
)

// secretsOf is the outlet for what reports and logs must not tell: values of properties and
// of the environment that are called as secrets are (password, token, API key), but for
// those that could stand anywhere. It is nil where there are none.
func secretsOf(properties map[string]string) *outlet.Outlet {
	secrets := map[string]string{}
	for name, value := range properties {
		if outlet.Secretive(name) && outlet.Long(value) && !ordinary(value) {
			secrets[name] = value
		}
	}
	if len(secrets) == 0 {
		return nil
	}
	return outlet.New(secrets)
}

// ordinaryWord is a word of small letters, or with a first capital: a user called admin
// with the password admin is not to lose all that is called so.
var ordinaryWord = regexp.MustCompile(`^[A-Za-z]?[a-z_-]{0,15}$`)

// ordinary says whether a value is one that could stand anywhere: a word, a number, an
// address, a file that is there.
func ordinary(value string) bool {
	if _, err := strconv.ParseFloat(value, 64); err == nil && len(value) < 8 {
		return true
	}
	if ordinaryWord.MatchString(value) || strings.HasPrefix(value, "http://") || strings.HasPrefix(value, "https://") {
		return true
	}
	if filepath.IsAbs(value) {
		_, err := os.Stat(value)
		return err == nil
	}
	return false
}

// clean takes secrets out of a result.
func (su *suite) clean(r *report.Scenario) {
	if su.out == nil {
		return
	}
	file := r.Feature // which is told of by others too, and is the same one for all
	r.Feature = nil
	*r = outlet.Clean(su.out, *r)
	r.Feature = file
}

// cleanText takes secrets out of a text.
func (su *suite) cleanText(text string) string {
	if su.out == nil {
		return text
	}
	return su.out.Text(text)
}
