package rove

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rove/internal/outlet"
	"rove/internal/ownfile"
	"rove/internal/policy"
)

// Secrets are values that a model can have typed without seeing them: it writes
// {{secret:NAME}} where a value stands, in input, type and set. Each is bound to
// the origins it may be typed into, and none is shown, logged or kept in the
// history: wherever one would come back from a page it reads ••••. What a picture
// shows, and what a script makes of a value, cannot be kept out.
type Secrets struct {
	list []secret
	out  *outlet.Outlet // takes the values out of what is told
}

type secret struct {
	name, value string
	origins     []string
}

// ReadSecrets reads secrets from a file that nobody but its owner may read, a
// line for each:
//
//	# NAME@ORIGIN[,ORIGIN…]=VALUE
//	SHOP_PASSWORD@https://shop.example=correct horse
//	STAGING_KEY@*.staging.example,localhost:*=0123456789
//
// The value is the rest of the line as it is. @* is for a secret that may be
// typed anywhere.
func ReadSecrets(path string) (*Secrets, error) {
	text, err := ownfile.Read(path, mostSecrets)
	if err != nil {
		return nil, fmt.Errorf("secrets: %w", err)
	}
	return ParseSecrets(string(text))
}

const mostSecrets = 1 << 20

var secretLine = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)(?:@([^=]*))?=(.*)$`)

// ParseSecrets reads what ReadSecrets finds in a file. Its errors name lines and
// names, never values.
func ParseSecrets(text string) (*Secrets, error) {
	s := &Secrets{}
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		line = strings.TrimSuffix(line, "\r")
		if trimmed := strings.TrimSpace(line); trimmed == "" || trimmed[0] == '#' {
			continue
		}
		m := secretLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("secrets: line %d is not NAME@ORIGIN=VALUE, such as PASS@https://shop.example=…; a name has letters, digits and _, and no blanks around it", number)
		}
		one := secret{name: m[1], value: m[3]}
		wrong := func(why string) (*Secrets, error) {
			return nil, fmt.Errorf("secrets: line %d, %s: %s", number, one.name, why)
		}
		switch {
		case !outlet.Long(one.value):
			return wrong(fmt.Sprintf("the value is too short to be kept out of answers: it takes %d characters", outlet.Shortest))
		case strings.ContainsFunc(one.value, func(r rune) bool { return r < ' ' }):
			return wrong("the value has control characters in it")
		case strings.Contains(one.value, "•"):
			return wrong("the value has a • in it, which stands for what is hidden")
		case slices.ContainsFunc(s.list, func(o secret) bool { return o.name == one.name }):
			return wrong("it is there twice")
		case strings.TrimSpace(m[2]) == "":
			return wrong(fmt.Sprintf("say where it may be typed: %s@https://host=…, or %s@*=… for anywhere", one.name, one.name))
		}
		for origin := range strings.SplitSeq(m[2], ",") {
			if origin = strings.TrimSpace(origin); origin == "*" {
				origin = "*:*"
			}
			if _, err := policy.Match(origin, "https://x.example"); err != nil {
				return wrong(err.Error())
			}
			one.origins = append(one.origins, origin)
		}
		s.list = append(s.list, one)
	}
	values := map[string]string{}
	for _, one := range s.list {
		values[one.name] = one.value
	}
	s.out = outlet.New(values)
	return s, nil
}

// Names lists the secrets by name.
func (s *Secrets) Names() []string {
	if s == nil {
		return nil
	}
	names := make([]string, len(s.list))
	for i, one := range s.list {
		names[i] = one.name
	}
	return names
}

var secretPlace = regexp.MustCompile(`\{\{\s*secret:([^{}]*)\}\}`)

// withSecrets puts secrets into the value of a step, if it names any and the element
// is of a page that may have them: of that origin has the document to be still when
// it gets them.
func (s *Session) withSecrets(st Step) (revealed Step, origin string, err error) {
	if !strings.Contains(st.Value, "{{") || !secretPlace.MatchString(st.Value) {
		return st, "", nil
	}
	refuse := func(format string, args ...any) (Step, string, error) {
		return st, "", &Error{Code: CodePolicy, Op: st.Op + " " + st.Ref, Message: fmt.Sprintf(format, args...), Hint: s.secretsHint()}
	}
	if st.Op != "input" && st.Op != "type" && st.Op != "set" || st.Ref == "_page" {
		return refuse("a secret can be typed into a field, and nothing else")
	}
	at, err := s.driver.Tab().FrameURL(st.Ref)
	if err != nil {
		return st, "", err
	}
	var wrong error
	value := secretPlace.ReplaceAllStringFunc(st.Value, func(place string) string {
		name := strings.TrimSpace(secretPlace.FindStringSubmatch(place)[1])
		var one *secret
		if s.secrets != nil {
			for i := range s.secrets.list {
				if s.secrets.list[i].name == name {
					one = &s.secrets.list[i]
				}
			}
		}
		if one == nil {
			_, _, wrong = refuse("there is no secret %q", name)
			return ""
		}
		for _, origin := range one.origins {
			if ok, err := policy.Match(origin, at); err == nil && ok {
				return one.value
			}
		}
		_, _, wrong = refuse("the secret %s is not for %s; it is for %s", name, clip(s.out.Text(at), 100), strings.Join(one.origins, ", "))
		return ""
	})
	if wrong != nil {
		return st, "", wrong
	}
	if !named(st.Value) {
		s.out.Learn("what was typed with a secret: "+st.Value, value)
	}
	st.Value = value
	return st, policy.Origin(at), nil
}

// alone is a step as an error tells it: what stands beside a secret in a value may be the
// rest of a password.
func (st Step) alone() Step {
	if places := secretPlace.FindAllString(st.Value, -1); len(places) > 0 && !named(st.Value) {
		st.Value = strings.Join(places, "") + mask
	}
	return st
}

func (s *Session) secretsHint() string {
	if names := s.secrets.Names(); len(names) > 0 {
		return "there are " + strings.Join(names, ", ")
	}
	return "none were given to this session"
}
