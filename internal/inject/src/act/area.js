// Areas of image maps: links without a box of their own, which are parts of a picture.

import { attr, closest, rectOf, rootOf } from '../safe.js';
import { queryAll } from '../locate.js';

/** The picture that an area is a part of; null where there is none, and for all else. */
export function pictureOf(area) {
  const map = closest(area, 'map');
  const name = map && (attr(map, 'name') || attr(map, 'id'));
  if (!name) return null;
  for (const picture of queryAll(rootOf(area), '[usemap]')) if (attr(picture, 'usemap') === '#' + name) return picture;
  return null;
}

/** The box around an area, where its picture is now. */
export function boxOfArea(area, picture) {
  const box = rectOf(picture);
  const style = getComputedStyle(picture);
  const left = box.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft);
  const top = box.top + parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop);
  const numbers = (attr(area, 'coords') || '').split(/[\s,;]+/).filter(Boolean).map(Number);
  if (numbers.length < 3 || numbers.some(Number.isNaN)) return box; // all of it
  if (/^circ/i.test(attr(area, 'shape') || '')) {
    const [x, y, r] = numbers;
    return new DOMRect(left + x - r, top + y - r, 2 * r, 2 * r);
  }
  const xs = numbers.filter((_, i) => i % 2 === 0);
  const ys = numbers.filter((_, i) => i % 2 === 1);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return new DOMRect(left + x, top + y, Math.max(...xs) - x, Math.max(...ys) - y);
}
