({
	queryAll(root, token) {
		PAGE_SCRIPT
		// What is logged here is told to nobody but rove, as a handle of this world.
		console.debug(token, {});
		return [];
	},
})
