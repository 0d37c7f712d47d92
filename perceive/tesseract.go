package perceive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Tesseract reads pictures with the program of that name.
type Tesseract struct {
	path string
}

// FindTesseract looks for the program; ok is false where it is not installed.
func FindTesseract() (t *Tesseract, ok bool) {
	path, err := exec.LookPath("tesseract")
	if err != nil {
		return nil, false
	}
	return &Tesseract{path}, true
}

// Eyes is the best pipeline there is on this machine: with vision where tesseract
// is installed.
func Eyes() Pipeline {
	if t, ok := FindTesseract(); ok {
		return WithVision(t)
	}
	return Basic()
}

// readTimeout bounds the reading of one picture.
const readTimeout = 10 * time.Second

// Read reads the words of a picture.
func (t *Tesseract) Read(ctx context.Context, png []byte) ([]Word, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.path, "stdin", "stdout", "--psm", "11", "tsv")
	cmd.Stdin = bytes.NewReader(png)
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("tesseract: %w: %s", err, plain(trouble.String(), 200))
	}
	return parseTSV(out.String())
}

// parseTSV reads tesseract's table: a line for each word, with its box and how
// sure it is, among lines for blocks and paragraphs, which have no text.
func parseTSV(table string) ([]Word, error) {
	const columns = 12 // level … left top width height conf text
	head, rest, _ := strings.Cut(table, "\n")
	if !strings.HasPrefix(head, "level\t") {
		return nil, errors.New("tesseract: the answer is no table")
	}
	var list []Word
	for line := range strings.SplitSeq(rest, "\n") {
		cells := strings.SplitN(strings.TrimRight(line, "\r"), "\t", columns)
		if len(cells) < columns || strings.TrimSpace(cells[11]) == "" {
			continue
		}
		var n [5]float64
		for i := range n {
			f, err := strconv.ParseFloat(cells[6+i], 64)
			if err != nil || f < -1 || f > 1e6 || f != f {
				return nil, fmt.Errorf("tesseract: %s is not a number", brief(cells[6+i]))
			}
			n[i] = f
		}
		list = append(list, Word{
			Text: strings.TrimSpace(cells[11]), Bounds: Bounds{n[0], n[1], n[2], n[3]}, Confidence: min(max(n[4], 0), 100) / 100,
		})
	}
	return list, nil
}
