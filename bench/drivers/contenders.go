package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"rove"
	"rove/driver"
)

func open(ctx context.Context, name, path string) (contender, error) {
	if path == "" {
		for _, try := range []string{os.Getenv("ROVE_BROWSER"), "chromium", "google-chrome", "chromium-browser"} {
			if found, err := exec.LookPath(try); try != "" && err == nil {
				path = found
				break
			}
		}
	}
	if path == "" {
		return nil, errors.New("there is no browser; say -browser")
	}
	switch name { // these start their browsers themselves
	case "rove":
		d, err := rove.Drive(ctx, rove.Options{Browser: path}, driver.Options{})
		return &roved{d}, err
	case "chromedp":
		return openChromedp(ctx, path)
	}
	b, err := start(path)
	if err != nil {
		return nil, err
	}
	if name == "raw" {
		return openRaw(ctx, b)
	}
	return openRod(b)
}

// browser is a Chromium with a port.
type browser struct {
	cmd     *exec.Cmd
	folder  string
	address string // ws://…
}

func start(path string) (*browser, error) {
	folder, err := os.MkdirTemp("", "rove-bench-")
	if err != nil {
		return nil, err
	}
	b := &browser{folder: folder}
	b.cmd = exec.Command(path, "--headless", "--no-sandbox", "--remote-debugging-port=0", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--window-size=1280,720", "--user-data-dir="+folder, "about:blank")
	said, err := b.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := b.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "listening on "); ok {
			b.address = address
			break
		}
	}
	if b.address == "" {
		b.close()
		return nil, fmt.Errorf("%s does not say where it listens", path)
	}
	go func() {
		for lines.Scan() {
		}
	}()
	return b, nil
}

func (b *browser) close() {
	_ = b.cmd.Process.Signal(os.Interrupt)
	done := make(chan struct{})
	go func() { _ = b.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		_ = b.cmd.Process.Kill()
		<-done
	}
	_ = os.RemoveAll(b.folder)
}

// roved is rove.
type roved struct{ *driver.Driver }

func (r *roved) Open(ctx context.Context, url string) error { return r.SetURL(ctx, url) }
func (r *roved) Click(ctx context.Context) error {
	_, err := r.Driver.Click(ctx, "#b")
	return err
}

func (r *roved) Input(ctx context.Context, text string) error {
	_, err := r.Driver.Input(ctx, "#f", text)
	return err
}
func (r *roved) Text(ctx context.Context) (string, error) { return r.Driver.Text(ctx, "#p") }
func (r *roved) All(ctx context.Context) (int, error) {
	list, err := r.LocateAll(ctx, "li")
	return len(list), err
}

func (r *roved) Eval(ctx context.Context, js string) (string, error) {
	v, err := r.Script(ctx, js)
	return fmt.Sprint(v), err
}
func (r *roved) Close() { _ = r.Quit(context.Background()) }

// viaChromedp is chromedp, as its documentation has it.
type viaChromedp struct {
	ctx context.Context
	end func()
}

func openChromedp(ctx context.Context, path string) (contender, error) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 720))
	ctx, endAllocator := chromedp.NewExecAllocator(ctx, opts...)
	ctx, end := chromedp.NewContext(ctx)
	return &viaChromedp{ctx, func() { end(); endAllocator() }}, chromedp.Do(ctx)
}

// chromedp's context is its tab, so that of a call cannot be given to it.

func (c *viaChromedp) Open(_ context.Context, url string) error {
	return chromedp.Do(c.ctx, chromedp.Navigate(url))
}

func (c *viaChromedp) Click(context.Context) error {
	return chromedp.Do(c.ctx, chromedp.Click(chromedp.CSS("#b")))
}

func (c *viaChromedp) Input(_ context.Context, text string) error {
	return chromedp.Do(c.ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector('#f').value = ''"), chromedp.SendKeys(chromedp.CSS("#f"), text))
}

func (c *viaChromedp) Text(context.Context) (string, error) {
	return chromedp.Run(c.ctx, chromedp.TextContent(chromedp.CSS("#p")))
}

func (c *viaChromedp) All(context.Context) (int, error) {
	nodes, err := chromedp.Run(c.ctx, chromedp.Nodes(chromedp.CSSAll("li")))
	return len(nodes), err
}

func (c *viaChromedp) Eval(_ context.Context, js string) (string, error) {
	return chromedp.Run(c.ctx, chromedp.Evaluate[string](js))
}

func (c *viaChromedp) Close() { c.end() }

// viaRod is rod, as its documentation has it.
type viaRod struct {
	page *rod.Page
	end  func()
}

func openRod(b *browser) (contender, error) {
	r := rod.New().ControlURL(b.address)
	if err := r.Connect(); err != nil {
		return nil, err
	}
	page, err := r.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		return nil, err
	}
	return &viaRod{page, b.close}, nil
}

func (r *viaRod) Open(ctx context.Context, url string) error {
	p := r.page.Context(ctx)
	if err := p.Navigate(url); err != nil {
		return err
	}
	return p.WaitLoad()
}

func (r *viaRod) Click(ctx context.Context) error {
	e, err := r.page.Context(ctx).Element("#b")
	if err != nil {
		return err
	}
	return e.Click(proto.InputMouseButtonLeft, 1)
}

func (r *viaRod) Input(ctx context.Context, text string) error {
	e, err := r.page.Context(ctx).Element("#f")
	if err != nil {
		return err
	}
	if err := e.SelectAllText(); err != nil {
		return err
	}
	var keys []input.Key
	for _, c := range text {
		keys = append(keys, input.Key(c))
	}
	return e.Type(keys...)
}

func (r *viaRod) Text(ctx context.Context) (string, error) {
	e, err := r.page.Context(ctx).Element("#p")
	if err != nil {
		return "", err
	}
	return e.Text()
}

func (r *viaRod) All(ctx context.Context) (int, error) {
	list, err := r.page.Context(ctx).Elements("li")
	return len(list), err
}

func (r *viaRod) Eval(ctx context.Context, js string) (string, error) {
	v, err := r.page.Context(ctx).Eval("() => " + js)
	if err != nil {
		return "", err
	}
	return v.Value.Str(), nil
}
func (r *viaRod) Close() { r.end() }
