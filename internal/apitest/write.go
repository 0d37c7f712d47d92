package apitest

import (
	"fmt"
	"slices"
	"strings"
)

// formats are the writers, by name.
var formats = []struct {
	name  string
	write func(*Suite) []File
}{
	{"feature", (*Suite).Feature},
	{"js", (*Suite).Script},
	{"openapi", (*Suite).OpenAPI},
	{"mock", (*Suite).Mock},
	{"har", (*Suite).Archive},
	{"curl", (*Suite).Curl},
	{"k6", (*Suite).K6},
}

// Formats are the names of what can be written.
func Formats() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Write writes the suite in a format.
func (s *Suite) Write(format string) ([]File, error) {
	i := slices.Index(Formats(), format)
	if i < 0 {
		return nil, fmt.Errorf("there is no format %q: there are %s", format, strings.Join(Formats(), ", "))
	}
	return formats[i].write(s), nil
}
