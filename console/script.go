package console

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"rove/driver/backend"
)

// mapper takes places in scripts to where they came from: it has the source maps of
// scripts by their addresses, nil where there is none.
type mapper map[string]*sourceMap

// place writes a place in a script, given counted from 0.
func (m mapper) place(script string, line, column int) string {
	if script == "" {
		return ""
	}
	if source, l, c, ok := m[script].find(line, column); ok && source != "" {
		script, line, column = resolve(script, source), l, c
	}
	return script + ":" + strconv.Itoa(line+1) + ":" + strconv.Itoa(column+1)
}

// resolve makes the name of a source whole, if it is relative to its script.
func resolve(script, source string) string {
	base, err := url.Parse(script)
	if err != nil || base.Opaque != "" {
		return source
	}
	ref, err := url.Parse(source)
	if err != nil || ref.Scheme != "" {
		return source
	}
	return base.ResolveReference(ref).String()
}

func (m mapper) position(t *backend.StackTrace) string {
	if t == nil || len(t.Calls) == 0 {
		return ""
	}
	call := t.Calls[0]
	return m.place(call.URL, call.Line, call.Column)
}

// calls writes a stack.
func (m mapper) calls(t *backend.StackTrace) []string {
	var list []string
	for ; t != nil; t = t.Parent {
		if t.Description != "" && len(list) > 0 {
			list = append(list, t.Description)
		}
		for _, call := range t.Calls {
			switch at := m.place(call.URL, call.Line, call.Column); {
			case call.Function != "" && at != "":
				list = append(list, call.Function+" ("+at+")")
			case call.Function != "" || at != "":
				list = append(list, call.Function+at)
			}
		}
	}
	return list
}

var stackPlace = regexp.MustCompile(`(\S*?[^\s(]):(\d+):(\d+)(\)?)$`)

// stack takes the places in an error's stack to where they came from.
func (m mapper) stack(text string) string {
	if len(m) == 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		at := stackPlace.FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		script := line[at[2]:at[3]]
		begin := at[2] + strings.LastIndexByte(script, '(') + 1
		l, errLine := strconv.Atoi(line[at[4]:at[5]])
		c, errColumn := strconv.Atoi(line[at[6]:at[7]])
		if m[line[begin:at[3]]] == nil || errLine != nil || errColumn != nil || l < 1 || c < 1 {
			continue
		}
		lines[i] = line[:begin] + m.place(line[begin:at[3]], l-1, c-1) + line[at[8]:]
	}
	return strings.Join(lines, "\n")
}
