package derive

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"rove/recording"
)

// Karate puts a locator between double quotes into a script, as it is: a quote in it
// ends the script's text, and a backslash is gone before the page sees it. So
// queries are written without either, in words that rove reads alike.

const unwritable = `"\`

// karateQuery is a query that Karate can write into a script.
func karateQuery(q string) string {
	if tag, text, ok := wildcardParts(q); ok {
		if !strings.ContainsAny(text, unwritable+"'") {
			return q
		}
		return spellXPath("//" + tag + "[normalize-space(text())=" + xpathText(text) + "]")
	}
	if strings.HasPrefix(q, "/") || strings.HasPrefix(q, "(") {
		return spellXPath(q)
	}
	return spellCSS(q)
}

// wildcardParts takes {tag}text apart.
func wildcardParts(q string) (tag, text string, ok bool) {
	rest, ok := strings.CutPrefix(q, "{")
	if !ok || strings.HasPrefix(q, "{{") {
		return "", "", false
	}
	tag, text, ok = strings.Cut(rest, "}")
	return tag, text, ok && plainTag().MatchString(tag)
}

var (
	plainTag  = pattern(`^[a-z][a-z0-9-]*$`)
	cssString = pattern(`"((?:[^"\\]|\\.)*)"`)
	cssEscape = pattern(`\\([0-9a-fA-F]{1,6} ?|.)`)
	cssID     = pattern(`#((?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6} ?|\\.)+)`)
	cssSimple = pattern(`^([a-z][a-z0-9-]*)?((?:\[[a-z-]+="(?:[^"\\]|\\.)*"\])+)$`)
	cssAttr   = pattern(`\[([a-z-]+)="((?:[^"\\]|\\.)*)"\]`)
)

// unescape reads what CSS has escaped.
func unescape(s string) string {
	return cssEscape().ReplaceAllStringFunc(s, func(e string) string {
		if n, err := strconv.ParseInt(strings.TrimSpace(e[1:]), 16, 32); err == nil {
			return string(rune(n))
		}
		return e[1:]
	})
}

func spellCSS(q string) string {
	if m := cssSimple().FindStringSubmatch(q); m != nil && strings.ContainsAny(unescape(cssString().ReplaceAllString(q, "$1")), unwritable+"'") {
		path := "//" + m[1]
		if m[1] == "" {
			path = "//*"
		}
		for _, a := range cssAttr().FindAllStringSubmatch(m[2], -1) {
			path += "[@" + a[1] + "=" + xpathText(unescape(a[2])) + "]"
		}
		return spellXPath(path)
	}
	q = cssString().ReplaceAllStringFunc(q, func(s string) string { return "'" + unescape(s[1:len(s)-1]) + "'" })
	return cssID().ReplaceAllStringFunc(q, func(id string) string {
		if !strings.Contains(id, `\`) {
			return id
		}
		return "[id='" + unescape(id[1:]) + "']"
	})
}

const (
	xpathOf      = `(normalize-space\((?:\.|text\(\))\)|@[a-z-]+)`
	xpathLiteral = `('[^']*'|"[^"]*"|concat\((?:(?:'[^']*'|"[^"]*"),? ?)+\))`
)

var (
	xpathIs     = pattern(xpathOf + `=` + xpathLiteral)
	xpathStarts = pattern(`starts-with\(` + xpathOf + `,` + xpathLiteral + `\)`)
	xpathPiece  = pattern(`'[^']*'|"[^"]*"`)
	notWritable = pattern(`['"\\]`)
)

// spellXPath writes texts that have quotes or backslashes in them as the pieces
// between those, each at its place.
func spellXPath(q string) string {
	q = xpathIs().ReplaceAllStringFunc(q, func(s string) string {
		m := xpathIs().FindStringSubmatch(s)
		return pieces(s, m[1], m[2], true)
	})
	return xpathStarts().ReplaceAllStringFunc(q, func(s string) string {
		m := xpathStarts().FindStringSubmatch(s)
		return pieces(s, m[1], m[2], false)
	})
}

func pieces(whole, of, literal string, all bool) string {
	text := ""
	for _, p := range xpathPiece().FindAllString(literal, -1) {
		text += p[1 : len(p)-1]
	}
	if !notWritable().MatchString(text) || recording.ParamPlace.MatchString(text) {
		return whole
	}
	var list []string
	at := 1
	for _, p := range notWritable().Split(text, -1) {
		n := len(utf16.Encode([]rune(p)))
		if n > 0 {
			list = append(list, fmt.Sprintf("substring(%s,%d,%d)='%s'", of, at, n, p))
		}
		at += n + 1
	}
	if all {
		list = append(list, fmt.Sprintf("string-length(%s)=%d", of, at-2))
	}
	return "(" + strings.Join(list, " and ") + ")"
}
