package rove

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/png" // what pictures are
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rove/driver"
	"rove/driver/advice"
	"rove/driver/backend"
)

// Places. Where an element is acted on, a point can be named instead: e9@x,y from the
// corner of an element, @x,y of what is on screen, p3@x,y of picture 3. A point of a
// picture is found again on the page as it is now, and it is looked whether it still
// looks the same: what a model saw there is what it means.

var placeShape = regexp.MustCompile(`^(?:p(\d+)|((?:f\d+)?e\d+))?@\s*(-?[0-9.]+)\s*,\s*(-?[0-9.]+)$`)

// picturesKept is how many pictures can be pointed at.
const picturesKept = 6

// pictures are what a session has shown of its pages.
type pictures struct {
	count int
	kept  []picture
}

type picture struct {
	shot driver.PictureInfo
	png  []byte
	tab  *driver.Tab
}

// keep numbers a picture and remembers it.
func (p *pictures) keep(png []byte, shot *driver.PictureInfo, tab *driver.Tab) {
	if shot == nil || len(png) == 0 {
		return
	}
	p.count++
	shot.Number = p.count
	p.kept = append(p.kept, picture{*shot, png, tab})
	if len(p.kept) > picturesKept {
		p.kept = slices.Delete(p.kept, 0, 1)
	}
}

// PictureOnFailure has acts that fail answer with a picture of the page.
func (s *Session) PictureOnFailure(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failurePictures = on
}

// pictured is what is said of a picture: its number, and once what that is good for.
func pictured(s *driver.PictureInfo) string {
	if s == nil || s.Number == 0 {
		return ""
	}
	text := fmt.Sprintf("picture %d (%d×%d)", s.Number, s.Width, s.Height)
	if s.Number == 1 {
		text += "; p1@x,y is a place in it: click it, drag it, drag to it"
	}
	return text
}

// pointed are the operations that a place can be named for.
var pointed = []string{"click", "dblclick", "rightclick", "hover", "drag"}

// resolvePlaces finds the elements at the places that a step names.
func (s *Session) resolvePlaces(ctx context.Context, st Step) (_ Step, err error) {
	if m := placeShape.FindStringSubmatch(strings.TrimSpace(st.Ref)); m != nil {
		op := st.Op + " " + st.Ref
		if !slices.Contains(pointed, st.Op) {
			return st, &Error{Code: CodeInvalid, Op: op, Message: st.Ref + " is a place, which takes " + strings.Join(pointed, ", "), Hint: "name an element for anything else"}
		}
		if st.Op != "drag" && st.Value != "" {
			return st, driver.Invalid(op, "the place is said twice: leave the value out")
		}
		ref, at, err := s.elementAt(ctx, op, m)
		if err != nil {
			return st, err
		}
		st.Ref, st.at = ref, at
	}
	if m := placeShape.FindStringSubmatch(strings.TrimSpace(st.Value)); m != nil && st.Op == "drag" && m[1] != "" {
		if st.drop, err = s.dropAt(ctx, "drag to "+st.Value, m); err != nil {
			return st, err
		}
	}
	return st, nil
}

// dropAt is where on the page a place of a picture is.
func (s *Session) dropAt(ctx context.Context, op string, m []string) (*[2]float64, error) {
	x, y, err := point(op, m)
	if err != nil {
		return nil, err
	}
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return nil, err
	}
	if x, y, err = s.onPage(ctx, tab, op, m[1], x, y); err != nil {
		return nil, err
	}
	left, top, _, _, err := tab.VisibleArea(ctx)
	return &[2]float64{left + x, top + y}, err
}

// point reads the figures of a place.
func point(op string, m []string) (x, y float64, err error) {
	x, errX := strconv.ParseFloat(m[3], 64)
	y, errY := strconv.ParseFloat(m[4], 64)
	if errX != nil || errY != nil {
		return 0, 0, driver.Invalid(op, "%q is no place; write it as @x,y, e9@x,y or p3@x,y", m[0])
	}
	return x, y, nil
}

// elementAt is the element at a place, and where in it.
func (s *Session) elementAt(ctx context.Context, op string, m []string) (string, *[2]float64, error) {
	x, y, err := point(op, m)
	if err != nil {
		return "", nil, err
	}
	if m[2] != "" {
		return m[2], &[2]float64{x, y}, nil
	}
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return "", nil, err
	}
	if m[1] != "" {
		if x, y, err = s.onPage(ctx, tab, op, m[1], x, y); err != nil {
			return "", nil, err
		}
	}
	ref, at, err := tab.ElementAt(ctx, x, y)
	if err != nil {
		return "", nil, err
	}
	return string(ref), &at, nil
}

// onPage is where a point of a picture is in the viewport now.
func (s *Session) onPage(ctx context.Context, tab *driver.Tab, op, number string, x, y float64) (float64, float64, error) {
	no := func(hint advice.Code, format string, args ...any) (float64, float64, error) {
		return 0, 0, (&Error{Code: CodeStale, Op: op, Message: fmt.Sprintf(format, args...)}).Advise(hint)
	}
	i := slices.IndexFunc(s.pictures.kept, func(p picture) bool { return strconv.Itoa(p.shot.Number) == number })
	switch {
	case s.pictures.count == 0:
		return no(advice.NewPicture, "there is no picture %s: none was taken", number)
	case i < 0:
		return no(advice.NewPicture, "there is no picture %s; the last is %d, and the last %d are kept", number, s.pictures.count, len(s.pictures.kept))
	}
	p := s.pictures.kept[i]
	switch {
	case p.tab != tab:
		return no(advice.PictureOrTab, "picture %s is of another tab", number)
	case x < 0 || y < 0 || x >= float64(p.shot.Width) || y >= float64(p.shot.Height):
		return 0, 0, driver.Invalid(op, "%v,%v is outside of picture %s, which is %d×%d", x, y, number, p.shot.Width, p.shot.Height)
	}
	was, _, err := image.Decode(bytes.NewReader(p.png))
	if err != nil {
		return no(advice.NewPicture, "picture %s cannot be read", number)
	}
	dx, dy := x/p.shot.Ratio, y/p.shot.Ratio
	looks := func(pageX, pageY float64) (bool, error) {
		return s.looksTheSame(ctx, tab, was, p.shot.Ratio, x, y, pageX, pageY)
	}
	px, py := p.shot.X+dx, p.shot.Y+dy
	left, top, width, height, err := tab.VisibleArea(ctx)
	if err != nil {
		return 0, 0, err
	}
	// It may have been scrolled since: then it is elsewhere on screen, or it stays
	// where it is on screen, as bars and dialogs do.
	if p.shot.Screen && (left != p.shot.X || top != p.shot.Y) {
		if same, err := looks(left+dx, top+dy); err != nil || same {
			return dx, dy, err
		}
	}
	if vx, vy := px-left, py-top; vx >= 0 && vy >= 0 && vx < width && vy < height {
		same, err := looks(px, py)
		if err != nil {
			return 0, 0, err
		}
		if same {
			return vx, vy, nil
		}
		return no(advice.PictureOrRef, "what is at that place does not look as it does in picture %s", number)
	}
	vx, vy, err := tab.ScrollToPoint(ctx, px, py)
	if err != nil {
		return 0, 0, err
	}
	if same, err := looks(px, py); err != nil || same {
		return vx, vy, err
	}
	return no(advice.PictureOrRef, "what is at that place does not look as it does in picture %s", number)
}

// How much around a point is compared, in CSS pixels, how far a colour may be off, and
// how much of it may look different: a caret blinks, a neighbour is highlighted.
const (
	patch      = 16
	colourOff  = 40
	differing  = 0.2
	colourSpan = 257 // of 16 bits to 8
)

// looksTheSame compares what is around a point of a picture with what is around a
// point of the page now.
func (s *Session) looksTheSame(ctx context.Context, tab *driver.Tab, was image.Image, ratio, x, y, pageX, pageY float64) (bool, error) {
	size := was.Bounds()
	around := image.Rect(int(x-patch*ratio), int(y-patch*ratio), int(x+patch*ratio), int(y+patch*ratio)).Intersect(size)
	clip := &backend.Rect{
		X: pageX - (x-float64(around.Min.X))/ratio, Y: pageY - (y-float64(around.Min.Y))/ratio,
		Width: float64(around.Dx()) / ratio, Height: float64(around.Dy()) / ratio,
	}
	if clip.X < 0 || clip.Y < 0 {
		clip.X, clip.Y = math.Max(clip.X, 0), math.Max(clip.Y, 0)
	}
	png, err := tab.Screenshot(ctx, backend.ScreenshotOptions{Clip: clip})
	if err != nil {
		return false, err
	}
	now, _, err := image.Decode(bytes.NewReader(png))
	if err != nil {
		return false, err
	}
	return alike(was, around.Min, now), nil
}

// alike says whether a picture looks like the part of another that begins at a point.
func alike(whole image.Image, at image.Point, part image.Image) bool {
	all, off := 0, 0
	b := part.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			p := image.Pt(at.X+x-b.Min.X, at.Y+y-b.Min.Y)
			if !p.In(whole.Bounds()) {
				continue
			}
			all++
			r1, g1, b1, _ := whole.At(p.X, p.Y).RGBA()
			r2, g2, b2, _ := part.At(x, y).RGBA()
			if far(r1, r2) || far(g1, g2) || far(b1, b2) {
				off++
			}
		}
	}
	return all > 0 && float64(off) <= differing*float64(all)
}

func far(a, b uint32) bool {
	if a < b {
		a, b = b, a
	}
	return a-b > colourOff*colourSpan
}
