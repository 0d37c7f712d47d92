package chrome

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestAutoFindsTheUsualPort: a browser that was given its port leaves no file in its
// profile, and is found where nearly everybody has it listen.
func TestAutoFindsTheUsualPort(t *testing.T) {
	for _, name := range []string{"HOME", "ROVE_HOME", "XDG_CONFIG_HOME", "CHROME_CONFIG_HOME", "CHROME_USER_DATA_DIR", "LOCALAPPDATA", "USERPROFILE"} {
		t.Setenv(name, t.TempDir())
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"webSocketDebuggerUrl": "ws://localhost/devtools/browser/1"}`)
	}))
	defer server.Close()
	was := usualPlace
	defer func() { usualPlace = was }()
	usualPlace = strings.TrimPrefix(server.URL, "http://")
	got, err := Running(t.Context(), Auto)
	if err != nil || len(got) != 1 || got[0] != "ws://"+usualPlace+"/devtools/browser/1" {
		t.Errorf("%v, %v", got, err)
	}
	usualPlace = "127.0.0.1:1"
	if _, err := Running(t.Context(), Auto); err == nil || !strings.Contains(err.Error(), "no running browser was found") {
		t.Errorf("where there is none: %v", err)
	}
}
