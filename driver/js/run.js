async (run) => {
	const tag = (v) => Object.prototype.toString.call(v).slice(8, -1);
	const own = (v) => Function.prototype.toString.call(v);
	const above = new Set();
	let left = 200000; // values, which is more than anybody reads
	const html = (v) => '<' + v.localName + Array.from(v.attributes, (a) => ' ' + a.name + '=' + JSON.stringify(a.value)).join('') + '>' + (/^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(v.localName) ? '' : '</' + v.localName + '>');
	const show = (v, depth) => {
		if (--left < 0) return '…';
		switch (typeof v) {
			case 'undefined': return 'undefined';
			case 'bigint': return v + 'n';
			case 'symbol': return String(v);
			case 'function': return (/^class\b/.test(own(v)) ? '[class ' : '[function ') + (v.name || 'anonymous') + ']';
			case 'number': return Object.is(v, -0) ? '-0' : String(v);
			case 'string': case 'boolean': return JSON.stringify(v);
		}
		if (v === null) return 'null';
		if (above.has(v)) return '[circular]';
		if (depth > 20) return '…';
		above.add(v);
		try {
			return object(v, depth);
		} catch (e) {
			return '[unreadable]';
		} finally {
			above.delete(v);
		}
	};
	const object = (v, depth) => {
		const each = (list) => Array.from(list, (x) => show(x, depth + 1)).join(',');
		if (v === window) return '[window]';
		if (v instanceof Node) return v.nodeType === 1 ? html(v) : v.nodeType === 9 ? '[document ' + v.URL + ']' : '[' + v.nodeName + (v.data === undefined ? '' : ' ' + JSON.stringify(v.data)) + ']';
		if (v instanceof Error) return JSON.stringify(v.name + ': ' + v.message);
		if (v instanceof Date) return isNaN(v) ? 'Invalid Date' : JSON.stringify(v.toISOString());
		if (v instanceof RegExp) return String(v);
		if (v instanceof Promise) return '[Promise]';
		if (v instanceof Map) return 'Map {' + Array.from(v, ([k, x]) => show(k, depth + 1) + ' => ' + show(x, depth + 1)).join(', ') + '}';
		if (v instanceof Set) return 'Set {' + each(v) + '}';
		if (v instanceof Number || v instanceof String || v instanceof Boolean) return show(v.valueOf(), depth + 1);
		if (typeof v.toJSON === 'function') return show(v.toJSON(), depth + 1);
		if (Array.isArray(v) || (ArrayBuffer.isView(v) && !(v instanceof DataView))) return '[' + each(v) + ']';
		if (typeof v.length === 'number' && typeof v[Symbol.iterator] === 'function') return '[' + each(v) + ']';
		const keys = Object.keys(v);
		const kind = tag(v);
		if (keys.length === 0 && kind !== 'Object') return '[' + kind + ']';
		return '{' + keys.map((k) => {
			let x;
			try {
				x = v[k];
			} catch (e) {
				return JSON.stringify(k) + ':[throws]';
			}
			return JSON.stringify(k) + ':' + show(x, depth + 1);
		}).join(',') + '}';
	};
	const kind = (v) => {
		if (v === null) return 'null';
		if (typeof v !== 'object') return typeof v;
		try {
			if (Array.isArray(v)) return 'array';
			if (v instanceof Node) return v.nodeType === 1 ? 'element' : 'node';
			for (const c of [Date, Map, Set, Promise, Error]) if (v instanceof c) return c.name.toLowerCase();
		} catch (e) {}
		return 'object';
	};
	try {
		let value = await run();
		if (CALL && typeof value === 'function' && !/^class\b/.test(own(value))) value = await value();
		return { text: show(value, 0), type: kind(value) };
	} catch (e) {
		const error = e !== null && typeof e === 'object' && 'message' in e;
		let thrown = 'something that cannot be read was thrown';
		let stack = '';
		try {
			thrown = error ? e.name + ': ' + e.message : 'thrown: ' + show(e, 0);
			stack = error ? String(e.stack || '') : '';
		} catch (again) {}
		return { thrown, stack };
	}
}
