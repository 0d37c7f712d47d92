// Package daemon keeps browsers warm behind the command line.
//
// The first `rove look` starts a process in the background; it and the commands
// after it talk to that process over a socket, one connection a call, so that a
// call costs milliseconds and the page stays open between two of them.
//
//	rove look ──▶ Client.Do ──▶ daemon.sock ──▶ Serve ──▶ tool table ──▶ session
//	              │ none there: Start, under a lock, so that many give one
//
// The files are in one directory, for the user alone: daemon.sock, daemon.lock
// (held locked for as long as the daemon lives, however that ends), daemon.json
// (whose it is) and daemon.log. Both sides ask the system who is at the other
// end, and talk to nobody but their own user.
//
// The daemon ends by itself when nobody called for a while and no session is
// left, on Stop, on a signal, or when a newer rove calls and it has no session.
package daemon
