package driver_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"rove/aria"
	"rove/driver"
)

func TestScriptValues(t *testing.T) {
	a := one(t, `<p id=p class="x" data-q='a"b'>text<br></p><script>
		function Account() { this.id = 7 }
		window.trap = {get bad() { throw new Error('no') }, good: 1};
	</script>`)
	tests := []struct {
		js, text, kind string
		opts           driver.ScriptOptions
	}{
		{`1 + 1`, `2`, "number", driver.ScriptOptions{}},
		{`NaN`, `NaN`, "number", driver.ScriptOptions{}},
		{`-0`, `-0`, "number", driver.ScriptOptions{}},
		{`-Infinity`, `-Infinity`, "number", driver.ScriptOptions{}},
		{`12n ** 20n`, `3833759992447475122176n`, "bigint", driver.ScriptOptions{}},
		{`Symbol('s')`, `Symbol(s)`, "symbol", driver.ScriptOptions{}},
		{`undefined`, `undefined`, "undefined", driver.ScriptOptions{}},
		{`null`, `null`, "null", driver.ScriptOptions{}},
		{`'a"\n\ud800'`, `"a\"\n\ud800"`, "string", driver.ScriptOptions{}},
		{`({a: [1, undefined, NaN], b: {c: 1n}})`, `{"a":[1,undefined,NaN],"b":{"c":1n}}`, "object", driver.ScriptOptions{}},
		{`new Map([[1, {a: 2}], ['k', new Set([3])]])`, `Map {1 => {"a":2}, "k" => Set {3}}`, "map", driver.ScriptOptions{}},
		{`new Set()`, `Set {}`, "set", driver.ScriptOptions{}},
		{`new Date(0)`, `"1970-01-01T00:00:00.000Z"`, "date", driver.ScriptOptions{}},
		{`new Date('x')`, `Invalid Date`, "date", driver.ScriptOptions{}},
		{`/a/g`, `/a/g`, "object", driver.ScriptOptions{}},
		{`new TypeError('no')`, `"TypeError: no"`, "error", driver.ScriptOptions{}},
		{`p`, `<p id="p" class="x" data-q="a\"b"></p>`, "element", driver.ScriptOptions{}},
		{`p.firstChild`, `[#text "text"]`, "node", driver.ScriptOptions{}},
		{`p.children`, `[<br>]`, "object", driver.ScriptOptions{}},
		{`p.classList`, `["x"]`, "object", driver.ScriptOptions{}},
		{`window`, `[window]`, "object", driver.ScriptOptions{}},
		{`new Account()`, `{"id":7}`, "object", driver.ScriptOptions{}},
		{`new WeakMap()`, `[WeakMap]`, "object", driver.ScriptOptions{}},
		{`new Uint8Array([1, 2])`, `[1,2]`, "object", driver.ScriptOptions{}},
		{`(() => { const o = {}; o.self = o; return [o, o] })()`, `[{"self":[circular]},{"self":[circular]}]`, "array", driver.ScriptOptions{}},
		{`trap`, `{"bad":[throws],"good":1}`, "object", driver.ScriptOptions{}},
		{`(() => { const r = Proxy.revocable({}, {}); r.revoke(); return [r.proxy] })()`, `[[unreadable]]`, "array", driver.ScriptOptions{}},
		{`const x = 4; x * 2`, `8`, "number", driver.ScriptOptions{}},
		{`const twice = (n) => { return 2 * n }; twice(4)`, `8`, "number", driver.ScriptOptions{}},
		{`const later = async () => { await 1; return 9 }; later()`, `9`, "number", driver.ScriptOptions{}},
		{`if (true) { return 'early' } 'late'`, `"early"`, "string", driver.ScriptOptions{}},
		{`for (const i of [1]) {} `, `undefined`, "undefined", driver.ScriptOptions{}},
		{"const y = await Promise.resolve(5);\nreturn y", `5`, "number", driver.ScriptOptions{}},
		{`Promise.resolve({a: 1})`, `{"a":1}`, "object", driver.ScriptOptions{}},
		{`Promise.resolve(1)`, `[Promise]`, "promise", driver.ScriptOptions{NoAwait: true}},
		{`[Promise.resolve(1)]`, `[[Promise]]`, "array", driver.ScriptOptions{}},
		{`1 + 2`, `3`, "number", driver.ScriptOptions{NoAwait: true}},
		{`let z = 1; z + 1`, `2`, "number", driver.ScriptOptions{NoAwait: true}},
		{`() => 7`, `7`, "number", driver.ScriptOptions{}},
		{`() => 7`, `[function anonymous]`, "function", driver.ScriptOptions{NoCall: true}},
		{`Account`, `[function Account]`, "function", driver.ScriptOptions{NoCall: true}},
		{`class Box {}`, `[class Box]`, "function", driver.ScriptOptions{}},
	}
	for _, tt := range tests {
		v, err := a.Tab().ScriptWith(a.ctx, tt.js, tt.opts)
		if err != nil {
			t.Errorf("%s: %v", tt.js, err)
			continue
		}
		if v.Text != tt.text || v.Type != tt.kind {
			t.Errorf("%s is %s %s, want %s %s", tt.js, v.Type, v.Text, tt.kind, tt.text)
		}
	}
}

func TestScriptThatThrows(t *testing.T) {
	a := one(t, `<script>function deep() { return shallow() }
		function shallow() { throw new RangeError('too deep') }</script>`)
	tests := []struct {
		js, message string
		log         []string // parts of the stack's lines
	}{
		{`nope.x`, "ReferenceError: nope is not defined (line 1)", []string{"script:1:"}},
		{"1 +\n  null.x", "TypeError: Cannot read properties of null (reading 'x') (line 2)", []string{"script:2:8"}},
		{"const a = 1;\nfunction f() {\n  a.b.c\n}\nf()", "TypeError: Cannot read properties of undefined (reading 'c') (line 3)", []string{"at f (script:3:7)", "script:5:1"}},
		{`deep()`, "RangeError: too deep (line 1)", []string{"at shallow (http://", "at deep (http://", "script:1:1"}},
		{`JSON.parse('{')`, "SyntaxError: Expected property name or '}' in JSON at position 1", []string{"at JSON.parse (<anonymous>)", "script:1:6"}},
		{`throw new Error('two\nlines')`, "Error: two\nlines (line 1)", []string{"script:1:7"}},
		{`throw {code: 5}`, `thrown: {"code":5}`, nil},
		{`throw 'text'`, `thrown: "text"`, nil},
		{`throw null`, `thrown: null`, nil},
		{`Promise.reject(new Error('later'))`, "Error: later (line 1)", []string{"script:1:"}},
		{`await fetch('/nope'); throw new DOMException('gone', 'AbortError')`, "AbortError: gone", nil},
		{`if (`, "SyntaxError: ", nil},
		{"let a = 1\nlet = =", "SyntaxError: ", nil},
	}
	for _, tt := range tests {
		_, err := a.Tab().ScriptWith(a.ctx, tt.js, driver.ScriptOptions{})
		// What was thrown is the page's word, and in quotes.
		what, line, ok := strings.Cut(tt.message, " (line ")
		want := strings.TrimSuffix(aria.Quote(what), `"`)
		if ok {
			want += `" (line ` + line
		}
		var e *driver.Error
		if !errors.As(err, &e) || e.Code != driver.CodeInvalid || !strings.HasPrefix(e.Message, want) {
			t.Errorf("%s: %v, want %s", tt.js, err, want)
			continue
		}
		for i, part := range tt.log {
			if i >= len(e.Log) || !strings.Contains(e.Log[i], part) {
				t.Errorf("%s: the stack's line %d is to have %s:\n%s", tt.js, i, part, strings.Join(e.Log, "\n"))
			}
		}
		if log := strings.Join(e.Log, "\n"); strings.Contains(log, "Array.map") || strings.Contains(log, "<anonymous>:") || len(tt.log) > 0 && len(e.Log) > len(tt.log) {
			t.Errorf("%s: what ran it is in the stack:\n%s", tt.js, log)
		}
	}
}

func TestScriptWithoutEndIsStopped(t *testing.T) {
	a := one(t, `<p>here</p>`)
	for _, js := range []string{`while (true) {}`, `new Promise(() => {})`} {
		ctx, cancel := context.WithTimeout(a.ctx, time.Second)
		_, err := a.Tab().ScriptWith(ctx, js, driver.ScriptOptions{})
		cancel()
		if driver.CodeOf(err) != driver.CodeTimeout {
			t.Errorf("%s: %v", js, err)
		}
		if v, err := a.Tab().ScriptWith(a.ctx, "1", driver.ScriptOptions{}); err != nil || v.Text != "1" {
			t.Errorf("after %s: %v, %v", js, v, err)
		}
	}
}
