// What scripts need to write values down, and to read them again.
const bytes = (b) => { let s = ''; for (const x of new Uint8Array(b)) s += String.fromCharCode(x); return btoa(s) };
const buffer = (s) => Uint8Array.from(atob(s), (c) => c.charCodeAt(0)).buffer;
const plain = (v, deep = 0) => v === null || typeof v === 'string' || typeof v === 'boolean' || typeof v === 'number' && Number.isFinite(v) && !Object.is(v, -0)
	|| deep < 100 && typeof v === 'object' && (Array.isArray(v) ? Object.keys(v).length === v.length && v.every((x) => plain(x, deep + 1))
		: Object.getPrototypeOf(v) === Object.prototype && !Object.keys(v).includes('__proto__') && Object.values(v).every((x) => plain(x, deep + 1)));
const encode = async (v, deep = 0) => {
	if (deep > 100) throw new Error('too deep');
	const all = (list) => Promise.all(list.map((x) => encode(x, deep + 1)));
	if (v === undefined || typeof v === 'number' && (!Number.isFinite(v) || Object.is(v, -0))) return { v: Object.is(v, -0) ? '-0' : String(v) };
	if (typeof v === 'bigint') return { bi: String(v) };
	if (v === null || typeof v !== 'object') return { p: v };
	if (v instanceof Date) return { d: v.getTime() };
	if (v instanceof RegExp) return { r: { p: v.source, f: v.flags } };
	if (v instanceof Map) return { m: await all([...v].map(([k, x]) => [k, x])) };
	if (v instanceof Set) return { se: await all([...v]) };
	if (v instanceof ArrayBuffer) return { ab: bytes(v) };
	if (ArrayBuffer.isView(v)) return { ta: { b: bytes(v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength)), k: v.constructor.name } };
	if (v instanceof File) return { f: { b: bytes(await v.arrayBuffer()), t: v.type, n: v.name, m: v.lastModified } };
	if (v instanceof Blob) return { bl: { b: bytes(await v.arrayBuffer()), t: v.type } };
	if (Array.isArray(v)) return { a: await all(v) };
	if (Object.getPrototypeOf(v) !== Object.prototype) throw new Error('a ' + v.constructor.name);
	return { o: await all(Object.entries(v)) };
};
const decode = (e) => {
	if ('v' in e) return e.v === 'undefined' ? undefined : Number(e.v);
	if ('bi' in e) return BigInt(e.bi);
	if ('p' in e) return e.p;
	if ('d' in e) return new Date(e.d);
	if ('r' in e) return new RegExp(e.r.p, e.r.f);
	if ('m' in e) return new Map(e.m.map(decode));
	if ('se' in e) return new Set(e.se.map(decode));
	if ('ab' in e) return buffer(e.ab);
	if ('ta' in e) return new globalThis[/^(Int|Uint|Float|Big|DataView)\w*$/.test(e.ta.k) ? e.ta.k : 'Uint8Array'](buffer(e.ta.b));
	if ('f' in e) return new File([buffer(e.f.b)], e.f.n, { type: e.f.t, lastModified: e.f.m });
	if ('bl' in e) return new Blob([buffer(e.bl.b)], { type: e.bl.t });
	if ('a' in e) return e.a.map(decode);
	if ('o' in e) { const o = {}; for (const [k, v] of e.o.map(decode)) Object.defineProperty(o, k, { value: v, writable: true, enumerable: true, configurable: true }); return o }
	throw new Error('a value in a form that is not known');
};
const done = (r) => new Promise((yes, no) => { r.onsuccess = () => yes(r.result); r.onerror = () => no(r.error); r.onblocked = () => no(new Error('another page has it open')) });
