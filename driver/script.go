package driver

import (
	"context"
	"errors"
	"strings"

	"rove/driver/backend"
	"rove/internal/wire"
)

// Script runs JavaScript in the page: an expression, statements (with return),
// or a function, which is called. Promises are awaited. The value comes as JSON;
// what JSON cannot say (undefined, NaN, a Map, an element, a cycle) comes as a
// console would write it.
func (t *Tab) Script(ctx context.Context, js string) (string, error) {
	if strings.TrimSpace(js) == "" {
		return "", Invalid("eval", "there is no script")
	}
	ctx, cancel := bounded(ctx, 0, scriptTimeout)
	defer cancel()
	raw, err := t.tab.Eval(ctx, "", wrapScript(js))
	var b *backend.Error
	switch {
	case errors.As(err, &b) && b.Kind == backend.KindScript:
		return "", &Error{Code: CodeInvalid, Op: "eval", Message: b.Text, Err: err}
	case err != nil:
		return "", failed("eval", err)
	}
	var text string
	if err := wire.Unmarshal(raw, &text); err != nil {
		return string(raw), nil
	}
	return text, nil
}

// wrapScript makes one expression of a script that gives its value as text.
// Whether it is an expression or statements is for the engine to say: the first
// is tried, and where it does not parse the second is.
func wrapScript(js string) string {
	quoted, err := wire.Marshal(js)
	if err != nil {
		quoted = []byte(`""`)
	}
	return strings.Replace(scriptRunner, "SOURCE", string(quoted), 1)
}

const scriptRunner = `(async (source) => {
	const AsyncFunction = (async () => {}).constructor;
	let run;
	try {
		run = new AsyncFunction('return (' + source + '\n)');
	} catch (e) {
		if (!(e instanceof SyntaxError)) throw e;
		try {
			run = new AsyncFunction(source);
		} catch (e) {
			// A page whose policy forbids this still lets a debugger evaluate.
			throw e;
		}
	}
	let value = await run.call(window);
	if (typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value))) value = await value();
	const seen = new WeakSet();
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
		if (seen.has(v)) return '[circular]';
		if (depth > 12) return '…';
		if (v instanceof Node) return v.nodeType === 1 ? v.cloneNode(false).outerHTML : '[' + v.nodeName + ']';
		if (v instanceof Error) return JSON.stringify(v.name + ': ' + v.message);
		if (v instanceof Date) return isNaN(v) ? 'Invalid Date' : JSON.stringify(v);
		if (v instanceof RegExp) return String(v);
		if (v instanceof Window) return '[window]';
		seen.add(v);
		try {
			if (v instanceof Map) return 'Map {' + Array.from(v, ([k, x]) => show(k, depth + 1) + ' => ' + show(x, depth + 1)).join(', ') + '}';
			if (v instanceof Set) return 'Set {' + Array.from(v, (x) => show(x, depth + 1)).join(', ') + '}';
			if (typeof v.toJSON === 'function') return show(v.toJSON(), depth + 1);
			if (Array.isArray(v) || ArrayBuffer.isView(v) || v instanceof NodeList || v instanceof HTMLCollection) return '[' + Array.from(v, (x) => show(x, depth + 1)).join(',') + ']';
			return '{' + Object.entries(v).map(([k, x]) => JSON.stringify(k) + ':' + show(x, depth + 1)).join(',') + '}';
		} finally {
			seen.delete(v);
		}
	};
	return show(value, 0);
})(SOURCE)`
