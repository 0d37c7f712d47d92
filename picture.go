package rove

import (
	"context"
	"strings"
	"time"

	"rove/driver"
	"rove/driver/backend"
)

// ScreenshotOptions say what to take a picture of. The zero value is what is
// visible of the page, as PNG.
type ScreenshotOptions struct {
	Target   string        // a ref or locator: only this element
	FullPage bool          // all of the page
	Format   string        // png, jpeg or webp
	Wait     time.Duration // for how long the element may take to be there
}

// Screenshot is a picture that was taken.
type Screenshot struct {
	File
	Data []byte `json:"-"`
	URL  string `json:"url"` // of the page it shows
	Type string `json:"type"`
}

// Screenshot takes a picture and saves it into the session's folder.
func (s *Session) Screenshot(ctx context.Context, opts ScreenshotOptions) (*Screenshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	start := s.begin()
	shot, err := s.screenshot(ctx, opts)
	err = s.failed(err)
	cleanResult(s.out, shot)
	text := ""
	if shot != nil {
		text = shot.String()
	}
	s.record(start, "screenshot", opts.Target, text, nil, err)
	return shot, err
}

func (s *Session) screenshot(ctx context.Context, opts ScreenshotOptions) (*Screenshot, error) {
	if opts.Target != "" && opts.FullPage {
		return nil, driver.Invalid("screenshot", "an element or the full page, not both")
	}
	kind, extension := opts.Format, opts.Format
	switch opts.Format {
	case "", "png":
		kind, extension = "png", "png"
	case "jpeg", "jpg":
		kind, extension = "jpeg", "jpg"
	case "webp":
	default:
		return nil, driver.Invalid("screenshot", "format %q: say png, jpeg or webp", opts.Format)
	}
	if _, err := s.consent(ctx, Step{Ref: opts.Target, Op: "screenshot"}); err != nil {
		return nil, err
	}
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return nil, err
	}
	how := backend.ScreenshotOptions{FullPage: opts.FullPage, Format: kind}
	var data []byte
	if opts.Target == "" {
		data, err = tab.Screenshot(ctx, how)
	} else {
		data, err = s.pictureOf(ctx, tab, opts, how)
	}
	if err != nil {
		return nil, s.held(err)
	}
	file, err := s.folder.Save(FileScreenshot, "screenshot."+extension, data)
	if err != nil {
		return nil, err
	}
	return &Screenshot{File: file, Data: data, URL: tab.URL(), Type: "image/" + kind}, nil
}

// pictureOf takes a picture of the first element that a locator finds.
func (s *Session) pictureOf(ctx context.Context, tab *driver.Tab, opts ScreenshotOptions, how backend.ScreenshotOptions) ([]byte, error) {
	found, err := tab.Find(ctx, opts.Target, driver.FindOptions{Within: opts.Wait})
	if err != nil {
		return nil, err
	}
	effect, err := tab.Picture(ctx, string(found[0]), 0, how)
	if err != nil {
		return nil, err
	}
	return effect.Picture, nil
}

// filePath finds a file that the session may read: one of its own, by its name
// or path, or one that Options.Uploads allows. The path is the one to use, with
// links resolved.
func (s *Session) filePath(path string) (string, error) {
	if own, err := s.folder.find(path); err == nil {
		return own, nil
	}
	if s.browser.uploads == nil {
		return path, nil
	}
	found, err := append(s.browser.uploads[:len(s.browser.uploads):len(s.browser.uploads)], s.folder.dir).File(path)
	if err != nil {
		return "", &Error{Code: CodePolicy, Op: "read " + path, Message: strings.TrimSpace(err.Error()), Hint: "name a file that may be read, or ask for more to be allowed", Err: err}
	}
	return found, nil
}
