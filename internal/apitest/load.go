package apitest

import (
	"fmt"
	"net/textproto"
	"strings"

	"rove/internal/data"
)

// K6 writes a load test for k6: the calls in the order of the recording.
func (s *Suite) K6() []File {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("// The calls of a recorded flow. Run it: k6 run FILE -e API_PASSWORD=...")
	for _, n := range s.Notes {
		line("// note: %s", oneLine(n))
	}
	line("import http from 'k6/http';")
	line("import { check, fail } from 'k6';")
	line("")
	line("function need(name) { return __ENV[name] || fail('set ' + name); }")
	for i, origin := range s.Origins {
		line("const %s = __ENV.%s || %s;", baseName(i), envName(baseName(i)), quote(origin))
	}
	for _, v := range s.Config {
		if v.Secret {
			line("const %s = need(%s);", v.Name, quote(envName(v.Name)))
		} else {
			line("const %s = __ENV.%s || %s;", v.Name, envName(v.Name), quote(v.Default))
		}
	}
	line("")
	line("export default function () {")
	line("  let r;")
	w := dialect{auth: true}
	for _, c := range s.Calls {
		line("  // %s", oneLine(c.title()))
		line("  r = http.request(%s, %s, %s, { redirects: 0, headers: %s });", quote(c.Method), k6Address(w, c), k6Body(w, c), k6Headers(w, c))
		line("  check(r, { %s: (r) => r.status === %d });", quote(oneLine(c.title())+" is "+fmt.Sprint(c.Expect.Status)), c.Expect.Status)
		for _, v := range c.Finds {
			line("  const %s = %s;", v.Name, v.k6())
		}
	}
	line("}")
	return s.clean([]File{{"load.js", b.String()}})
}

func k6Address(w dialect, c *Call) string {
	address := w.address(c, baseName(c.Origin))
	for i, f := range c.Query {
		mark := "&"
		if i == 0 {
			mark = "?"
		}
		address += " + " + quote(mark+f.Name+"=") + " + encodeURIComponent(" + w.expression(f.Value) + ")"
	}
	return address
}

func k6Body(w dialect, c *Call) string {
	if c.Body == nil {
		return "null"
	}
	switch c.Body.Kind {
	case "json":
		return "JSON.stringify(" + w.script(c.Body.JSON) + ")"
	case "form", "multipart":
		var list []string
		for _, f := range c.Body.Fields {
			value := w.expression(f.Value)
			if f.File {
				value = "http.file(" + value + ", " + quote(f.FileName) + ", " + quote(f.Type) + ")"
			}
			list = append(list, quote(f.Name)+": "+value)
		}
		return "{ " + strings.Join(list, ", ") + " }"
	}
	return w.expression(c.Body.Text)
}

func k6Headers(w dialect, c *Call) string {
	var list []string
	for _, h := range c.Headers {
		list = append(list, quote(h.Name)+": "+w.expression(h.Value))
	}
	if c.Body != nil && c.Body.Kind != "form" && c.Body.Kind != "multipart" && c.Body.Type != "" {
		list = append(list, "'Content-Type': "+quote(c.Body.Type))
	}
	if len(c.Cookies) > 0 {
		var cookies []string
		for _, k := range c.Cookies {
			cookies = append(cookies, quote(k.Name+"=")+" + "+w.expression(k.Value))
		}
		list = append(list, "Cookie: "+strings.Join(cookies, " + '; ' + "))
	}
	if len(list) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(list, ", ") + " }"
}

func (v *Variable) k6() string {
	s, whole := v.Source, "r.body"
	switch s.Kind {
	case "json":
		whole = way("r.json()", s.Path)
	case "header":
		whole = "r.headers[" + quote(textproto.CanonicalMIMEHeaderKey(s.Name)) + "]"
	case "cookie":
		whole = "r.cookies[" + quote(s.Name) + "][0].value"
		if s.Pattern != "" {
			return "decodeURIComponent(" + whole + ")"
		}
	}
	if s.Pattern == "" {
		return whole
	}
	found := "new RegExp(" + quote(s.Pattern) + ").exec(" + whole + ")[1]"
	if s.Kind == "field" || s.Kind == "meta" {
		found += plainMarkup
	}
	if s.Kind == "script" {
		found += plainScript
	}
	return found
}

// Curl writes a shell script: the calls in the order of the recording, with curl
// and jq.
func (s *Suite) Curl() []File {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("#!/usr/bin/env bash")
	line("# The calls of a recorded flow; each must be answered with the status that it had. It")
	line("# needs curl and jq, and secrets in the environment.")
	for _, n := range s.Notes {
		line("# note: %s", oneLine(n))
	}
	line("set -euo pipefail")
	for i, origin := range s.Origins {
		line("%s=${%s:-%s}", baseName(i), envName(baseName(i)), bash(origin))
	}
	for _, v := range s.Config {
		if v.Secret {
			line(`%s=${%s:?set it in the environment}`, v.Name, envName(v.Name))
		} else {
			line("%s=${%s:-%s}", v.Name, envName(v.Name), bash(v.Default))
		}
	}
	b.WriteString(`work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# call STATUS ARGUMENTS OF CURL
call() {
  local want=$1 got
  shift
  got=$(curl -sS -b "$work/jar" -c "$work/jar" -D "$work/head" -o "$work/body" -w '%{http_code}' "$@")
  [ "$got" = "$want" ] || { echo "status $got, expected $want: $*" >&2; exit 1; }
}
header() { tr -d '\r' < "$work/head" | sed -n "s/^$1: *//Ip" | tail -n 1; }
cookie() { awk -v name="$1" '$6 == name { print $7 }' "$work/jar"; }
group() { local text; text=$(cat); [[ $text =~ $1 ]] && printf %s "${BASH_REMATCH[1]}"; }
encode() { jq -rn --arg v "$1" '$v | @uri'; }
`)
	for _, c := range s.Calls {
		line("")
		line("# %s", oneLine(c.title()))
		command := fmt.Sprintf("call %d -X %s %s", c.Expect.Status, c.Method, curlArguments(c))
		if c.Until != "" {
			what, value, _ := strings.Cut(c.Until, " == ")
			if strings.HasPrefix(what, "response.") {
				line("for _ in $(seq 40); do %s; jq -e %s < \"$work/body\" > /dev/null && break; sleep 0.25; done", command, bash("."+strings.TrimPrefix(what, "response.")+" == "+strings.ReplaceAll(value, "'", `"`)))
				continue
			}
			line("for _ in $(seq 40); do (%s) && break; sleep 0.25; done", command)
			continue
		}
		line("%s", command)
		for _, v := range c.Finds {
			line("%s=$(%s)", v.Name, v.curl())
		}
	}
	return s.clean([]File{{"api.sh", b.String()}})
}

// jq quotes a text for jq.
func jq(text string) string { return data.JSON(text) }

// bash quotes a text for a shell.
func bash(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// bashText is a text with variables, for a shell.
func bashText(t Text) string {
	var b strings.Builder
	for _, p := range t {
		if p.Var != nil {
			b.WriteString(`"$` + p.Var.Name + `"`)
		} else if p.Lit != "" {
			b.WriteString(bash(p.Lit))
		}
	}
	if b.Len() == 0 {
		return "''"
	}
	return b.String()
}

func curlArguments(c *Call) string {
	address := `"$` + baseName(c.Origin) + `"`
	for _, segment := range c.Path {
		address += bash("/")
		for _, p := range segment {
			if p.Var != nil {
				address += `"$` + p.Var.Name + `"`
			} else if p.Lit != "" {
				address += bash(p.Lit)
			}
		}
	}
	for i, f := range c.Query {
		mark := "&"
		if i == 0 {
			mark = "?"
		}
		address += bash(mark+f.Name+"=") + `"$(encode ` + bashText(f.Value) + `)"`
	}
	list := []string{strings.ReplaceAll(address, "''", "")}
	for _, h := range c.Headers {
		list = append(list, "-H "+bash(h.Name+": ")+bashText(h.Value))
	}
	for _, k := range c.Cookies {
		list = append(list, "-b "+bash(k.Name+"=")+bashText(k.Value))
	}
	if body := c.Body; body != nil {
		switch body.Kind {
		case "form":
			for _, f := range body.Fields {
				list = append(list, "--data-urlencode "+bash(f.Name+"=")+bashText(f.Value))
			}
		case "multipart":
			for _, f := range body.Fields {
				if f.File {
					list = append(list, fmt.Sprintf("-F %s<(printf %%s %s)%s", bash(f.Name+"=@"), bashText(f.Value), bash(";filename="+f.FileName+";type="+f.Type)))
				} else {
					list = append(list, "--form-string "+bash(f.Name+"=")+bashText(f.Value))
				}
			}
		case "json":
			list = append(list, "-H "+bash("Content-Type: "+body.Type), "--data-raw "+bashJSON(body.JSON))
		default:
			list = append(list, "-H "+bash("Content-Type: "+body.Type), "--data-raw "+bashText(body.Text))
		}
	}
	return strings.Join(list, " ")
}

// bashJSON makes a body with jq, which quotes what variables hold.
func bashJSON(n *Node) string {
	var arguments []string
	seen := map[*Variable]bool{}
	var write func(n *Node) string
	write = func(n *Node) string {
		switch n.Kind {
		case 'o':
			var list []string
			for i, k := range n.Keys {
				list = append(list, jq(k)+":"+write(n.Nodes[i]))
			}
			return "{" + strings.Join(list, ",") + "}"
		case 'a':
			var list []string
			for _, kid := range n.Nodes {
				list = append(list, write(kid))
			}
			return "[" + strings.Join(list, ",") + "]"
		}
		if n.Value.variables() == nil {
			if n.Kind == 's' {
				return jq(n.Value.plain())
			}
			return n.Value.plain()
		}
		var parts []string
		for _, p := range n.Value {
			if p.Var == nil {
				parts = append(parts, jq(p.Lit))
				continue
			}
			if !seen[p.Var] {
				seen[p.Var] = true
				how := "--arg"
				if p.Var.Number {
					how = "--argjson"
				}
				arguments = append(arguments, fmt.Sprintf(`%s %s "$%s"`, how, p.Var.Name, p.Var.Name))
			}
			parts = append(parts, "$"+p.Var.Name)
		}
		return "(" + strings.Join(parts, "+") + ")"
	}
	text := write(n)
	if len(arguments) == 0 {
		return bash(text)
	}
	return `"$(jq -cn ` + strings.Join(arguments, " ") + " " + bash(text) + `)"`
}

func (v *Variable) curl() string {
	s := v.Source
	whole := `cat "$work/body"`
	switch s.Kind {
	case "json":
		path := ""
		for _, step := range s.Path {
			if k, ok := step.(string); ok {
				path += "[" + jq(k) + "]"
			} else {
				path += fmt.Sprintf("[%v]", step)
			}
		}
		whole = `jq -r ` + bash("."+path) + ` "$work/body"`
	case "header":
		whole = "header " + bash(s.Name)
	case "cookie":
		return "cookie " + bash(s.Name)
	}
	if s.Pattern == "" {
		return whole
	}
	posix := strings.NewReplacer(`\s`, "[[:space:]]", `\b`, "", `\d`, "[0-9]").Replace(s.Pattern)
	whole += " | group " + bash(posix)
	if s.Kind == "field" || s.Kind == "meta" {
		whole += ` | sed 's/&#43;/+/g; s/&#47;/\//g; s/&#61;/=/g; s/&amp;/\&/g'`
	}
	if s.Kind == "script" {
		whole += ` | sed 's/\\\(.\)/\1/g'`
	}
	return whole
}
