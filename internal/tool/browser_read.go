package tool

import (
	"context"
	"errors"
	"fmt"

	"rove"
	"rove/aria"
	"rove/internal/image"
)

type evaluateParams struct {
	Expression string `json:"expression" about:"JavaScript: an expression, or statements"`
	Await      *bool  `json:"await,omitempty" about:"await a promise; true unless told"`
	pagePatience
	Where
}

func evaluate(ctx context.Context, c *Context, in evaluateParams) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	bound, cancel, err := in.bound(ctx, "browser_eval")
	if err != nil {
		return Output{}, err
	}
	defer cancel()
	r, err := s.EvalWith(bound, in.Expression, rove.EvalOptions{NoAwait: in.Await != nil && !*in.Await, NoCall: true})
	if err != nil {
		return Output{}, err
	}
	out := outputOf(r, nil)
	switch r.Type {
	case "function":
		out.Text += "\nit was not called: write (" + quotedScript(in.Expression) + ")() to call it"
	case "promise":
		out.Text += "\nit was not awaited"
	}
	return out, nil
}

// quotedScript is a script short enough to be quoted.
func quotedScript(js string) string {
	const most = 60
	if r := []rune(js); len(r) > most {
		return string(r[:most]) + "…"
	}
	return js
}

type screenshotParams struct {
	Selector string `json:"selector,omitempty" about:"only this element: CSS, //xpath, {button}Save, or a ref such as e3"`
	FullPage bool   `json:"full_page,omitempty" about:"all of the page, not only what is visible"`
	Format   string `json:"format,omitempty" enum:"png,jpeg,webp" about:"png, jpeg or webp; png unless told"`
	patience
	Where
}

// pictured is a picture, for programs.
type pictured struct {
	OK     bool   `json:"ok"`
	Path   string `json:"path"`
	Type   string `json:"type"`
	Width  int    `json:"width"` // of the file, in pixels
	Height int    `json:"height"`
	Size   int64  `json:"size"`
	// ShownWidth and ShownHeight are how large a model gets it.
	ShownWidth  int `json:"shown_width"`
	ShownHeight int `json:"shown_height"`
}

func takeScreenshot(ctx context.Context, c *Context, in screenshotParams) (Output, error) {
	const name = "browser_take_screenshot"
	if in.Selector != "" && in.FullPage {
		return Output{}, invalid(name, "give selector or full_page, not both")
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	bound, cancel, err := in.bound(ctx, name, elementTime)
	if err != nil {
		return Output{}, err
	}
	defer cancel()
	shot, err := s.Screenshot(bound, rove.ScreenshotOptions{Target: in.Selector, FullPage: in.FullPage, Format: in.Format})
	if err != nil {
		return Output{}, err
	}
	return picture(bound, name, shot.Path, shot.Data)
}

// tooSmall is how many times smaller a picture is shown when nothing can be read
// in it any more.
const tooSmall = 3

// picture shows a picture that is in a file.
func picture(ctx context.Context, name, path string, data []byte) (Output, error) {
	p, err := image.Fit(ctx, data)
	if err != nil {
		return Output{}, pictureError(name, path, err)
	}
	d := pictured{
		OK: true, Path: path, Type: "image/" + p.Format, Size: int64(len(data)),
		Width: p.OriginalWidth, Height: p.OriginalHeight, ShownWidth: p.Width, ShownHeight: p.Height,
	}
	text := fmt.Sprintf("%s (%d×%d px, %d bytes)", path, d.Width, d.Height, d.Size)
	if p.Scaled() {
		text += fmt.Sprintf("; shown at %d×%d", p.Width, p.Height)
		if d.Width > tooSmall*p.Width {
			text += ", too small to read: take a picture of the viewport or an element to see more"
		}
	}
	return Output{Text: text, Data: d, Images: []Image{{p.Type, p.Data}}}, nil
}

// pictureError is the error for a picture that cannot be shown.
func pictureError(name, path string, err error) error {
	e := &rove.Error{Code: rove.CodeInvalid, Op: name, Message: err.Error(), Err: err}
	var bad *image.Error
	if !errors.As(err, &bad) {
		return e
	}
	switch bad.Kind {
	case image.Missing:
		e.Code, e.Hint = rove.CodeNotFound, "check the path"
	case image.Unreadable:
		e.Code, e.Hint = rove.CodePolicy, "name a file that can be read here"
	case image.Slow:
		e.Code, e.Hint = rove.CodeTimeout, "try again, or make it smaller first"
	case image.Broken, image.Unsupported:
		e.Message = path + ": " + e.Message
	case image.TooLarge:
		e.Message, e.Hint = path+": "+e.Message, "make it smaller first"
	}
	return e
}

type imageParams struct {
	Path string `json:"path" about:"the file: a path, or the name of one of the session's files"`
	Where
}

func readImage(ctx context.Context, c *Context, in imageParams) (Output, error) {
	const name = "read_image"
	path, err := c.FilePath(ctx, in.Path)
	if err != nil {
		return Output{}, err
	}
	data, err := image.Read(path)
	if err != nil {
		return Output{}, pictureError(name, path, err)
	}
	ctx, cancel := context.WithTimeout(ctx, elementTime)
	defer cancel()
	return picture(ctx, name, path, data)
}

type textParams struct {
	Selector string `json:"selector,omitempty" about:"only this element: CSS, //xpath, {button}Save, or a ref such as e3"`
	Where
}

// texted is the text of a page or an element, for programs.
type texted struct {
	OK   bool   `json:"ok"`
	URL  string `json:"url"`
	Text string `json:"text"` // its beginning, where there is a file
	File string `json:"file,omitempty"`
	Size int64  `json:"size,omitempty"`
}

func getText(ctx context.Context, c *Context, in textParams) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	var text, shows string
	if in.Selector == "" {
		r, err := s.Look(ctx, rove.LookOptions{Mode: rove.ModeText, Budget: new(0)})
		if err != nil {
			return Output{}, err
		}
		if r.Dialog != nil {
			return outputOf(r, nil), nil
		}
		text, shows = r.Tree, r.Text()
	} else {
		found, err := s.WaitFor(ctx, in.Selector, false, 0)
		if err != nil {
			return Output{}, err
		}
		read, err := s.Driver().Tab().Read(ctx, found.Ref)
		if err != nil {
			return Output{}, err
		}
		text = s.Mask(read.Text)
		shows = aria.Fenced(text)
	}
	d := texted{OK: true, URL: s.URL(), Text: text}
	if text == "" {
		return Output{Text: "it has no text", Data: d}, nil
	}
	if len(text) <= inlineLimit {
		return Output{Text: shows, Data: d}, nil
	}
	file, err := saveWhole(s, "text.md", text)
	if err != nil {
		return Output{}, err
	}
	d.Text, d.File, d.Size = file.Preview, file.File, file.Size
	return Output{Text: file.Fenced(), Data: d}, nil
}
