package driver

import (
	"context"
	"maps"
	"slices"

	"rove/driver/backend"
	"rove/internal/wire"
)

// Databases are the IndexedDB databases of an origin, as files of other tools have
// them: a list of name, version and stores with their indexes and records. What JSON
// cannot say of a record (a Date, a Map, bytes) is in keyEncoded and valueEncoded.
type Databases = []any

// coding has what scripts need to write values down, and to read them again.
const coding = `
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
`

const readDatabases = `(async () => {` + coding + `
	const out = [], lost = [];
	const record = async (k, v, inline) => {
		const r = {};
		if (!inline) Object.assign(r, plain(k) ? { key: k } : { keyEncoded: await encode(k) });
		return Object.assign(r, plain(v) ? { value: v } : { valueEncoded: await encode(v) });
	};
	for (const { name } of await indexedDB.databases()) {
		const db = await done(indexedDB.open(name));
		const one = { name, version: db.version, stores: [] };
		for (const s of db.objectStoreNames) {
			const store = db.transaction(s).objectStore(s);
			const path = (p) => Array.isArray(p) ? { keyPathArray: p } : p === null ? {} : { keyPath: p };
			const to = { name: s, autoIncrement: store.autoIncrement, ...path(store.keyPath), records: [],
				indexes: [...store.indexNames].map((n) => store.index(n)).map((i) => ({ name: i.name, ...path(i.keyPath), multiEntry: i.multiEntry, unique: i.unique })) };
			const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
			for (let i = 0; i < keys.length; i++) {
				try { to.records.push(await record(keys[i], values[i], store.keyPath !== null)) } catch (e) { lost.push(name + '/' + s + ': ' + e.message) }
			}
			one.stores.push(to);
		}
		db.close();
		out.push(one);
	}
	return { out, lost: [...new Set(lost)] };
})()`

// writeDatabases is called with the list of databases.
const writeDatabases = `(async (list) => {` + coding + `
	for (const d of list) {
		const there = (await indexedDB.databases()).find((x) => x.name === d.name);
		const r = indexedDB.open(d.name, Math.max(d.version || 1, there ? there.version : 1));
		r.onupgradeneeded = () => {
			for (const s of d.stores) {
				if (r.result.objectStoreNames.contains(s.name)) continue;
				const path = (x) => x.keyPathArray || (x.keyPath === undefined ? null : x.keyPath);
				const store = r.result.createObjectStore(s.name, { keyPath: path(s), autoIncrement: !!s.autoIncrement });
				for (const i of s.indexes || []) store.createIndex(i.name, path(i), { multiEntry: !!i.multiEntry, unique: !!i.unique });
			}
		};
		const db = await done(r);
		for (const s of d.stores) {
			if (!db.objectStoreNames.contains(s.name)) throw new Error('the database ' + d.name + ' is there already, without the store ' + s.name);
			const tx = db.transaction(s.name, 'readwrite'), store = tx.objectStore(s.name);
			for (const x of s.records || []) {
				const v = 'valueEncoded' in x ? decode(x.valueEncoded) : x.value;
				if (store.keyPath !== null) store.put(v); else store.put(v, 'keyEncoded' in x ? decode(x.keyEncoded) : x.key);
			}
			await new Promise((yes, no) => { tx.oncomplete = yes; tx.onabort = tx.onerror = () => no(tx.error) });
		}
		db.close();
	}
	return true;
})`

// Databases reads the IndexedDB databases of origins, whether or not one of their
// pages is open. Those without any are left out. lost says, by origin, what could not
// be read: values that are no data, such as keys that may not leave the browser.
func (d *Driver) Databases(ctx context.Context, origins ...string) (all map[string]Databases, lost map[string][]string, err error) {
	all, lost = make(map[string]Databases), make(map[string][]string)
	err = d.visit(ctx, origins, func(t backend.Tab, origin string) error {
		data, err := t.Eval(ctx, "", readDatabases)
		if err != nil {
			return err
		}
		var r struct {
			Out  Databases `json:"out"`
			Lost []string  `json:"lost"`
		}
		if err := wire.Unmarshal(data, &r); err != nil {
			return err
		}
		if len(r.Lost) > 0 {
			lost[origin] = r.Lost
		}
		if len(r.Out) > 0 {
			all[origin] = r.Out
		}
		return nil
	})
	return all, lost, err
}

// SetDatabases puts records into the databases of origins, which are made where they
// are not there. No page of theirs needs to be open, or is loaded.
func (d *Driver) SetDatabases(ctx context.Context, databases map[string]Databases) error {
	return d.visit(ctx, slices.Sorted(maps.Keys(databases)), func(t backend.Tab, origin string) error {
		list, err := wire.Marshal(databases[origin])
		if err == nil {
			_, err = t.Eval(ctx, "", writeDatabases+"("+string(list)+")")
		}
		return err
	})
}

// SessionStorage reads the session storage of the tabs that are open, by origin. Of
// two tabs of one origin it is that of the current one, or the one opened last.
func (d *Driver) SessionStorage(ctx context.Context) (map[string]map[string]string, error) {
	all := make(map[string]map[string]string)
	for _, t := range append(d.Tabs(), d.Tab()) {
		origin := Origin(t.URL())
		if origin == "" {
			continue
		}
		data, err := t.tab.Eval(ctx, "", "Object.keys(sessionStorage).map((k) => [k, sessionStorage.getItem(k)])")
		if err != nil {
			return nil, d.failed("storage", err)
		}
		var pairs [][2]string
		if err := wire.Unmarshal(data, &pairs); err != nil || len(pairs) == 0 {
			continue
		}
		all[origin] = make(map[string]string, len(pairs))
		for _, p := range pairs {
			all[origin][p[0]] = p[1]
		}
	}
	return all, nil
}

// SetSessionStorage puts entries into the session storage that the current tab has of
// origins. A tab that shows a page is left where it is: there the entries of other
// origins than the page's are not set, and those are told.
func (d *Driver) SetSessionStorage(ctx context.Context, entries map[string]map[string]string) (left []string, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	t := d.Tab()
	put := func(b backend.Tab, origin string) error {
		var pairs [][2]string
		for k, v := range entries[origin] {
			pairs = append(pairs, [2]string{k, v})
		}
		data, err := wire.Marshal(pairs)
		if err == nil {
			_, err = b.Eval(ctx, "", "for (const [k, v] of "+string(data)+") sessionStorage.setItem(k, v)")
		}
		return err
	}
	origins := slices.Sorted(maps.Keys(entries))
	if at := Origin(t.URL()); t.URL() != "about:blank" {
		for _, o := range origins {
			if o != at {
				left = append(left, o)
			} else if err := put(t.tab, o); err != nil {
				return nil, d.failed("storage", err)
			}
		}
		return left, nil
	}
	if err := d.visitIn(ctx, t.tab, origins, put); err != nil {
		return nil, err
	}
	if _, err := t.tab.Navigate(ctx, "about:blank", backend.NavigateOptions{}); err != nil {
		return nil, d.failed("storage", err)
	}
	return nil, nil
}
