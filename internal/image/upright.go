package image

import (
	"bytes"
	"encoding/binary"
	stdimage "image"
)

// jpegExif finds what a camera wrote about a JPEG.
func jpegExif(data []byte) []byte {
	const exif = "Exif\x00\x00"
	for i := 2; i+4 <= len(data) && data[i] == 0xff; {
		marker, size := data[i+1], int(binary.BigEndian.Uint16(data[i+2:]))
		switch {
		case marker == 0xff: // padding
			i++
			continue
		case marker == 0xda || size < 2 || i+2+size > len(data): // the picture begins
			return nil
		case marker == 0xe1 && bytes.HasPrefix(data[i+4:i+2+size], []byte(exif)):
			return data[i+4+len(exif) : i+2+size]
		}
		i += 2 + size
	}
	return nil
}

// pngChunk finds a chunk of a PNG that stands before the picture.
func pngChunk(data []byte, want string) []byte {
	for i := 8; i+8 <= len(data); {
		size, id := int64(binary.BigEndian.Uint32(data[i:])), string(data[i+4:i+8])
		end := int64(i) + 8 + size
		switch {
		case end+4 > int64(len(data)) || id == "IDAT":
			return nil
		case id == want:
			return data[i+8 : end]
		}
		i = int(end) + 4
	}
	return nil
}

// orientation reads how a picture is to be turned, 1 to 8; 1 where it does not
// say.
func orientation(exif []byte) int {
	exif = bytes.TrimPrefix(exif, []byte("Exif\x00\x00"))
	if len(exif) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(exif[:2]) {
	case "MM":
		order = binary.BigEndian
	case "II":
	default:
		return 1
	}
	at := int64(order.Uint32(exif[4:]))
	if at+2 > int64(len(exif)) {
		return 1
	}
	count := int64(order.Uint16(exif[at:]))
	const tag, size = 0x0112, 12
	for i := range count {
		entry := at + 2 + i*size
		if entry+size > int64(len(exif)) {
			return 1
		}
		if order.Uint16(exif[entry:]) == tag {
			if turned := int(order.Uint16(exif[entry+8:])); turned >= 1 && turned <= 8 {
				return turned
			}
			return 1
		}
	}
	return 1
}

// upright turns and mirrors a picture as its camera said.
func upright(m *stdimage.NRGBA, turned int) *stdimage.NRGBA {
	if turned <= 1 {
		return m
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	if turned >= 5 {
		out = stdimage.NewNRGBA(stdimage.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			var to [2]int
			switch turned {
			case 2: // mirrored
				to = [2]int{w - 1 - x, y}
			case 3: // on its head
				to = [2]int{w - 1 - x, h - 1 - y}
			case 4:
				to = [2]int{x, h - 1 - y}
			case 5:
				to = [2]int{y, x}
			case 6: // a quarter to the right
				to = [2]int{h - 1 - y, x}
			case 7:
				to = [2]int{h - 1 - y, w - 1 - x}
			default: // 8, a quarter to the left
				to = [2]int{y, w - 1 - x}
			}
			from, at := m.PixOffset(x, y), out.PixOffset(to[0], to[1])
			copy(out.Pix[at:at+4], m.Pix[from:from+4])
		}
	}
	return out
}
