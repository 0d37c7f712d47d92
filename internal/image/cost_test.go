package image

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
)

// pngOf is the head of a PNG of a kind.
func pngOf(w, h uint32, depth, colour, interlace byte) []byte {
	ihdr := binary.BigEndian.AppendUint32([]byte("IHDR"), w)
	ihdr = append(binary.BigEndian.AppendUint32(ihdr, h), depth, colour, 0, 0, interlace)
	data := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	data = append(data, ihdr...)
	data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(ihdr))
	if colour == 3 {
		plte := []byte("PLTE\x00\x00\x00")
		data = binary.BigEndian.AppendUint32(append(append(data, 0, 0, 0, 3), plte...), crc32.ChecksumIEEE(plte))
	}
	return append(data, "\x00\x00\x00\x00IDAT\x35\xaf\x06\x1e"...)
}

// jpegOf is the head of a JPEG of a kind, with how finely each part is sampled.
func jpegOf(w, h uint16, marker byte, sampling ...byte) []byte {
	sof := []byte{0xff, marker, 0, byte(8 + 3*len(sampling)), 8}
	sof = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(sof, h), w)
	sof = append(sof, byte(len(sampling)))
	for i, s := range sampling {
		sof = append(sof, byte(i+1), s, 0)
	}
	app := append([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00"), make([]byte, 9)...)
	return append(append(app, sof...), 0xff, 0xda, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// TestCost: what decoding takes is bounded, whatever a picture is made of.
func TestCost(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		ok   bool
	}{
		{"a photo of 8 bits", pngOf(10000, 7900, 8, 2, 0), true},
		{"an interlaced photo", pngOf(10000, 7900, 8, 6, 1), false},
		{"an interlaced photo of a camera", pngOf(8000, 6000, 8, 2, 1), true},
		{"16 bits", pngOf(9000, 8000, 16, 6, 0), false},
		{"16 bits, interlaced", pngOf(8500, 8500, 16, 6, 1), false},
		{"16 bits of gray, interlaced", pngOf(8900, 8900, 16, 0, 1), true},
		{"16 bits, smaller", pngOf(6000, 4000, 16, 6, 1), true},
		{"a palette, interlaced", pngOf(8900, 8900, 8, 3, 1), true},
		{"a photo", jpegOf(8900, 8900, 0xc0, 0x22, 0x11, 0x11), true},
		{"a progressive photo of a camera", jpegOf(8000, 6000, 0xc2, 0x22, 0x11, 0x11), true},
		{"a large progressive photo", jpegOf(8900, 8900, 0xc2, 0x11, 0x11, 0x11), false},
		{"a progressive one in four colours", jpegOf(6000, 6000, 0xc2, 0x11, 0x11, 0x11, 0x11), false},
	} {
		_, err := inspect(c.data)
		var e *Error
		if large := errors.As(err, &e) && e.Kind == TooLarge; large == c.ok || err != nil && !large {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
