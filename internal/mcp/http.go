package mcp

import (
	"cmp"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove/internal/session"
)

// mostBody bounds a request, of which the longest are scripts for eval.
const mostBody = 4 << 20

// Handler serves MCP over streamable HTTP. Whoever can reach it can drive the
// browser: it stands behind the guard of internal/httpapi.
func (s *Server) Handler() http.Handler {
	idle := cmp.Or(s.opts.Sessions.Idle, session.DefaultIdle)
	if idle < 0 || s.opts.Sessions.Browser.Headed {
		idle = 0 // never
	}
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		SessionTimeout:      idle,
		MaxRequestBodyBytes: mostBody,
	})
}
