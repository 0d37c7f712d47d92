package driver

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"rove/driver/backend"
	"rove/internal/wire"
)

// Script runs JavaScript in the page: an expression, statements, or a function,
// which is called. Promises are awaited. The value comes as JSON; what JSON
// cannot say (undefined, NaN, a Map, an element, a cycle) comes as a console
// would write it.
func (t *Tab) Script(ctx context.Context, js string) (string, error) {
	if strings.TrimSpace(js) == "" {
		return "", Invalid("eval", "there is no script")
	}
	ctx, cancel := bounded(ctx, 0, scriptTimeout)
	defer cancel()
	var raw []byte
	var err error
	// Whether it is an expression or statements is for the engine to say. What
	// does not parse has not run, so the next form can be tried.
	for _, form := range scriptForms(js) {
		if raw, err = t.tab.Eval(ctx, "", form); !unparsed(err) {
			break
		}
	}
	var b *backend.Error
	switch {
	case errors.As(err, &b) && b.Kind == backend.KindScript:
		return "", &Error{Code: CodeInvalid, Op: "eval", Message: thrown(b.Text), Err: err}
	case err != nil:
		return "", failed("eval", err)
	}
	var text string
	if err := wire.Unmarshal(raw, &text); err != nil {
		return string(raw), nil
	}
	return text, nil
}

var returns = regexp.MustCompile(`\b(return|await)\b`)

// scriptForms are the ways to read a script, the likeliest first. The script
// stands on the first line, so that the engine's line numbers are its own.
func scriptForms(js string) []string {
	run := func(function string) string { return "[" + function + "].map(" + scriptRunner + ")[0]" }
	forms := []string{run("async () => (" + js + "\n)")}
	if !returns.MatchString(js) {
		// The value of statements is that of the last one.
		if quoted, err := wire.Marshal(js); err == nil {
			forms = append(forms, run("async () => (0, eval)("+string(quoted)+")"))
		}
	}
	return append(forms, run("async () => {"+js+"\n}"))
}

// unparsed tells a script that did not parse, and so did not run, from one that
// threw a SyntaxError of its own, which has a stack.
func unparsed(err error) bool {
	var b *backend.Error
	return errors.As(err, &b) && b.Kind == backend.KindScript &&
		strings.HasPrefix(b.Text, "SyntaxError") && !stackLine.MatchString(b.Text)
}

var stackLine = regexp.MustCompile(`\n\s+at (?:.*?\(?)<anonymous>:(\d+):\d+`)

// thrown is an exception in one line, with the line of the script it came from.
func thrown(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	if m := stackLine.FindStringSubmatch(text); m != nil {
		first += " (line " + m[1] + ")"
	}
	return first
}

const scriptRunner = `async (run) => {
	let value = await run();
	if (typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value))) value = await value();
	const above = new Set();
	const show = (v, depth) => {
		switch (typeof v) {
			case 'undefined': return 'undefined';
			case 'bigint': return v + 'n';
			case 'symbol': return String(v);
			case 'function': return '[function ' + (v.name || 'anonymous') + ']';
			case 'number': return Object.is(v, -0) ? '-0' : String(v);
			case 'string': case 'boolean': return JSON.stringify(v);
		}
		if (v === null) return 'null';
		if (above.has(v)) return '[circular]';
		if (depth > 20) return '…';
		if (v instanceof Node) return v.nodeType === 1 ? v.cloneNode(false).outerHTML : '[' + v.nodeName + ']';
		if (v instanceof Error) return JSON.stringify(v.name + ': ' + v.message);
		if (v instanceof Date) return isNaN(v) ? 'Invalid Date' : JSON.stringify(v);
		if (v instanceof RegExp) return String(v);
		if (v === window) return '[window]';
		above.add(v);
		try {
			const each = (list) => Array.from(list, (x) => show(x, depth + 1)).join(',');
			if (v instanceof Map) return 'Map {' + Array.from(v, ([k, x]) => show(k, depth + 1) + ' => ' + show(x, depth + 1)).join(', ') + '}';
			if (v instanceof Set) return 'Set {' + each(v) + '}';
			if (typeof v.toJSON === 'function') return show(v.toJSON(), depth + 1);
			if (Array.isArray(v) || (ArrayBuffer.isView(v) && !(v instanceof DataView)) || v instanceof NodeList || v instanceof HTMLCollection) return '[' + each(v) + ']';
			return '{' + Object.entries(v).map(([k, x]) => JSON.stringify(k) + ':' + show(x, depth + 1)).join(',') + '}';
		} finally {
			above.delete(v);
		}
	};
	return show(value, 0);
}`
