package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"slices"
	"time"

	"rove"
	"rove/bench/site"
	"rove/internal/webdriver"
)

// backendsCost has a click, a look and a script that does nothing done on each backend, in
// turns, and prints medians: what the script takes is the way there and back. Beside them is
// what a click and the page's source take that are asked of geckodriver itself, without rove.
func backendsCost(ctx context.Context, turns int) error {
	srv := site.Serve()
	defer srv.Close()
	fmt.Printf("%d turns each\n\n| browser | click | look | script |\n|---|---|---|---|\n", turns)
	for _, browser := range []string{"chrome", "chromedriver", "firefox", "geckodriver", "playwright"} {
		click, look, script, err := onBackend(ctx, browser, srv.URL+"/verbs", turns)
		if err != nil {
			fmt.Printf("| %s | %v | | |\n", browser, err)
			continue
		}
		fmt.Printf("| %s | %.1f ms | %.1f ms | %.1f ms |\n", browser, ms(click), ms(look), ms(script))
	}
	click, look, err := byDriver(ctx, srv.URL+"/verbs", turns)
	if err != nil {
		fmt.Printf("| geckodriver without rove | %v | | |\n", err)
		return nil
	}
	fmt.Printf("| geckodriver without rove: an element clicked, the page's source | %.1f ms | %.1f ms | |\n", ms(click), ms(look))
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// timed is the median of how long something takes.
func timed(turns int, do func() error) (time.Duration, error) {
	var all []time.Duration
	for range turns {
		start := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		all = append(all, time.Since(start))
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

func onBackend(ctx context.Context, browser, address string, turns int) (click, look, script time.Duration, err error) {
	s, err := rove.Open(ctx, rove.Options{Browser: browser})
	if err != nil {
		return 0, 0, 0, err
	}
	defer s.Close()
	view, err := s.Go(ctx, address)
	if err != nil {
		return 0, 0, 0, err
	}
	ref := refOf(view.Text(), "button")
	if click, err = timed(turns, func() error {
		_, err := s.Act(ctx, rove.Step{Ref: ref, Op: "click"})
		return err
	}); err != nil {
		return 0, 0, 0, err
	}
	if look, err = timed(turns, func() error {
		_, err := s.Look(ctx, rove.LookOptions{})
		return err
	}); err != nil {
		return 0, 0, 0, err
	}
	script, err = timed(turns, func() error {
		_, err := s.Driver().Script(ctx, "1")
		return err
	})
	return click, look, script, err
}

// byDriver asks geckodriver itself, by the commands that a client of it has.
func byDriver(ctx context.Context, address string, turns int) (click, look time.Duration, err error) {
	path, err := webdriver.Find("geckodriver")
	if err != nil {
		return 0, 0, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, 0, err
	}
	at := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(at)
	driver := exec.CommandContext(ctx, path, "--port", port)
	if err := driver.Start(); err != nil {
		return 0, 0, err
	}
	defer func() {
		_ = driver.Process.Kill()
		_ = driver.Wait()
	}()
	remote := webdriver.NewRemote(&url.URL{Scheme: "http", Host: at})
	var made struct {
		ID string `json:"sessionId"`
	}
	always := map[string]any{"moz:firefoxOptions": map[string]any{"args": []string{"-headless"}}}
	for try := 1; ; try++ {
		err = remote.Do(ctx, "POST", "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": always}}, &made)
		if err == nil {
			break
		}
		if try == 30 {
			return 0, 0, err
		}
		time.Sleep(100 * time.Millisecond)
	}
	do := func(method, path string, body, out any) error {
		return remote.Do(ctx, method, "/session/"+made.ID+path, body, out)
	}
	defer func() { _ = do("DELETE", "", nil, nil) }()
	if err := do("POST", "/url", map[string]any{"url": address}, nil); err != nil {
		return 0, 0, err
	}
	var button map[string]string
	if err := do("POST", "/element", map[string]any{"using": "css selector", "value": "button"}, &button); err != nil {
		return 0, 0, err
	}
	id := ""
	for _, v := range button {
		id = v
	}
	if click, err = timed(turns, func() error { return do("POST", "/element/"+id+"/click", nil, nil) }); err != nil {
		return 0, 0, err
	}
	var source string
	look, err = timed(turns, func() error { return do("GET", "/source", nil, &source) })
	return click, look, err
}
