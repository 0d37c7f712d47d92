async function(...elements) {
const _ = elements[0];
const end = performance.now() + %d;
for (let error = '';;) {
	try {
		let value = await (async () => (%s
))();
		if (%t && typeof value === 'function') value = await value(...elements);
		if (value) return {ok: true, error: ''};
		error = '';
	} catch (e) { error = String(e); }
	if (performance.now() >= end) return {ok: false, error};
	await new Promise((resolve) => {
		const timer = setTimeout(resolve, 50);
		requestAnimationFrame(() => { clearTimeout(timer); resolve(); });
	});
}
}
