(async () => {
	localStorage.clear();
	sessionStorage.clear();
	const each = async (list, remove) => { try { for (const name of await list()) await remove(name) } catch {} };
	await each(async () => (await indexedDB.databases()).map((d) => d.name), (name) => new Promise((done) => {
		const r = indexedDB.deleteDatabase(name);
		r.onsuccess = r.onerror = r.onblocked = done;
	}));
	await each(() => caches.keys(), (name) => caches.delete(name));
	return true;
})()
