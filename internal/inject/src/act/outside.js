// Addresses that are for other programs: tel:, mailto:, an app's own. The browser
// asks a person whether to open one, in a window that takes all input of the tab
// until it is answered; nobody would. So a page does not get that far.

const OURS = /^(?:https?|wss?|about|blob|data|file|filesystem|ftp|javascript|view-source|devtools|chrome(?:-[a-z]+)?):/i;

let refused = '';

// A browser without it has nothing to hold on to; in a document of another kind it may be missing.
globalThis.navigation?.addEventListener('navigate', (ev) => {
  const { url } = ev.destination;
  if (!ev.cancelable || OURS.test(url)) return;
  ev.preventDefault();
  refused = url;
});

/** The address for another program that was asked for since the last time, and not opened; '' where none was. */
export function outside() {
  const url = refused;
  refused = '';
  return url;
}
