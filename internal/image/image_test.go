package image

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	stdimage "image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// flag is white with a red square at the top left and a blue one at the bottom
// right, so that turns and mirrors can be told.
func flag(w, h int) *stdimage.NRGBA {
	m := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			switch {
			case x < w/3 && y < h/2:
				m.Set(x, y, color.NRGBA{255, 0, 0, 255})
			case x >= w-w/3 && y >= h-h/2:
				m.Set(x, y, color.NRGBA{0, 0, 255, 255})
			default:
				m.Set(x, y, color.White)
			}
		}
	}
	return m
}

func asPNG(t testing.TB, m stdimage.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(t testing.TB, m stdimage.Image, exif []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	if exif == nil {
		return b.Bytes()
	}
	app1 := append([]byte("\xff\xe1\x00\x00Exif\x00\x00"), exif...)
	binary.BigEndian.PutUint16(app1[2:], uint16(len(app1)-2))
	return append(append([]byte("\xff\xd8"), app1...), b.Bytes()[2:]...)
}

// exif is a note of a camera that says how a picture is turned.
func exif(mark string, turned int) []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	if mark == "MM" {
		order = binary.BigEndian
	}
	b := order.AppendUint16([]byte(mark), 42)
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	for _, entry := range [][2]int{{0x010f, 0}, {0x0112, turned}} {
		b = order.AppendUint16(b, uint16(entry[0]))
		b = order.AppendUint16(b, 3)
		b = order.AppendUint32(b, 1)
		b = order.AppendUint16(b, uint16(entry[1]))
		b = order.AppendUint16(b, 0)
	}
	return order.AppendUint32(b, 0)
}

// shows says where the red and the blue square are, such as "red top left, blue
// bottom right".
func shows(t *testing.T, data []byte) string {
	t.Helper()
	head, err := inspect(data)
	if err != nil {
		t.Fatal(err)
	}
	m, err := decode(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	b := m.Bounds()
	var words []string
	for _, at := range []struct {
		name string
		x, y float64
	}{{"top left", .1, .15}, {"top right", .9, .15}, {"bottom left", .1, .85}, {"bottom right", .9, .85}} {
		r, g, bl, a := m.At(b.Min.X+int(at.x*float64(b.Dx())), b.Min.Y+int(at.y*float64(b.Dy()))).RGBA()
		switch {
		case r > a*3/4 && g < a/4 && bl < a/4:
			words = append(words, "red "+at.name)
		case bl > a*3/4 && r < a/4 && g < a/4:
			words = append(words, "blue "+at.name)
		}
	}
	return strings.Join(words, ", ")
}

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFit(t *testing.T) {
	const upright = "red top left, blue bottom right"
	clear := flag(40, 30)
	clear.Set(20, 15, color.Transparent)
	turnedPNG := asPNG(t, flag(30, 20))
	note := exif("MM", 3)
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(note))), append([]byte("eXIf"), note...)...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	turnedPNG = append(turnedPNG[:33:33], append(chunk, turnedPNG[33:]...)...)

	noise := stdimage.NewNRGBA(stdimage.Rect(0, 0, 1500, 1400))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.Uint32())
	}
	part := &gif.GIF{Config: stdimage.Config{Width: 60, Height: 40}, Image: []*stdimage.Paletted{stdimage.NewPaletted(stdimage.Rect(50, 30, 60, 40), color.Palette{color.NRGBA{0, 0, 255, 255}})}, Delay: []int{0}}
	var partGIF bytes.Buffer
	if err := gif.EncodeAll(&partGIF, part); err != nil {
		t.Fatal(err)
	}

	tests := []struct {
		name   string
		data   []byte
		want   string // type and size
		scaled bool
		same   bool // not a byte differs
		shows  string
	}{
		{"a PNG as it is", asPNG(t, flag(1568, 30)), "image/png 1568×30", false, true, upright},
		{"a PNG with clear parts", asPNG(t, clear), "image/png 40×30", false, true, upright},
		{"a JPEG as it is", asJPEG(t, flag(60, 40), nil), "image/jpeg 60×40", false, true, upright},
		{"a progressive JPEG", testdata(t, "progressive.jpg"), "image/jpeg 30×20", false, true, upright},
		{"a JPEG for print", testdata(t, "cmyk.jpg"), "image/jpeg 30×20", false, true, upright},
		{"a lossy WebP", testdata(t, "lossy.webp"), "image/webp 30×20", false, true, upright},
		{"a lossless WebP", testdata(t, "lossless.webp"), "image/webp 30×20", false, true, upright},
		{"a WebP with clear parts", testdata(t, "alpha.webp"), "image/webp 30×20", false, true, upright},
		{"the first picture of an animated WebP", testdata(t, "animated.webp"), "image/png 30×20", false, false, upright},
		{"the first picture of an animated GIF", testdata(t, "animated.gif"), "image/png 30×20", false, false, upright},
		{"a GIF whose first picture is a part of it", partGIF.Bytes(), "image/png 60×40", false, false, "blue bottom right"},
		{"a wide PNG", asPNG(t, flag(3136, 1000)), "image/png 1568×500", true, false, upright},
		{"a tall JPEG", asJPEG(t, flag(400, 1569), nil), "image/jpeg 400×1568", true, false, upright},
		{"a line", asPNG(t, flag(20000, 1)), "image/png 1568×1", true, false, ""},
		{"too many bytes", asPNG(t, noise), "image/jpeg 1500×1400", false, false, ""},
		{"a JPEG that is upright", asJPEG(t, flag(60, 40), exif("II", 1)), "image/jpeg 60×40", false, true, upright},
		{"… mirrored", asJPEG(t, flag(60, 40), exif("II", 2)), "image/jpeg 60×40", false, false, "red top right, blue bottom left"},
		{"… on its head", asJPEG(t, flag(60, 40), exif("MM", 3)), "image/jpeg 60×40", false, false, "blue top left, red bottom right"},
		{"… on its head and mirrored", asJPEG(t, flag(60, 40), exif("MM", 4)), "image/jpeg 60×40", false, false, "blue top right, red bottom left"},
		{"… transposed", asJPEG(t, flag(60, 40), exif("MM", 5)), "image/jpeg 40×60", false, false, "red top left, blue bottom right"},
		{"… to be turned right", asJPEG(t, flag(60, 40), exif("II", 6)), "image/jpeg 40×60", false, false, "red top right, blue bottom left"},
		{"… transposed the other way", asJPEG(t, flag(60, 40), exif("II", 7)), "image/jpeg 40×60", false, false, "blue top left, red bottom right"},
		{"… to be turned left", asJPEG(t, flag(60, 40), exif("II", 8)), "image/jpeg 40×60", false, false, "blue top right, red bottom left"},
		{"… to be turned in a way there is not", asJPEG(t, flag(60, 40), exif("II", 9)), "image/jpeg 60×40", false, true, upright},
		{"… with a note that is cut off", asJPEG(t, flag(60, 40), exif("II", 6)[:20]), "image/jpeg 60×40", false, true, upright},
		{"… large, to be turned", asJPEG(t, flag(2000, 1000), exif("II", 6)), "image/jpeg 784×1568", true, false, "red top right, blue bottom left"},
		{"a PNG to be turned", turnedPNG, "image/png 30×20", false, false, "blue top left, red bottom right"},
		{"a WebP to be turned", testdata(t, "exif.webp"), "image/png 20×30", false, false, "red top right, blue bottom left"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := bytes.Clone(tt.data)
			p, err := Fit(t.Context(), tt.data)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%s %d×%d", p.Type, p.Width, p.Height); got != tt.want || p.Scaled() != tt.scaled {
				t.Errorf("%s, scaled %v; want %s, %v", got, p.Scaled(), tt.want, tt.scaled)
			}
			if same := bytes.Equal(p.Data, tt.data); same != tt.same {
				t.Errorf("as it was: %v, want %v", same, tt.same)
			}
			if !bytes.Equal(before, tt.data) {
				t.Error("the original was written to")
			}
			if w, h, err := Size(p.Data); err != nil || !tt.same && (w != p.Width || h != p.Height) || len(p.Data) > MaxBytes {
				t.Errorf("the result is %d×%d, %d bytes, %v", w, h, len(p.Data), err)
			}
			if tt.shows != "" {
				if got := shows(t, p.Data); got != tt.shows {
					t.Errorf("it shows %s; want %s", got, tt.shows)
				}
			}
		})
	}
}

// claims gives a PNG another size than it has.
func claims(t *testing.T, w, h uint32) []byte {
	t.Helper()
	data := asPNG(t, flag(3, 2))
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func TestFitRefuses(t *testing.T) {
	whole := asPNG(t, flag(300, 200))
	photo := asJPEG(t, flag(300, 200), nil)
	webp := testdata(t, "lossy.webp")
	hugeWebP := bytes.Clone(testdata(t, "lossless.webp"))
	binary.LittleEndian.PutUint32(hugeWebP[21:], 0x0fffffff) // 16384×16384
	twelveBit := bytes.Clone(photo)
	twelveBit[bytes.Index(twelveBit, []byte("\xff\xc0"))+4] = 12
	tests := []struct {
		name string
		data []byte
		kind Kind
		want string
	}{
		{"nothing", nil, Broken, "the file is empty"},
		{"text", []byte("hello"), Unsupported, "no picture, but text/plain; PNG, JPEG, GIF and WebP are read"},
		{"HTML", []byte("<!doctype html><p>"), Unsupported, "no picture, but text/html"},
		{"SVG", []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`), Unsupported, "an SVG picture"},
		{"BMP", testdata(t, "x.bmp"), Unsupported, "a BMP picture"},
		{"TIFF", testdata(t, "x.tiff"), Unsupported, "a TIFF picture"},
		{"AVIF", []byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1"), Unsupported, "an AVIF picture"},
		{"HEIC", []byte("\x00\x00\x00\x1cftypheic\x00\x00\x00\x00mif1"), Unsupported, "a HEIC picture"},
		{"bytes", []byte{0, 1, 2, 3}, Unsupported, "it is no picture; PNG"},
		{"a signature alone", whole[:8], Broken, "a broken PNG: it is cut off"},
		{"half a PNG", whole[:len(whole)/2], Broken, "a broken PNG"},
		{"half a JPEG", photo[:len(photo)/2], Broken, "a broken JPEG"},
		{"half a WebP", webp[:len(webp)/2], Broken, "a broken WebP: it is cut off"},
		{"a WebP of nothing", webp[:12], Broken, "a broken WebP: there is no picture in it"},
		{"half a GIF", testdata(t, "animated.gif")[:60], Broken, "a broken GIF"},
		{"a wrong checksum", append(bytes.Clone(whole[:50]), append([]byte{whole[50] + 1}, whole[51:]...)...), Broken, "a broken PNG"},
		{"a JPEG of twelve bits", twelveBit, Unsupported, "a JPEG of a kind that cannot be read"},
		{"a bomb", claims(t, 40000, 40000), TooLarge, "a PNG of 40000×40000 pixels; at most 80 million"},
		{"a larger bomb", claims(t, 0x7fffffff, 0x7fffffff), Unsupported, "dimension overflow"},
		{"a bomb in WebP", hugeWebP, TooLarge, "a WebP of 16384×16384 pixels"},
		{"no pixels", claims(t, 0, 5), Broken, "a broken PNG"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Fit(t.Context(), tt.data)
			runtime.ReadMemStats(&after)
			var e *Error
			if !errors.As(err, &e) || e.Kind != tt.kind || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s: %s", err, tt.kind, tt.want)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 32<<20 {
				t.Errorf("%d MiB were used to find out", used>>20)
			}
		})
	}
}

func TestDecodingEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	_, err := Fit(ctx, asPNG(t, flag(30, 20)))
	var e *Error
	if !errors.As(err, &e) || e.Kind != Slow {
		t.Errorf("%v", err)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "not-a-name-for.txt")
	want := asPNG(t, flag(3, 2))
	if err := os.WriteFile(file, want, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	large := filepath.Join(dir, "large.png")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, MaxFile+1); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		path string
		kind Kind
		want string
	}{
		{filepath.Join(dir, "nope.png"), Missing, "there is no file "},
		{dir, NotAFile, "is a directory"},
		{large, TooLarge, "at most 64 MiB are read"},
	}
	if runtime.GOOS != "windows" {
		tests = append(tests, struct {
			path string
			kind Kind
			want string
		}{"/dev/zero", NotAFile, "is not a file"})
	}
	locked := filepath.Join(dir, "locked.png")
	if err := os.WriteFile(locked, want, 0o200); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(locked); err != nil {
		tests = append(tests, struct {
			path string
			kind Kind
			want string
		}{locked, Unreadable, "no permission to read"})
	} else {
		f.Close() // root may read anything
	}
	for _, tt := range tests {
		_, err := Read(tt.path)
		var e *Error
		if !errors.As(err, &e) || e.Kind != tt.kind || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.path, err, tt.want)
		}
	}
}

// FuzzFit holds that no file does worse than an error, and that what is accepted
// is within the limits.
func FuzzFit(f *testing.F) {
	f.Add(asPNG(f, flag(3, 2)))
	f.Add(asJPEG(f, flag(3, 2), exif("II", 6)))
	for _, name := range []string{"alpha.webp", "animated.gif", "animated.webp", "exif.webp", "lossless.webp", "lossy.webp", "progressive.jpg"} {
		f.Add(testdata(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if head, err := inspect(data); err == nil && head.width*head.height > 1e6 {
			return // is slow, and no different
		}
		p, err := Fit(t.Context(), data)
		var e *Error
		if err != nil {
			if !errors.As(err, &e) || e.Kind == "" || e.Message == "" {
				t.Errorf("%v", err)
			}
			return
		}
		if p.Width < 1 || p.Height < 1 || max(p.Width, p.Height) > MaxEdge || len(p.Data) > MaxBytes {
			t.Errorf("%d×%d, %d bytes", p.Width, p.Height, len(p.Data))
		}
		if _, err := Fit(t.Context(), p.Data); err != nil {
			t.Errorf("what was made of it cannot be read: %v", err)
		}
	})
}
