package image

import "encoding/binary"

// cost is how many bytes decoding a picture takes for each pixel, by what its
// header says: a small file can ask for a lot by more than its size in pixels.
func cost(format string, data []byte) float64 {
	switch format {
	case "png":
		return pngCost(data)
	case "jpeg":
		return jpegCost(data)
	case "webp":
		return 5 // colour and alpha; of a lossless one, four and what it is made from
	}
	return 1 // indexes of a palette
}

// pngCost: pictures of 16 bits take twice as much, and interlaced ones are there
// twice while they are put together.
func pngCost(data []byte) float64 {
	if len(data) < 29 {
		return 16
	}
	depth, colour, interlaced := data[24], data[25], data[28] != 0
	const gray, palette = 0, 3
	per := 4.0
	switch clear := pngChunk(data, "tRNS") != nil; {
	case depth == 16 && colour == gray && !clear:
		per = 2
	case depth == 16:
		per = 8
	case colour == palette, colour == gray && !clear:
		per = 1
	}
	if interlaced {
		per *= 2
	}
	return per
}

// jpegCost: a progressive picture is kept as coefficients of four bytes until the
// last of it has come, and then decoded. Each part counts by how finely it was
// sampled; four parts are turned into one more picture.
func jpegCost(data []byte) float64 {
	for i := 2; i+9 < len(data) && data[i] == 0xff; {
		marker, size := data[i+1], int(binary.BigEndian.Uint16(data[i+2:]))
		if marker == 0xff { // a byte that fills
			i++
			continue
		}
		if marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc {
			parts := int(data[i+9])
			sum, widest, tallest := 0, 1, 1
			for k := 0; k < parts && i+11+3*k < len(data); k++ {
				h, v := int(data[i+11+3*k]>>4), int(data[i+11+3*k]&15)
				sum, widest, tallest = sum+h*v, max(widest, h), max(tallest, v)
			}
			per := float64(sum) / float64(widest*tallest)
			if marker == 0xc2 {
				per *= 5
			}
			if parts == 4 {
				per += 4
			}
			return per
		}
		i += 2 + size
	}
	return 20 // it is no picture that is read
}
