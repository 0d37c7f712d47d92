package chrome

import (
	"context"
	"fmt"
	"net/url"
)

// Listening asks the browser that listens at a host and port, such as
// localhost:9222, for the address to connect to.
func Listening(ctx context.Context, hostPort string) (webSocketURL string, err error) {
	address, err := browserAddress(ctx, &url.URL{Scheme: "ws", Host: hostPort})
	if err != nil {
		return "", fmt.Errorf("chrome: no browser listens at %s: %w", hostPort, err)
	}
	return address, nil
}
