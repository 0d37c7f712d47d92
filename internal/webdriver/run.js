const done = arguments[arguments.length - 1], given = arguments, name = %q;
let own = window[name];
if (!own) {
	const bring = %s;
	if (!bring) return done({lost: true});
	own = {frames: new WeakMap(), document: Math.random().toString(36).slice(2)};
	Object.defineProperty(window, name, {value: own, configurable: true});
	bring();
}
const rove = own.rove;
const state = () => {
	const list = [], first = document.querySelectorAll('iframe, frame');
	let next = %d;
	const take = el => {
		if (!el.contentWindow) return;
		let owner = own.frames.get(el);
		if (!owner) { owner = next++; own.frames.set(el, owner); rove.frames([owner], el); }
		list.push({owner, name: el.getAttribute('name') || ''});
		own.held = own.held || {};
		own.held[owner] = new WeakRef(el);
	};
	first.forEach(take);
	if (list.length < window.length) {
		const deep = root => root.querySelectorAll('*').forEach(el => { if (el.shadowRoot) { el.shadowRoot.querySelectorAll('iframe, frame').forEach(take); deep(el.shadowRoot); } });
		deep(document);
	}
	const nav = performance.getEntriesByType('navigation')[0];
	return {url: location.href, document: own.document, ready: document.readyState, status: nav && nav.responseStatus || 0, mime: document.contentType, frames: list};
};
const plain = v => JSON.stringify(v === undefined ? null : v, (k, x) =>
	typeof x === 'bigint' || typeof x === 'number' && !isFinite(x) ? String(x) : x instanceof Node ? {} : x === window ? null : x instanceof Set ? [...x] : x instanceof Map ? Object.fromEntries(x) : x);
const ends = %d;
const timer = ends > 0 ? setTimeout(() => done({late: true, state: state()}), ends) : 0;
(async () => %s)().then(
	v => { clearTimeout(timer); const json = %v; done(json ? {json: plain(v), state: state()} : {nodes: Array.from(v).filter(n => n instanceof Element), state: state()}); },
	e => { clearTimeout(timer); done({threw: e instanceof Error ? e.name + ': ' + e.message : 'Uncaught ' + plain(e), state: state()}); });
