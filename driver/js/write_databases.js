// It is called with the list of databases.
(async (list) => {
CODING
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
})
