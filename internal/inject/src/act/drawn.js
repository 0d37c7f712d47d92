// Drawn: how many shapes of drawings (lines between nodes, bars) came or went because of an action. A view says little of them,
// and whoever has drawn a line wants to know that it is there.

const SHAPE = 'path,line,polyline,polygon,rect,circle,ellipse';
const MOST = 1000; // of which account is kept
const ICON = 32; // px; a drawing is larger

let came = new Set();
let went = new Set();

/** Forgets what was. */
export function clean() {
  came = new Set();
  went = new Set();
}

/** Takes note of nodes that came to the page and of those that went. */
export function redrawn({ addedNodes, removedNodes }) {
  for (const n of addedNodes) for (const shape of shapes(n)) came.add(shape);
  for (const n of removedNodes) for (const shape of shapes(n)) went.add(shape);
}

function shapes(node) {
  if (!(node instanceof SVGElement) || came.size + went.size > MOST) return [];
  return node.matches(SHAPE) ? [node] : node.querySelectorAll(SHAPE);
}

/** How many more shapes there are now; less than 0 where there are fewer, 0 where there are as many or nobody could tell. */
export function drawn() {
  let n = 0;
  // Of what is gone nobody can tell how large it was: an icon that is drawn anew counts as one for one.
  for (const shape of came) if (shape.isConnected && !went.has(shape) && (went.size > 0 || large(shape))) n++;
  for (const shape of went) if (!shape.isConnected && !came.has(shape)) n--;
  const known = came.size + went.size <= MOST;
  clean();
  return known ? n : 0;
}

function large(shape) {
  const r = (shape.ownerSVGElement || shape).getBoundingClientRect();
  return Math.max(r.width, r.height) > ICON;
}
