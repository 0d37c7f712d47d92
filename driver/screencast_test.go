package driver_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"rove/internal/testkit"

	"rove/driver"
)

const blinking = `<style>body{margin:0;height:100vh}</style><script>
	let n = 0
	const turn = () => { document.body.style.background = ['red', 'blue'][n++ % 2]; document.title = n }
</script>`

// A picture comes for every change, in order, of whichever tab is the current.
func TestScreencast(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := open(t, map[string]string{"/": blinking, "/other": `<body style="background:lime">other`})
	var mu sync.Mutex
	var got []driver.Picture
	stop, err := p.Screencast(p.ctx, driver.ScreencastOptions{Format: "png", MaxWidth: 320}, func(s driver.Picture) {
		mu.Lock()
		got = append(got, s)
		mu.Unlock()
	})
	p.ok(err)
	defer stop()
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(got)
	}
	more := func(what string) {
		t.Helper()
		before := count()
		for end := time.Now().Add(10 * time.Second); count() == before; {
			if time.Now().After(end) {
				t.Fatalf("no picture %s", what)
			}
			p.js("turn()")
		}
	}
	more("of a change")
	more("of the next")
	_, err = p.Screencast(p.ctx, driver.ScreencastOptions{}, func(driver.Picture) {})
	fails(t, err, driver.CodeInvalid, "one is on already", "stop that first")
	_, err = p.NewTab(p.ctx)
	p.ok(err)
	p.visit("/")
	more("of the tab that is the current one now")
	p.visit("/other")
	p.visit("/")
	more("after a navigation")
	p.ok(p.CloseTab(p.ctx))
	more("of the tab that came back")
	stop()
	stop()
	ended := count()
	p.js("turn()")
	p.js("new Promise(done => setTimeout(done, 200))")
	same(t, "pictures after the end", count(), ended)
	mu.Lock()
	defer mu.Unlock()
	for i, s := range got {
		if !strings.HasPrefix(pngSize(s.Data), "320x1") || s.Width != 1280 || s.Height != 720 {
			t.Errorf("picture %d is %s of %dx%d", i, pngSize(s.Data), s.Width, s.Height)
		}
		if i > 0 && s.Time.Before(got[i-1].Time) {
			t.Errorf("picture %d is older than the one before", i)
		}
	}
	_, err = p.Screencast(p.ctx, driver.ScreencastOptions{Format: "gif"}, func(driver.Picture) {})
	fails(t, err, driver.CodeUnsupported, "gif", "jpeg or png", "not supported by the chrome backend")
}
