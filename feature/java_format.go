package feature

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/dlclark/regexp2/v2"

	"rove/internal/script"
)

// javaFormat is String.format, for the forms that features use.
func javaFormat(a javaArgs) (any, error) {
	if len(a) == 0 {
		return nil, fmt.Errorf("format needs a form: String.format('%%s', x)")
	}
	args := make([]any, 0, len(a)-1)
	form := a.text(0)
	verbs := 0
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		if form[i] != '%' {
			b.WriteByte(form[i])
			continue
		}
		j := i + 1
		for j < len(form) && strings.IndexByte("-+ 0#,.123456789$", form[j]) >= 0 {
			j++
		}
		if j == len(form) {
			return nil, fmt.Errorf("UnknownFormatConversionException: %q", form[i:])
		}
		flags := strings.ReplaceAll(form[i+1:j], ",", "")
		switch form[j] {
		case '%':
			b.WriteString("%%")
		case 'n':
			b.WriteByte('\n')
		case 's', 'S', 'b':
			b.WriteString("%" + flags + "s")
			verbs++
			args = append(args, a.text(verbs))
		case 'd', 'x', 'X', 'o':
			b.WriteString("%" + flags + string(form[j]))
			verbs++
			args = append(args, a.int(verbs))
		case 'f', 'e', 'g':
			b.WriteString("%" + flags + string(form[j]))
			verbs++
			args = append(args, a.float(verbs))
		default:
			return nil, fmt.Errorf("UnknownFormatConversionException: Conversion = %q", form[j])
		}
		i = j
	}
	return fmt.Sprintf(b.String(), args...), nil
}

// javaStrings are methods of Java's strings that JavaScript's do not have:
// Karate's engine gives them to all strings, and features use them.
var javaStrings = map[string]func(string, []script.Value) (any, error){
	"getBytes":         func(s string, _ []script.Value) (any, error) { return []byte(s), nil },
	"contains":         func(s string, a []script.Value) (any, error) { return strings.Contains(s, javaArgs(a).text(0)), nil },
	"equals":           func(s string, a []script.Value) (any, error) { return s == javaArgs(a).text(0), nil },
	"equalsIgnoreCase": func(s string, a []script.Value) (any, error) { return strings.EqualFold(s, javaArgs(a).text(0)), nil },
	"isEmpty":          func(s string, _ []script.Value) (any, error) { return s == "", nil },
	"hashCode":         func(s string, _ []script.Value) (any, error) { return hashCode(s), nil },
	"isBlank":          func(s string, _ []script.Value) (any, error) { return strings.TrimSpace(s) == "", nil },
	"compareTo": func(s string, a []script.Value) (any, error) {
		return int64(strings.Compare(s, javaArgs(a).text(0))), nil
	},
	"toCharArray": func(s string, _ []script.Value) (any, error) {
		var list []any
		for _, r := range s {
			list = append(list, string(r))
		}
		return list, nil
	},
	"matches": func(s string, a []script.Value) (any, error) {
		re, err := regexp2.Compile(`\A(?:`+javaArgs(a).text(0)+`)\z`, regexp2.None)
		if err != nil {
			return nil, err
		}
		re.MatchTimeout = regexLimit
		return re.MatchString(s)
	},
	"replaceFirst": func(s string, a []script.Value) (any, error) {
		re, err := regexp2.Compile(javaArgs(a).text(0), regexp2.None)
		if err != nil {
			return nil, err
		}
		re.MatchTimeout = regexLimit
		return re.Replace(s, javaArgs(a).text(1), -1, 1)
	},
}

// hashCode is Java's, of a string.
func hashCode(s string) int64 {
	var h int32
	for _, unit := range utf16.Encode([]rune(s)) {
		h = 31*h + int32(unit)
	}
	return int64(h)
}
