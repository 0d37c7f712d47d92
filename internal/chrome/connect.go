package chrome

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// ConnectPage joins a running browser at the websocket address of one of its
// tabs, and gives that tab: its context, which is the user's own, and its id.
// Close leaves the browser and the tab as they are.
func ConnectPage(ctx context.Context, address string) (*Browser, *Context, string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, nil, "", fmt.Errorf("chrome: connect to %s: %w", address, err)
	}
	id, ok := PageID(address)
	if !ok {
		return nil, nil, "", fmt.Errorf("chrome: connect to %s: that is no tab's address; it ends in /devtools/page/ID", address)
	}
	whole, err := browserAddress(ctx, u)
	if err != nil {
		return nil, nil, "", fmt.Errorf("chrome: connect to %s: %w", address, err)
	}
	b, err := Connect(ctx, whole)
	if err != nil {
		return nil, nil, "", err
	}
	t, err := b.tab(ctx, id)
	if err != nil {
		_ = b.Close()
		return nil, nil, "", fmt.Errorf("chrome: connect to %s: no such tab: %w", address, err)
	}
	return b, t.context, id, nil
}

// PageID is the id of the tab that a websocket address is for.
func PageID(address string) (id string, ok bool) {
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	id, ok = strings.CutPrefix(u.Path, "/devtools/page/")
	return id, ok && id != ""
}

// browserAddress asks a browser for the address of its whole.
func browserAddress(ctx context.Context, page *url.URL) (string, error) {
	ask := &url.URL{Scheme: "http", Host: page.Host}
	if page.Scheme == "wss" {
		ask.Scheme = "https"
	}
	return versionOf(ctx, ask)
}

// ListeningPage asks the browser that listens at a host and port for the address of its
// first page whose own address has a part in it.
func ListeningPage(ctx context.Context, hostPort, part string) (webSocketURL string, err error) {
	var pages []struct {
		ID   string `json:"id"`
		Type string `json:"type"`
		URL  string `json:"url"`
	}
	if _, err := ask(ctx, &url.URL{Scheme: "http", Host: hostPort}, "/json/list", &pages); err != nil {
		return "", fmt.Errorf("chrome: no browser listens at %s: %w", hostPort, err)
	}
	var open []string
	for _, p := range pages {
		if p.Type != "page" {
			continue
		}
		if strings.Contains(p.URL, part) {
			return "ws://" + hostPort + "/devtools/page/" + p.ID, nil
		}
		open = append(open, p.URL)
	}
	return "", fmt.Errorf("no page found matching: %s; open at %s: %s", part, hostPort, strings.Join(open, ", "))
}

// Listening asks the browser that listens at a host and port, such as
// localhost:9222, for the address to connect to.
func Listening(ctx context.Context, hostPort string) (webSocketURL string, err error) {
	address, err := browserAddress(ctx, &url.URL{Scheme: "ws", Host: hostPort})
	if err != nil {
		return "", fmt.Errorf("chrome: no browser listens at %s: %w", hostPort, err)
	}
	return address, nil
}
