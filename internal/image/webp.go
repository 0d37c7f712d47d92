package image

import (
	"encoding/binary"
	"errors"
)

// webpFile is what a WebP file holds. Its parts are looked at here, since the
// decoder takes the size of an extended file from one place and the memory for it
// from another, and knows no animations.
type webpFile struct {
	width, height int
	animated      bool
	frame         []byte // the chunks of the picture, or of the first one
	alpha         bool   // the frame has its transparency in a chunk of its own
	exif          []byte
}

var errWebP = errors.New("its chunks make no sense")

// chunks calls f for each chunk of a RIFF body, up to one that is cut off, which
// is told.
func chunks(body []byte, f func(id string, whole, data []byte) error) error {
	for len(body) >= 8 {
		size := int64(binary.LittleEndian.Uint32(body[4:]))
		padded := 8 + size + size&1
		if 8+size > int64(len(body)) {
			return errors.New("it is cut off")
		}
		padded = min(padded, int64(len(body)))
		if err := f(string(body[:4]), body[:padded], body[8:8+size]); err != nil {
			return err
		}
		body = body[padded:]
	}
	return nil
}

func parseWebP(data []byte) (webpFile, error) {
	var w webpFile
	extended := false
	var canvas [2]int
	err := chunks(data[12:], func(id string, whole, data []byte) error {
		switch id {
		case "VP8X":
			if len(data) < 10 {
				return errWebP
			}
			extended, w.animated = true, data[0]&2 != 0
			canvas = [2]int{uint24(data[4:]) + 1, uint24(data[7:]) + 1}
		case "EXIF":
			w.exif = data
		case "ANMF":
			if w.frame != nil {
				return nil // only the first is shown
			}
			if len(data) < 16 {
				return errWebP
			}
			return chunks(data[16:], w.part)
		default:
			if !w.animated {
				return w.part(id, whole, data)
			}
		}
		return nil
	})
	switch {
	case w.width == 0 && err == nil:
		err = errors.New("there is no picture in it")
	case w.width == 0:
	case extended && !w.animated && canvas != [2]int{w.width, w.height}:
		err = errWebP
	default:
		err = nil // what is cut off after the picture is no loss
	}
	return w, err
}

// part takes up a chunk of the picture itself.
func (w *webpFile) part(id string, whole, data []byte) error {
	switch {
	case w.width > 0: // there is one already
		return nil
	case id == "ALPH":
		w.alpha = true
		w.frame = append(w.frame, pad(whole)...)
		return nil
	case id == "VP8 ":
		if len(data) < 10 || data[3] != 0x9d || data[4] != 0x01 || data[5] != 0x2a {
			return errWebP
		}
		w.width = int(binary.LittleEndian.Uint16(data[6:])) & 0x3fff
		w.height = int(binary.LittleEndian.Uint16(data[8:])) & 0x3fff
	case id == "VP8L":
		if len(data) < 5 || data[0] != 0x2f {
			return errWebP
		}
		bits := binary.LittleEndian.Uint32(data[1:])
		w.width, w.height = int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1
	default:
		return nil
	}
	if w.width == 0 || w.height == 0 {
		w.width = 0
		return errWebP
	}
	w.frame = append(w.frame, pad(whole)...)
	return nil
}

// still is a file of the picture alone.
func (w *webpFile) still() []byte {
	body := []byte("WEBP")
	if w.alpha {
		head := make([]byte, 18)
		copy(head, "VP8X\x0a\x00\x00\x00\x10")
		put24(head[12:], w.width-1)
		put24(head[15:], w.height-1)
		body = append(body, head...)
	}
	body = append(body, w.frame...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// pad gives a chunk the even length that it has to have.
func pad(chunk []byte) []byte {
	if len(chunk)%2 == 1 {
		return append(chunk[:len(chunk):len(chunk)], 0)
	}
	return chunk
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

func put24(b []byte, n int) { b[0], b[1], b[2] = byte(n), byte(n>>8), byte(n>>16) }
