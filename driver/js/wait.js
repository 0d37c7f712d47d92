(async () => {
	for (;;) {
		const value = (%s);
		if (typeof value === 'function' ? await value() : await value) return true;
		await new Promise((resolve) => {
			const timer = setTimeout(resolve, 100);
			requestAnimationFrame(() => { clearTimeout(timer); resolve(); });
		});
	}
})()
