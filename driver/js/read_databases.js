(async () => {
CODING
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
})()
