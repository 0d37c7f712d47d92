// Package house holds the rules of the house as tests: who may import whom,
// what a package must say of itself, how long a file may be, and that the
// documents tell the truth about the tree.
//
// The rules are data at the top of each test file, every exception with its
// reason beside it. Nothing here needs a browser, and nothing here is imported.
package house
