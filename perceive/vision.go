package perceive

import (
	"context"
	"strings"
)

// Reader reads text in a picture.
type Reader interface {
	// Read gives the words of a PNG, with their places in its pixels.
	Read(ctx context.Context, png []byte) ([]Word, error)
}

// Word is a word that was read.
type Word struct {
	Text       string
	Bounds     Bounds
	Confidence float64 // 0 to 1
}

// minConfidence is how sure a reader has to be of a word for it to count.
const minConfidence = 0.6

// Vision is the stage that looks at the picture: controls without a name get the
// words that stand inside them, and text that only the picture has is added. It
// never makes an element: what cannot be operated by its accessibility id is only
// text. Reading takes its time, so it is done only where something on the screen
// has no name, and a reader that fails costs nothing but what it would have added.
func Vision(r Reader) Stage {
	return func(ctx context.Context, s *Sight) error {
		if r == nil || len(s.Screenshot) == 0 || !s.needsReading() {
			return nil
		}
		words, err := r.Read(ctx, s.Screenshot)
		if err != nil {
			return ctx.Err() // the page is perceived without
		}
		ratio := s.Viewport.DevicePixelRatio
		if ratio <= 0 {
			ratio = 1
		}
		used := make([]bool, len(words))
		for i := range words {
			b := &words[i].Bounds
			*b = Bounds{b.X / ratio, b.Y / ratio, b.Width / ratio, b.Height / ratio}
			used[i] = words[i].Confidence < minConfidence || strings.TrimSpace(words[i].Text) == ""
		}
		nodes := map[string]*A11yNode{}
		for i := range s.Nodes {
			nodes[s.Nodes[i].NodeID] = &s.Nodes[i]
		}
		for i := range s.Map.Elements {
			e := &s.Map.Elements[i]
			if n := nodes[e.AXRef]; !e.Interactive || n == nil || n.Name != "" {
				continue
			}
			if name, sure := inside(words, used, e.Bounds); name != "" {
				e.Name, e.Source, e.Confidence = name, FromBoth, sure
			}
		}
		addText(s, words, used)
		return nil
	}
}

// needsReading says whether something in view has no name but may have words to see.
func (s *Sight) needsReading() bool {
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Name == "" && !n.has(string(Offscreen)) && (n.Clickable || RoleOf(n.Role).Interactive() || n.Role == "canvas") {
			return true
		}
	}
	return false
}

// inside joins the words that stand in a box, and marks them used.
func inside(words []Word, used []bool, box Bounds) (text string, sure float64) {
	var parts []string
	sure = 1
	for i, w := range words {
		x, y := w.Bounds.Center()
		if used[i] || box.Empty() || !box.Contains(x, y) {
			continue
		}
		used[i] = true
		parts = append(parts, strings.TrimSpace(w.Text))
		sure = min(sure, w.Confidence)
	}
	return strings.Join(parts, " "), sure
}

// addText adds lines of words that no element or text of the tree has: what is
// painted, as on a canvas.
func addText(s *Sight, words []Word, used []bool) {
	said := func(w Word) bool {
		x, y := w.Bounds.Center()
		for i := range s.Map.Elements {
			if e := &s.Map.Elements[i]; e.Interactive && e.Bounds.Contains(x, y) && e.Role != Image {
				return true
			}
		}
		for i := range s.Map.TextBlocks {
			if s.Map.TextBlocks[i].Bounds.Contains(x, y) {
				return true
			}
		}
		return false
	}
	var line *TextBlock
	for i, w := range words {
		if used[i] || said(w) {
			line = nil
			continue
		}
		if line != nil && beside(line.Bounds, w.Bounds) && w.Bounds.X-(line.Bounds.X+line.Bounds.Width) < 2*w.Bounds.Height {
			line.Text += " " + w.Text
			line.Bounds.Width = w.Bounds.X + w.Bounds.Width - line.Bounds.X
			line.Confidence = min(line.Confidence, w.Confidence)
			continue
		}
		s.Map.TextBlocks = append(s.Map.TextBlocks, TextBlock{Text: w.Text, Bounds: w.Bounds, Source: FromOCR, Confidence: w.Confidence})
		line = &s.Map.TextBlocks[len(s.Map.TextBlocks)-1]
	}
}
