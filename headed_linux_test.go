package rove_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// A browser with a window is worked like any other. The window needs a screen,
// which Xvfb stands in for.
func TestHeaded(t *testing.T) {
	testkit.NeedsWindow(t)
	xvfb, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("there is no Xvfb to be the screen: install the package xvfb")
	}
	told, number, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	screen := exec.Command(xvfb, "-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp")
	screen.ExtraFiles = []*os.File{number}
	if err := screen.Start(); err != nil {
		t.Fatal(err)
	}
	number.Close()
	defer func() {
		_ = screen.Process.Kill()
		_ = screen.Wait()
	}()
	line, err := bufio.NewReader(told).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(line))
	ctx := testkit.Context(t)
	s, err := rove.Open(ctx, rove.Options{Headed: true, Viewport: rove.Viewport{Width: 700, Height: 500}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Go(ctx, serve(t, `<title>Window</title><button onclick="document.title = innerWidth + ', headless: ' + /Headless/.test(navigator.userAgent)">Press</button>`)); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("{button}Press", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `~ title "Window" → "700, headless: false"`)
}

// Without a screen it says so, instead of what Chrome has to say about it.
func TestHeadedWithoutAScreen(t *testing.T) {
	testkit.NeedsWindow(t)
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	s, err := rove.Open(t.Context(), rove.Options{Headed: true})
	if err == nil {
		s.Close()
		t.Fatal("it has a window")
	}
	has(t, err.Error(), "no screen", "leave headed out")
}
