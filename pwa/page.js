({
  // workers tells of the service workers of this origin, and which of them
  // controls the page.
  async workers() {
    const out = { url: location.href, origin: location.origin, secure: isSecureContext, online: navigator.onLine, list: [] };
    const container = navigator.serviceWorker;
    if (!container) return out;
    out.controller = container.controller ? container.controller.scriptURL : "";
    const worker = (w) => w && { script: w.scriptURL, state: w.state };
    let all = [];
    try {
      all = await container.getRegistrations();
    } catch (e) {
      out.error = String(e.message || e); // a sandboxed page has none
    }
    for (const r of all) {
      out.list.push({
        scope: r.scope,
        installing: worker(r.installing),
        waiting: worker(r.waiting),
        active: worker(r.active),
        // The page's own registration is the one whose active worker is its controller.
        controls: !!container.controller && container.controller === r.active,
        navigation_preload: r.navigationPreload ? (await r.navigationPreload.getState().catch(() => ({}))).enabled === true : false,
      });
    }
    return out;
  },

  // update fetches a registration's script again, and waits until a worker that is
  // new has been installed. Like the two below it answers what went wrong.
  async update(scope) {
    const r = (await navigator.serviceWorker.getRegistrations()).find((r) => r.scope === scope);
    if (!r) return "it is not there any more";
    try {
      await r.update();
    } catch (e) {
      return String(e.message || e);
    }
    const w = r.installing;
    if (w) {
      await new Promise((done) => {
        const look = () => w.state !== "installing" && done();
        w.addEventListener("statechange", look);
        look();
      });
      if (w.state === "redundant") return "the new worker could not be installed";
    }
    return "";
  },

  // skip_waiting waits until the worker that waited, and was told not to, is active.
  async skip_waiting(scope) {
    const r = (await navigator.serviceWorker.getRegistrations()).find((r) => r.scope === scope);
    if (!r) return "it is not there any more";
    const w = r.waiting || r.active;
    await new Promise((done) => {
      const look = () => (w.state === "activated" || w.state === "redundant") && done();
      w.addEventListener("statechange", look);
      look();
    });
    return w.state === "redundant" ? "the worker could not be activated" : "";
  },

  async unregister(scope) {
    const r = (await navigator.serviceWorker.getRegistrations()).find((r) => r.scope === scope);
    return r && !(await r.unregister()) ? "the browser refused" : "";
  },

  // caches lists Cache Storage: every cache, the first so many entries of each.
  async caches(most) {
    if (typeof caches === "undefined") return [];
    const list = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const keys = await cache.keys();
      const entries = [];
      for (const request of keys.slice(0, most)) {
        const r = await cache.match(request);
        if (!r) continue; // it went meanwhile
        entries.push({
          method: request.method, url: request.url, status: r.status, type: r.headers.get("content-type") || "",
          size: Number(r.headers.get("content-length")) || 0, opaque: r.type === "opaque",
        });
      }
      list.push({ name, count: keys.length, entries });
    }
    return list;
  },
})
