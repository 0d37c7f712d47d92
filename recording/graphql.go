package recording

import (
	"regexp"
	"strings"
	"sync"

	"rove/internal/wire"
)

// Asks says what a request of GraphQL asks for, by the body of it: "mutation Save", "query
// Notes"; "" for any other request. All of them go to one path, so that nothing else tells
// those that write from those that read. Of several in one body it is the first that writes.
func Asks(body []byte) string {
	if len(body) == 0 || body[0] != '{' && body[0] != '[' {
		return ""
	}
	type request struct {
		Query string `json:"query"`
		Name  string `json:"operationName"`
	}
	var one request
	list := []request{}
	switch {
	case body[0] == '{' && wire.Unmarshal(body, &one) == nil:
		list = append(list, one)
	case body[0] != '[' || wire.Unmarshal(body, &list) != nil:
		return ""
	}
	first := ""
	for _, r := range list {
		asks := operation(r.Query, r.Name)
		if strings.HasPrefix(asks, mutation) {
			return asks
		}
		if first == "" {
			first = asks
		}
	}
	return first
}

const mutation = "mutation"

// Mutates says that a request of GraphQL is there to change something.
func Mutates(asks string) bool { return strings.HasPrefix(asks, mutation) }

var (
	comments   = pattern(`(?m)#.*$`)
	operations = pattern(`(?:^|[\s}])(query|mutation|subscription)\b\s*(\w*)[^{]*\{\s*(\w*)`)
	shorthand  = pattern(`^\s*\{\s*(\w*)`)
)

// pattern is compiled when it is asked for: few recordings have GraphQL.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// operation is the one of a document that is meant: by its name, else the first. One
// without a name is called by its first field.
func operation(document, name string) string {
	document = comments().ReplaceAllString(document, "")
	if m := shorthand().FindStringSubmatch(document); m != nil {
		return "query " + m[1]
	}
	found := ""
	for _, m := range operations().FindAllStringSubmatch(document, -1) {
		called := m[2]
		if called == "" {
			called = m[3]
		}
		if m[2] == name && name != "" {
			return m[1] + " " + called
		}
		if found == "" {
			found = m[1] + " " + called
		}
	}
	return found
}
