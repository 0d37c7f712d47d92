package grid

import (
	"testing"

	"rove/internal/wire"
)

// TestWhatAGridIsAskedFor: what a grid is asked for, by the browser that is wanted.
func TestWhatAGridIsAskedFor(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{}, `{"browserName":"chrome","goog:chromeOptions":{"args":["--headless=new"]}}`},
		{Options{Headed: true, Args: []string{"--lang=de"}}, `{"browserName":"chrome","goog:chromeOptions":{"args":["--lang=de"]}}`},
		{Options{Browser: "firefox"}, `{"browserName":"firefox","moz:firefoxOptions":{"args":["-headless"]},"unhandledPromptBehavior":{"default":"ignore"},"webSocketUrl":true}`},
		{Options{Browser: "safari"}, `{"browserName":"safari"}`},
		{Options{Browser: "chrome", Capabilities: map[string]any{"browserName": "opera"}}, `{"browserName":"opera"}`},
	} {
		got, err := wire.Marshal(capabilities(c.opts))
		if err != nil || string(got) != c.want {
			t.Errorf("%+v: %v\n%s, want\n%s", c.opts, err, got, c.want)
		}
	}
}
