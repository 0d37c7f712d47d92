package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestServeRefuses: what would be open to others, or makes no sense, never
// listens.
func TestServeRefuses(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	open := file("open", "a-token-that-nobody-can-guess", 0o644)
	short := file("short", "abc", 0o600)
	secrets := file("secrets", "A@*=hunter22", 0o640)
	for _, c := range []struct{ args, want string }{
		{"--addr 0.0.0.0:0", "set a token"},
		{"--addr :0", "set a token"},
		{"--addr [::]:0", "set a token"},
		{"--addr 0.0.0.0:0 --token-file " + short, "shorter than"},
		{"--token-file " + open, "chmod 600"},
		{"--secrets " + secrets, "chmod 600"},
		{"--allow https://a.example/path", "it has a path"},
		{"--block a.*.example", "whole host"},
		{"--tools none", "no set of tools"},
		{"here", "serve"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		root := newRootCommand()
		root.SetArgs(append([]string{"serve"}, strings.Fields(c.args)...))
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		err := root.ExecuteContext(ctx)
		cancel()
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter") {
			t.Errorf("serve %s: %v", c.args, err)
		}
	}
}

// TestServe: one address for programs and for MCP clients, and an end in order.
func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	root := newRootCommand()
	root.SetArgs([]string{"serve", "--addr", "127.0.0.1:0", "--browser", "/no/such/browser"})
	root.SetOut(in)
	root.SetErr(io.Discard)
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	at := strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	ask := func(method, path, body string, want int, part string) {
		t.Helper()
		r, err := http.NewRequest(method, at+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
		a, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		if err != nil || a.StatusCode != want || !strings.Contains(string(text), part) {
			t.Errorf("%s %s: %d %s %v", method, path, a.StatusCode, text, err)
		}
	}
	ask("POST", "/sessions", "{}", 201, `"id"`)
	ask("GET", "/sessions", "", 200, `"sessions"`)
	ask("GET", "/openapi.json", "", 200, `"/sessions/{id}/look"`)
	ask("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, 200, `"serverInfo"`)
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
}
