// Package network is what a browser context loads: every request of its pages,
// frames and workers, their answers, where those came from, what they cost and
// why they failed.
//
// A Log is fed the raw events of the protocol and keeps them as they came,
// request by request; it reads them only when somebody asks. So a page with
// thousands of requests pays next to nothing, and the order in which the browser
// reports things (the headers that really left may come before the request, or
// after its end) does not matter: when they are read, they are all there.
//
//	events ──► Log.Event: whose is it, which request ──► record {raw events}
//	                                                        │
//	Requests, Body, HAR ◄── Request ◄── read (assemble.go) ◄┘
//
// A browser gives a request one id wherever it is told of. The request for a
// worker's script begins in the page's session and ends in the worker's; a frame
// that moves to another process takes its document's request along. So a record
// is found by the request's id alone, and what two sessions tell is told once. A
// request that a service worker answers and the one that the worker then makes
// have two ids and are two requests.
package network
