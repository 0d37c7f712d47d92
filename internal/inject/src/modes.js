// What is true of an element and of all that is inside it: bits that the walk hands down.

export const IN = 1 << 0; // all of it is on screen
export const OUT = 1 << 1; // none of it is
export const PART = 1 << 2; // some of it is; holds for the element alone
export const QUIET = 1 << 3; // aria-hidden: text does not count, what people can use does
export const UNSEEN = 1 << 4; // visibility:hidden
export const ROW = 1 << 5; // directly inside a flex row, where inline elements stay side by side
export const WIDGET = 1 << 6; // inside something operable: its cursor is no news
export const LABEL = 1 << 7; // inside a label: the cursor belongs to its control
export const DISABLED = 1 << 8; // inside something aria-disabled
export const LAYOUT = 1 << 9; // inside a table that only arranges
export const PRE = 1 << 10; // inside preformatted text
export const DRAWN = 1 << 11; // inside a drawing
export const FLOATS = 1 << 12; // inside something that lies over the page
