package mcp

// For the tests, which have a package of their own because they run the whole
// program.
var (
	ServeTransport = (*Server).serve
	Refusal        = refusal
)
