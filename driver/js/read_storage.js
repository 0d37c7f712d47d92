(async () => {
	const names = async (list) => { try { return await list() } catch { return [] } };
	return {
		local: {...localStorage}, session: {...sessionStorage},
		databases: await names(async () => (await indexedDB.databases()).map((d) => d.name)),
		caches: await names(() => caches.keys()),
	};
})()
