// Package chrome drives Chrome, Chromium and their headless shells over the
// DevTools protocol: it implements the interfaces of package backend.
//
// # Who does what
//
//   - [Launch] starts a browser on a pipe and a profile of its own, [Connect]
//     joins one that runs.
//   - A [Browser] listens on the root session. Every page the browser opens is
//     attached to by itself, paused, set up in one write, and let go.
//   - A [Tab] has one queue for all of its sessions (the page, its
//     out-of-process frames, its workers), so that what it knows is always what
//     the browser said last: events.go brings it up to date, passon.go tells the
//     driver what the page does. Its tree holds the frames, by the rules noted in
//     tree.go.
//   - Every frame has a world: an isolated global in which rove's page script
//     runs. worlds.go follows them, owners.go tells a parent's script which of
//     its elements holds which frame, scan.go tells it what no script can see.
//
// # What ends a wait
//
// Whoever waits for an answer of the page also watches the tab's gate. A
// dialog, a crash or the end of the tab shuts it, with the reason.
package chrome
