package tool

import (
	"errors"
	"fmt"
	"strings"

	"rove"

	"rove/aria"
)

// inlineLimit is how many bytes of a result a model is shown; a larger one goes
// into a file of the session, and preview bytes of it are shown.
const (
	inlineLimit = rove.EvalLimit
	preview     = 1024
)

// Spilled is a result that went into a file.
type Spilled struct {
	File    string `json:"file"`
	Size    int64  `json:"size"`
	Preview string `json:"preview"` // its beginning
}

// saveWhole writes the whole of a result into a file of the session, its secrets
// masked. Whether it is to is the caller's to say: what a model would be shown
// may be shorter than the whole.
func saveWhole(s *rove.Session, name, whole string) (*Spilled, error) {
	whole = s.Mask(whole)
	file, err := s.Folder().Save(rove.FileResult, name, []byte(whole))
	if err != nil {
		return nil, err
	}
	return &Spilled{file.Path, file.Size, strings.ToValidUTF8(whole[:min(preview, len(whole))], "")}, nil
}

// Text is what a model reads: where the whole is, and how it begins.
func (s *Spilled) Text() string { return s.beginning(func(text string) string { return text }) }

// Fenced is Text for what a page says in lines of its own.
func (s *Spilled) Fenced() string { return s.beginning(aria.Fenced) }

func (s *Spilled) beginning(as func(string) string) string {
	text := fmt.Sprintf("%d bytes in %s", s.Size, s.File)
	if s.Preview == "" {
		return text
	}
	begins := s.Preview
	if int64(len(begins)) < s.Size {
		begins += "…"
	}
	return text + "; it begins:\n" + as(begins)
}

// mostLine is as much of a line of a failure as anybody reads.
const mostLine = 2000

// cut shortens lines that repeat an input of any size. The lines of pages are
// short already.
func cut(text string) string {
	if len(text) <= mostLine {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = shorten(line, mostLine)
	}
	return strings.Join(lines, "\n")
}

// briefError is an error that does not repeat an input of any size.
func briefError(err error) error {
	var e *rove.Error
	if !errors.As(err, &e) || len(e.Op)+len(e.Message)+len(e.Hint) <= mostLine {
		return err
	}
	told := *e
	told.Op, told.Message, told.Hint = shorten(e.Op, mostLine/4), shorten(e.Message, mostLine), shorten(e.Hint, mostLine)
	return &told
}
