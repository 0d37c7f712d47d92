// Drop zones: whether the page would take what is held over it. Where it would not, the browser opens what is dropped.

let over = null; // the last dragover
let listening = false;

/** key: 'begin' begins to watch; else it says whether what is held was welcome. */
export function zone({ key }) {
  if (key === 'begin') {
    over = null;
    if (!listening) addEventListener('dragover', (ev) => (over = ev.isTrusted ? ev : over), true);
    listening = true;
    return { ok: true };
  }
  const welcome = over !== null && over.defaultPrevented;
  over = null;
  return { ok: true, checked: welcome };
}
