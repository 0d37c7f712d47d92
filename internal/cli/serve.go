package cli

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"rove/internal/httpapi"
	"rove/internal/mcp"
	"rove/internal/session"
)

// defaultAddr is where rove serve listens.
const defaultAddr = "127.0.0.1:7683"

// serveFlags are the flags of rove serve.
type serveFlags struct {
	doorFlags
	addr, tokenFile string
	hosts, origins  []string
	most            int
	structured      bool
	warm            bool
}

func newServeCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve programs and MCP clients over HTTP",
		Long: `Serves sessions and tools as JSON over HTTP, and MCP over streamable HTTP at /mcp,
until it is interrupted. GET /openapi.json describes it.

  POST   /sessions               begin a session
  POST   /sessions/{id}/{tool}   run a tool in it: {"text", "data", "images"}
  GET    /sessions/{id}/events   follow what is done, as server-sent events
  DELETE /sessions/{id}          end it
  GET    /sessions               list them

It only listens on this machine, and refuses requests from web pages. To listen
elsewhere it wants a token (ROVE_TOKEN or --token-file), which every request then
has to carry: Authorization: Bearer TOKEN. Put TLS in front of it there.

What can be uploaded are files in the folders of --uploads, and what the session
itself downloaded.`,
		Example: `  rove serve
  rove serve --allow 'shop.example,*.shop.example' --secrets ~/.shop-secrets
  ROVE_TOKEN=… rove serve --addr 0.0.0.0:7683 --host rove.internal

  id=$(curl -s -H 'Content-Type: application/json' -d '{}' localhost:7683/sessions | jq -r .id)
  curl -s -H 'Content-Type: application/json' -d '{"url": "example.com"}' localhost:7683/sessions/$id/go | jq -r .text`,
		Args: noArgs("serve"),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	f.register(c, "all")
	c.Flags().StringVar(&f.addr, "addr", defaultAddr, "`HOST:PORT` to listen on; port 0 takes a free one")
	c.Flags().StringVar(&f.tokenFile, "token-file", "", "`FILE` with the token, which nobody else may read (default: ROVE_TOKEN)")
	c.Flags().StringSliceVar(&f.hosts, "host", nil, "further `NAMES` that the server goes by, such as that of a proxy in front")
	c.Flags().StringSliceVar(&f.origins, "cors", nil, "web `ORIGINS` whose pages may call, such as https://app.example")
	c.Flags().BoolVar(&f.structured, "structured", false, "over MCP, answer with data as well as text; clients that show both to the model pay twice")
	c.Flags().BoolVar(&f.warm, "warm", false, "start the browser at once, not at the first call")
	c.Flags().IntVar(&f.most, "max", session.DefaultMax, "`N` sessions at once at most")
	return c
}

// run serves until it is interrupted. Programs and agents share a browser.
func (f *serveFlags) run(c *cobra.Command) error {
	d, err := f.door(c, true)
	if err != nil {
		return err
	}
	token, err := readToken(f.tokenFile)
	if err != nil {
		return err
	}
	l, err := f.listen(token)
	if err != nil {
		return err
	}
	d.sessions.Max = f.most
	m := session.NewManager(d.sessions)
	if f.warm {
		m.Warm()
	}
	agents := mcp.New(mcp.Options{Tools: d.tools, Manager: m, Sessions: d.sessions, Defaults: d.defaults, Version: version(), Structured: f.structured})
	api := httpapi.Options{
		Sessions: m, Tools: d.tools, Defaults: d.defaults, MCP: agents.Handler(), Version: version(),
		Token: token, Hosts: f.hosts, Origins: f.origins, Most: f.most, Idle: d.sessions.Idle,
		Log: slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil)),
	}
	if f.headed { // somebody may be looking at it
		api.Idle = -1
	}
	s := httpapi.New(api)
	fmt.Fprintf(c.OutOrStdout(), "listening on http://%s\n", l.Addr())
	err = s.Serve(c.Context(), l)
	return errors.Join(err, s.Close(), agents.Close(), m.Close())
}

// listen begins to, unless that would be a wrong way to serve, which is never open.
func (f *serveFlags) listen(token string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(f.addr); err != nil {
		return nil, &usageError{fmt.Errorf("--addr %q: write it as HOST:PORT, such as %s", f.addr, defaultAddr)}
	}
	if err := httpapi.CheckToken(f.addr, token); err != nil {
		return nil, &usageError{err}
	}
	l, err := net.Listen("tcp", f.addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("something listens on %s already, perhaps another rove serve; another port: --addr 127.0.0.1:0 takes a free one", f.addr)
	}
	return l, err
}

// readToken reads the token from a file that nobody else may read, or from the
// environment. A flag would show it to everybody who lists processes.
func readToken(path string) (string, error) {
	if path == "" {
		return os.Getenv("ROVE_TOKEN"), nil
	}
	text, err := ownFile(path)
	return strings.TrimSpace(text), err
}

// ownFile reads a small file that only its owner may read.
func ownFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("others can read %s; make it yours alone: chmod 600 %s", path, path)
	}
	text, err := io.ReadAll(io.LimitReader(f, 4096))
	return string(text), err
}
