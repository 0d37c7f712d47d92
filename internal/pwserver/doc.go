// Package pwserver drives browsers through a Playwright server: it speaks the wire
// protocol of playwright-core, of one minor version, over a websocket. It starts such a
// server with Node where it is asked to, or connects to one that runs.
//
// Objects of the protocol are known by guid. Two ways of its own lead to what the
// protocol does not offer by name:
//
//   - The world of the page script is Playwright's own isolated one ("utility"). The
//     page script gets there as a selector engine that runs as a content script; what the
//     engine then logs there gives a handle of that world, and with such a handle scripts
//     are evaluated in it.
//   - With Chromium, a session of its DevTools protocol is opened for a page, for what no
//     message of Playwright's changes once a page is open: user agent, language, time
//     zone, window, closed shadow roots.
package pwserver
