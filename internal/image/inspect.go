package image

import (
	"bytes"
	"errors"
	"fmt"
	stdimage "image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"strings"
)

// header is what there is to know of a picture before it is decoded.
type header struct {
	format        string // png, jpeg, gif or webp
	data          []byte // to decode: that of the first picture of an animation
	width, height int    // as stored
	turned        int    // how it is to be turned, 1 to 8, as cameras count; 1 is upright
	animated      bool   // and the format shows only its beginning
}

// inspect reads the beginning of a picture and refuses what cannot be read, or
// would be too large.
func inspect(data []byte) (header, error) {
	head := header{format: formatOf(data), data: data}
	var config stdimage.Config
	var err error
	switch head.format {
	case "png":
		config, err = png.DecodeConfig(bytes.NewReader(data))
		head.turned = orientation(pngChunk(data, "eXIf"))
	case "jpeg":
		config, err = jpeg.DecodeConfig(bytes.NewReader(data))
		head.turned = orientation(jpegExif(data))
	case "gif":
		config, err = gif.DecodeConfig(bytes.NewReader(data))
	case "webp":
		var w webpFile
		if w, err = parseWebP(data); err == nil {
			head.data, head.animated = w.still(), w.animated
			config.Width, config.Height = w.width, w.height
			head.turned = orientation(w.exif)
		}
	default:
		return header{}, other(data)
	}
	head.width, head.height = config.Width, config.Height
	pixels := int64(head.width) * int64(head.height) // each is at most 2³¹
	switch {
	case unsupportedFeature(err):
		return header{}, unsupported(head.format, err)
	case err != nil:
		return header{}, broken(head.format, err)
	case head.width < 1 || head.height < 1:
		return header{}, broken(head.format, fmt.Errorf("it is %d×%d pixels", head.width, head.height))
	case pixels > MaxPixels:
		return header{}, &Error{Kind: TooLarge, Message: fmt.Sprintf("a %s of %d×%d pixels; at most %d million pixels are read", name(head.format), head.width, head.height, int(MaxPixels/1e6))}
	case float64(pixels)*cost(head.format, data) > MaxMemory:
		return header{}, &Error{Kind: TooLarge, Message: fmt.Sprintf("a %s of %d×%d pixels, of a kind that takes %.0f bytes a pixel to read; at most %d MB are taken", name(head.format), head.width, head.height, cost(head.format, data), int(MaxMemory/1e6))}
	}
	return head, nil
}

// formatOf tells a picture's format by its first bytes; "" is none of the four.
func formatOf(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "jpeg"
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return "gif"
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "webp"
	}
	return ""
}

func name(format string) string {
	return map[string]string{"png": "PNG", "jpeg": "JPEG", "gif": "GIF", "webp": "WebP"}[format]
}

// Formats are the formats that are read, for messages.
const Formats = "PNG, JPEG, GIF and WebP"

// other is the error for what is no picture of a format that is read.
func other(data []byte) error {
	if len(data) == 0 {
		return &Error{Kind: Broken, Message: "the file is empty"}
	}
	what := ""
	text := strings.ToLower(string(data[:min(len(data), 1024)]))
	switch kind, _, _ := strings.Cut(http.DetectContentType(data), ";"); {
	case len(data) >= 12 && string(data[4:8]) == "ftyp" && strings.Contains("avif avis", string(data[8:12])):
		what = "an AVIF picture"
	case len(data) >= 12 && string(data[4:8]) == "ftyp" && strings.Contains("heic heix heim mif1 msf1 hevc", string(data[8:12])):
		what = "a HEIC picture"
	case bytes.HasPrefix(data, []byte("II*\x00")), bytes.HasPrefix(data, []byte("MM\x00*")):
		what = "a TIFF picture"
	case strings.HasPrefix(kind, "text/") && strings.Contains(text, "<svg"):
		what = "an SVG picture"
	case kind == "image/bmp":
		what = "a BMP picture"
	case kind == "image/x-icon":
		what = "an icon"
	case kind == "application/octet-stream":
		what = "no picture"
	default:
		what = "no picture, but " + kind
	}
	return &Error{Kind: Unsupported, Message: fmt.Sprintf("it is %s; %s are read", what, Formats)}
}

// Kind tells errors apart.
type Kind string

// Why a picture cannot be read.
const (
	Missing     Kind = "missing"
	NotAFile    Kind = "not a file"
	Unreadable  Kind = "unreadable"
	Unsupported Kind = "unsupported"
	Broken      Kind = "broken"
	TooLarge    Kind = "too large"
	Slow        Kind = "slow"
)

// Error says why a picture cannot be read.
type Error struct {
	Kind    Kind
	Message string
	Err     error
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

func unsupported(format string, err error) *Error {
	return &Error{Kind: Unsupported, Message: fmt.Sprintf("a %s of a kind that cannot be read: %v", name(format), err), Err: err}
}

func broken(format string, err error) *Error {
	why := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		why = "it is cut off"
	}
	return &Error{Kind: Broken, Message: fmt.Sprintf("a broken %s: %s", name(format), why), Err: err}
}
