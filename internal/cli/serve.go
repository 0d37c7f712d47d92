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
	"time"

	"github.com/spf13/cobra"

	"rove"
	"rove/internal/httpapi"
	"rove/internal/mcp"
	"rove/internal/session"
	"rove/internal/tool"
)

// defaultAddr is where rove serve listens.
const defaultAddr = "127.0.0.1:7683"

func newServeCommand() *cobra.Command {
	var (
		api                              httpapi.Options
		browser                          rove.Options
		rules                            policyFlags
		addr, tokenFile, tools, viewport string
		budget, most                     int
		idle                             time.Duration
		memory                           size
		structured                       bool
	)
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
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if api.Tools, err = tool.Set(tools); err != nil {
				return &usageError{err}
			}
			if viewport != "" {
				if browser.Viewport, err = rove.ParseViewport(viewport); err != nil {
					return &usageError{fmt.Errorf("--viewport %q: write it as WIDTHxHEIGHT, such as 1280x720", viewport)}
				}
			}
			if api.Defaults.Budget, err = parseBudget(budget, c.Flags().Changed("budget")); err != nil {
				return err
			}
			if err := rules.apply(&browser, true); err != nil {
				return err
			}
			if api.Tools, err = tool.Able(api.Tools, browser.Caps); err != nil {
				return &usageError{err}
			}
			if api.Token, err = readToken(tokenFile); err != nil {
				return err
			}
			if idle <= 0 {
				idle = -1
			}
			browser.Progress = c.ErrOrStderr()
			api.Version, api.Idle, api.Most = version(), idle, most
			if browser.Headed {
				api.Idle = -1
			}
			api.Log = slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil))

			if _, _, err := net.SplitHostPort(addr); err != nil {
				return &usageError{fmt.Errorf("--addr %q: write it as HOST:PORT, such as %s", addr, defaultAddr)}
			}
			// Before anything listens: a wrong way to serve is never open.
			if err := httpapi.CheckToken(addr, api.Token); err != nil {
				return &usageError{err}
			}
			l, err := net.Listen("tcp", addr)
			if errors.Is(err, syscall.EADDRINUSE) {
				return fmt.Errorf("something listens on %s already, perhaps another rove serve; another port: --addr 127.0.0.1:0 takes a free one", addr)
			}
			if err != nil {
				return err
			}
			sessions := session.Options{Browser: browser, Idle: idle, Max: most, MaxMemory: int64(memory)}
			m := session.NewManager(sessions)
			api.Sessions = m
			agents := mcp.New(mcp.Options{Tools: api.Tools, Manager: m, Sessions: sessions, Defaults: api.Defaults, Version: version(), Structured: structured})
			api.MCP = agents.Handler()
			s := httpapi.New(api)
			fmt.Fprintf(c.OutOrStdout(), "listening on http://%s\n", l.Addr())
			err = s.Serve(c.Context(), l)
			return errors.Join(err, s.Close(), agents.Close(), m.Close())
		},
	}
	f := c.Flags()
	f.StringVar(&addr, "addr", defaultAddr, "`HOST:PORT` to listen on; port 0 takes a free one")
	f.StringVar(&tokenFile, "token-file", "", "`FILE` with the token, which nobody else may read (default: ROVE_TOKEN)")
	f.StringSliceVar(&api.Hosts, "host", nil, "further `NAMES` that the server goes by, such as that of a proxy in front")
	f.StringSliceVar(&api.Origins, "cors", nil, "web `ORIGINS` whose pages may call, such as https://app.example")
	f.StringVar(&tools, "tools", "all", "the `SETS` of tools to offer, with commas, or all: "+strings.Join(tool.Sets(), ", "))
	f.BoolVar(&browser.Headed, "headed", !headless(), "show the browser's window")
	f.StringVar(&browser.Browser, "browser", "", "`WHICH` browser: shell, chrome, or the path of an executable (default: what is there)")
	f.StringVar(&viewport, "viewport", "", "size of the page as `WxH` (default 1280x720)")
	f.IntVar(&budget, "budget", 0, "`TOKENS` at most of a look that does not say (default 1,500; 0: everything)")
	f.DurationVar(&idle, "idle", session.DefaultIdle, "end a session after `DURATION` without a call; 0: never")
	f.StringVar(&browser.Profile, "profile", "", "`DIR` to keep cookies, storage and all in, from one time to the next; for one session at a time")
	_ = c.MarkFlagDirname("profile")
	markOfSession(c, "browser", "headed", "viewport", "profile")
	f.BoolVar(&structured, "structured", false, "over MCP, answer with data as well as text; clients that show both to the model pay twice")
	f.IntVar(&most, "max", session.DefaultMax, "`N` sessions at once at most")
	memory.register(c)
	rules.register(c)
	return c
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
