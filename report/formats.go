package report

import (
	"fmt"
	"slices"
	"strings"
)

// Formats are the names that Writers takes. Pages for people come with Karate's
// own JSON beside them.
var Formats = []string{"html", "junit", "cucumber", "jsonl"}

// aliases are how Karate's command line spells them.
var aliases = map[string]string{"junit:xml": "junit", "cucumber:json": "cucumber", "karate:jsonl": "jsonl", "json": "jsonl", "xml": "junit"}

// Writers are those of a list of formats: none given means all, "~html" all but
// that one, and a list without "~" just those.
func Writers(dir string, formats []string) ([]Writer, error) {
	chosen := slices.Clone(Formats)
	first := true
	for _, f := range formats {
		name, without := strings.CutPrefix(strings.ToLower(strings.TrimSpace(f)), "~")
		if name == "" {
			continue
		}
		if a, ok := aliases[name]; ok {
			name = a
		}
		if !slices.Contains(Formats, name) {
			return nil, fmt.Errorf("report: there is no format %q: %s, or ~NAME to leave one out", f, strings.Join(Formats, ", "))
		}
		switch {
		case without:
			chosen = slices.DeleteFunc(chosen, func(s string) bool { return s == name })
		case first:
			chosen = []string{name}
		default:
			chosen = append(chosen, name)
		}
		first = first && without
	}
	var out []Writer
	for _, name := range chosen {
		switch name {
		case "html":
			out = append(out, &HTML{Dir: dir}, &Karate{Dir: dir})
		case "junit":
			out = append(out, &JUnit{Dir: dir})
		case "cucumber":
			out = append(out, Cucumber{dir})
		case "jsonl":
			out = append(out, &Lines{Dir: dir})
		}
	}
	return out, nil
}
