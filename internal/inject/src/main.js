// The page script's one global, in its isolated world only.

import { setClosedRoot } from './dom.js';
import { addListeners } from './clickable.js';
import { describe } from './describe.js';
import { look } from './look.js';
import { setFrames } from './frames.js';
import { elementOf } from './refs.js';
import { suspects } from './suspects.js';

globalThis.rove = Object.freeze({
  look,
  describe,
  suspects,
  /** The element a ref stands for, or null. For the host, which wants the object. */
  element: elementOf,
  frames: setFrames,
  shadow(...pairs) {
    for (let i = 0; i + 1 < pairs.length; i += 2) setClosedRoot(pairs[i], pairs[i + 1]);
  },
  listeners: addListeners,
});
