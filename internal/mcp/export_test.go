package mcp

// ServeTransport is Serve on a transport of the test's own.
var ServeTransport = (*Server).serve
