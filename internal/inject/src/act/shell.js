// A page that is only the shell of an application: its scripts are there, and what they are to show has not come.

import { documentBody, documentElement, query, rendered } from '../safe.js';

const THINGS = 'canvas,img,video,iframe,input,button,select,textarea,[role="button"],[role="textbox"]';

/** Whether scripts of its own are to fill a page. */
export function filledByScripts() {
  return query(documentElement(), 'script[src]') !== null;
}

/** Whether a page shows nothing to read or use. A link within the page, past its menu, is nothing yet. */
export function bare() {
  const body = documentBody();
  if (!body) return true;
  for (const el of body.querySelectorAll(THINGS)) if (rendered(el)) return false;
  let words = body.innerText;
  for (const link of body.querySelectorAll('a[href^="#"]')) words = words.replace(link.innerText, '');
  return !/[\p{L}\p{N}]/u.test(words);
}
