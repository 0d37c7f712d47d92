// Package bidi is the backend for browsers that speak WebDriver BiDi; it starts
// Firefox. What is the same for a page in every browser comes from internal/anypage,
// the connection with its order of events and answers from cdp: here is only what BiDi
// calls things.
//
// One session is one browser. A user context is a backend.Context, a top-level browsing
// context a Tab, the others are its frames. The page script runs in a sandbox of a random
// name, which the page cannot see, and is put there by a preload script.
package bidi
