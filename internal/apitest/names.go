package apitest

import (
	"strconv"
	"strings"
	"unicode"

	"rove/internal/data"
)

// taken are names that mean something to features already.
var taken = map[string]bool{}

func init() {
	for name := range strings.FieldsSeq(`response request url path method status header headers cookie cookies param params auth baseUrl karate read
		config driver def match call set get text table json xml csv yaml string bytes print assert eval copy remove replace configure retry form multipart
		responseStatus responseHeaders responseCookies responseTime responseBytes responseType requestTimeStamp key robot doc listen
		break case catch class const continue debugger default delete do else export extends finally for function if import in instanceof new return
		super switch this throw try typeof var void while with yield let static enum await null true false undefined html found item
		jar session same ok has test r http check fail need fresh setting turn turns work group encode signIn`) {
		taken[name] = true
	}
}

// name finds a name for a variable that is taken from an answer.
func (d *deriver) name(f found) string {
	name := f.key
	if words(name) == "id" || f.source.Kind == "header" && strings.EqualFold(f.source.Name, "location") {
		if of := f.call.collection(f.source.Path); of != "" {
			name = of + "Id"
		}
	}
	return d.unique(name)
}

// collection is what the things are called that an answer tells of.
func (c *Call) collection(path []any) string {
	for i := len(path) - 2; i >= 0; i-- {
		if step, ok := path[i].(string); ok && !envelope().MatchString(step) {
			return singular(step)
		}
	}
	for i := len(c.Path) - 1; i >= 0; i-- {
		if s := c.Path[i].plain(); !idLike(s) && s != "" && !version().MatchString(s) {
			return singular(s)
		}
	}
	return ""
}

// unique makes an identifier that no other variable has.
func (d *deriver) unique(name string) string {
	var b strings.Builder
	up := false
	for _, r := range name {
		switch {
		case r == '_' || r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			if up && b.Len() > 0 {
				r = unicode.ToUpper(r)
			}
			b.WriteRune(r)
			up = false
		default:
			up = true
		}
	}
	name = strings.TrimLeft(b.String(), "_0123456789")
	if name == "" {
		name = "value"
	}
	if first := name[0]; first >= 'A' && first <= 'Z' {
		if strings.ToUpper(name) == name {
			name = strings.ToLower(name)
		} else {
			name = strings.ToLower(name[:1]) + name[1:]
		}
	}
	if len(name) > 40 {
		name = name[:40]
	}
	if taken[name] {
		name += "Value"
	}
	one := name
	for i := 2; d.names[one]; i++ {
		one = name + strconv.Itoa(i)
	}
	d.names[one] = true
	return one
}

// quote writes a value as a literal of JavaScript, in single quotes.
func quote(v any) string {
	s, ok := v.(string)
	if !ok {
		return data.JSON(v)
	}
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		switch r {
		case '\'', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			if r < 32 || r == 0x7f || r == 0x2028 || r == 0x2029 {
				b.WriteString(`\u` + leftPad(strconv.FormatInt(int64(r), 16)))
			} else {
				b.WriteRune(r)
			}
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func leftPad(hex string) string { return strings.Repeat("0", max(0, 4-len(hex))) + hex }
