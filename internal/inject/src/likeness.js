// Likeness: names that differ by what comes and goes.

const MARKS = /^[\s*•·●○:▲▼△▽▴▾▸►◂↑↓⇅✓✔]+|[\s*•·●○:▲▼△▽▴▾▸►◂↑↓⇅✓✔]+$/g;

/** A name without the marks that come and go: of a required field, of the order of a column. */
export function unmarked(name) {
  return name.replace(MARKS, '').replace(/\s*\((?:required|optional)\)$/i, '');
}

// Figures that change by themselves, in whatever digits: (3), 3 left, Inbox · 3, $12.50, 40 %, 12:30:01.
const FIGURES =
  /[([（【]\s*\p{Nd}[\p{Nd}.,\s]*\+?[)\]）】]|^\p{Nd}[\p{Nd}.,]*\+?\s+(?=\p{L})|[·•]\s*\p{Nd}[\p{Nd}.,]*\+?$|\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\b|[$€£¥₹]\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:[$€£¥₹%]|(?:USD|EUR|GBP|CHF|JPY)\b)/giu;

/** A name without marks and such figures. A number that stands for something, as in "Order 12", stays. */
export function bare(name) {
  return unmarked(name.replace(FIGURES, ' ')).replace(/\s+/g, ' ').trim() || name;
}
