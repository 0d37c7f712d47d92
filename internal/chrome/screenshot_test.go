package chrome

import (
	"bytes"
	"context"
	"image"
	"net/http"
	"testing"
	"time"

	"rove/driver/backend"
	"rove/internal/testkit"
)

func TestScreenshot(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := serve(t, map[string]string{"/": `<body style="margin:0"><div style="height:2000px;background:red"></div>`})
	tab := open(t)
	visit(t, tab, s.here+"/")
	for _, c := range []struct {
		name   string
		opts   backend.ScreenshotOptions
		format string
		w, h   int
	}{
		{"viewport", backend.ScreenshotOptions{}, "png", 1280, 720},
		{"full page", backend.ScreenshotOptions{FullPage: true}, "png", 1280, 2000},
		{"clip", backend.ScreenshotOptions{Clip: &backend.Rect{X: 10, Y: 900, Width: 30, Height: 40}, Format: "jpeg", Quality: 50}, "jpeg", 30, 40},
	} {
		data, err := tab.Screenshot(within(t, 10*time.Second), c.opts)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		img, format, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || format != c.format || img.Width != c.w || img.Height != c.h {
			t.Errorf("%s: %s of %d×%d, %v", c.name, format, img.Width, img.Height, err)
		}
	}
	if _, err := tab.Screenshot(t.Context(), backend.ScreenshotOptions{Format: "gif"}); !isKind(err, backend.KindUnsupported) {
		t.Errorf("a format it has not: %v", err)
	}
}

// Of a document that has nothing, and will never have, the browser takes no
// picture and says nothing.
func TestScreenshotOfNothing(t *testing.T) {
	testkit.OnEveryBrowser(t)
	origin := testkit.Serve(t, map[string]http.HandlerFunc{"/nothing": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}})
	tab := open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := tab.Navigate(ctx, origin+"/nothing", backend.NavigateOptions{}); err == nil {
		t.Fatal("it has loaded")
	}
	// The document is asked only once it has come: in the one before, stop() would end the
	// navigation, and between the two there is nobody to ask.
	is := func(expression, want string) func() bool {
		return func() bool {
			v, err := tab.Eval(within(t, 10*time.Second), "", expression)
			if err != nil && !isKind(err, backend.KindNavigated) {
				t.Fatal(err)
			}
			return string(v) == want
		}
	}
	testkit.Eventually(t, "the document to come", is(`location.pathname`, `"/nothing"`))
	testkit.Eventually(t, "the document to be told to stop", is(`stop()`, `null`))
	testkit.Eventually(t, "the document to be given up", is(`document.readyState + document.documentElement + location.pathname`, `"completenull/nothing"`))
	if _, err := tab.Screenshot(within(t, 15*time.Second), backend.ScreenshotOptions{}); !isKind(err, backend.KindUnreadable) {
		t.Error(err)
	}
}
