// Package cdp is raw access to a browser's DevTools protocol: a connection,
// its sessions, and calls that keep order.
//
//	conn := cdp.New(transport)
//	s := conn.Root()
//	var v struct{ Product string }
//	err := s.Call(ctx, "Browser.getVersion", nil, &v)
//
// # Order
//
// When a call returns, every event the browser sent before its reply has been
// handled. Sessions that belong together (a page, its frames, its workers)
// share a Queue; one goroutine takes the queue's messages in the order they
// came, hands events to their session's handler and completes calls. A handler
// must not wait for a call on its own queue; it may start one.
//
// # Batches
//
// Start sends several commands in one write and does not wait:
//
//	pending := conn.Start(
//		s.Command("Page.enable", nil),
//		s.Command("Runtime.enable", nil),
//	)
//	for _, p := range pending { err = p.Wait(ctx, nil) }
//
// A batch on an idle connection is exactly one write; Conn.Stats counts them.
//
// # Ends
//
// Every call ends: with its reply, with its context, with its session (Detach,
// ErrSessionGone), with a page's crash (Abort), or with the connection
// (ErrClosed). A message that cannot be understood ends the connection, since
// some call might otherwise wait for ever.
package cdp
