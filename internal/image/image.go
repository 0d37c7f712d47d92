// Package image reads pictures for a model to see: PNG, JPEG, GIF and WebP,
// scaled to what models take.
//
//	data, err := image.Read("shot.png")
//	p, err := image.Fit(ctx, data)
//	p.Type, p.Data // as a model gets it
//
// What a picture is, its content says and not its name. Its size is looked at
// before it is decoded, so that a small file cannot ask for all the memory.
// Errors are *Error, whose kind tells a broken file from one of another format.
package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	stdimage "image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// What models take. The encoded form of a picture in a message is a third larger
// than the picture, and has to be within the limit as well.
const (
	MaxEdge  = 1568            // pixels of the longer edge
	MaxBytes = 5 << 20 * 3 / 4 // 5 MiB in base64
)

// What is read at all.
const (
	MaxFile   = 64 << 20 // bytes of a file
	MaxPixels = 80e6     // of a picture
	MaxMemory = 400e6    // bytes that decoding it takes
)

// Picture is one as a model gets it.
type Picture struct {
	Data          []byte
	Type          string // its media type
	Width, Height int
	// Format, OriginalWidth and OriginalHeight are what it was before, turned
	// upright.
	Format                        string
	OriginalWidth, OriginalHeight int
}

// Scaled says whether it is smaller than it was.
func (p *Picture) Scaled() bool { return p.Width != p.OriginalWidth || p.Height != p.OriginalHeight }

// Fit gives a picture within what models take: as it is if that will do, or
// upright, scaled, and as PNG or JPEG.
func Fit(ctx context.Context, data []byte) (*Picture, error) {
	head, err := inspect(data)
	if err != nil {
		return nil, err
	}
	p := &Picture{Data: data, Type: "image/" + head.format, Width: head.width, Height: head.height, Format: head.format}
	if head.turned >= 5 { // lies on its side
		p.Width, p.Height = p.Height, p.Width
	}
	p.OriginalWidth, p.OriginalHeight = p.Width, p.Height
	m, err := decode(ctx, head)
	if err != nil {
		return nil, err
	}
	if max(p.Width, p.Height) <= MaxEdge && len(data) <= MaxBytes && head.turned <= 1 && head.format != "gif" && !head.animated {
		return p, nil
	}
	p.Width, p.Height = within(p.Width, p.Height, MaxEdge)
	small := upright(scale(m, p.Width, p.Height, head.turned >= 5), head.turned)
	p.Data, p.Type, err = encode(small, head.format == "jpeg")
	return p, err
}

// Size gives a picture's width and height in pixels, as it is stored.
func Size(data []byte) (width, height int, err error) {
	head, err := inspect(data)
	return head.width, head.height, err
}

// within gives a size of the same shape whose longer edge is at most so long.
func within(w, h, edge int) (int, int) {
	if long := max(w, h); long > edge {
		w, h = max(1, (w*edge+long/2)/long), max(1, (h*edge+long/2)/long)
	}
	return w, h
}

// decode reads the pixels. The context can end it, since a picture can be made to
// take long.
func decode(ctx context.Context, head header) (m stdimage.Image, err error) {
	defer func() {
		if fault := recover(); fault != nil { // the decoders are not ours, nor the data
			err = broken(head.format, fmt.Errorf("%v", fault))
		}
	}()
	r := &patientReader{ctx, bytes.NewReader(head.data)}
	switch head.format {
	case "png":
		m, err = png.Decode(r)
	case "jpeg":
		m, err = jpeg.Decode(r)
	case "gif":
		m, err = gif.Decode(r) // its first frame
	default:
		m, err = webp.Decode(r)
	}
	switch {
	case ctx.Err() != nil:
		return nil, &Error{Kind: Slow, Message: fmt.Sprintf("the %s took too long to decode", name(head.format)), Err: ctx.Err()}
	case unsupportedFeature(err):
		return nil, unsupported(head.format, err)
	case err != nil:
		return nil, broken(head.format, err)
	}
	screen := stdimage.Rect(0, 0, head.width, head.height)
	if b := m.Bounds(); head.format == "gif" && b != screen { // its first frame is a part of it
		whole := stdimage.NewNRGBA(screen)
		draw.Draw(whole, b, m, b.Min, draw.Src)
		return whole, nil
	}
	if m.Bounds().Size() != screen.Size() {
		return nil, broken(head.format, errors.New("it is of another size than it says"))
	}
	return m, nil
}

func unsupportedFeature(err error) bool {
	var p png.UnsupportedError
	var j jpeg.UnsupportedError
	return errors.As(err, &p) || errors.As(err, &j)
}

// patientReader ends with its context.
type patientReader struct {
	ctx context.Context
	r   io.Reader
}

func (r *patientReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// scale draws a picture at the size that it has when it is upright; sideways says
// that it is not, so that the two are to be swapped.
func scale(m stdimage.Image, w, h int, sideways bool) *stdimage.NRGBA {
	if sideways {
		w, h = h, w
	}
	out := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	b := m.Bounds()
	if b.Dx() == w && b.Dy() == h {
		draw.Draw(out, out.Bounds(), m, b.Min, draw.Src)
		return out
	}
	draw.CatmullRom.Scale(out, out.Bounds(), m, b, draw.Src, nil)
	return out
}

// qualities of JPEG, tried in turn until a picture is small enough.
var qualities = []int{90, 75, 60, 40, 20}

// encode writes a picture: as PNG, which keeps letters sharp, unless it was a
// photograph or becomes too large.
func encode(m *stdimage.NRGBA, photograph bool) ([]byte, string, error) {
	var b bytes.Buffer
	if !photograph || !m.Opaque() {
		if err := png.Encode(&b, m); err != nil {
			return nil, "", &Error{Kind: Broken, Message: err.Error(), Err: err}
		}
		if b.Len() <= MaxBytes {
			return b.Bytes(), "image/png", nil
		}
	}
	if !m.Opaque() { // JPEG knows no transparency
		flat := stdimage.NewNRGBA(m.Bounds())
		draw.Draw(flat, flat.Bounds(), stdimage.NewUniform(color.White), stdimage.Point{}, draw.Src)
		draw.Draw(flat, flat.Bounds(), m, m.Bounds().Min, draw.Over)
		m = flat
	}
	for _, q := range qualities {
		b.Reset()
		if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: q}); err != nil {
			return nil, "", &Error{Kind: Broken, Message: err.Error(), Err: err}
		}
		if b.Len() <= MaxBytes {
			break
		}
	}
	return b.Bytes(), "image/jpeg", nil
}
