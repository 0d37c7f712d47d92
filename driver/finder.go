package driver

import "context"

// Finder finds elements by where they are from another one: beside it, with
// boxes that overlap on the other axis, or near it, the nearest first.
type Finder struct {
	from      *Element
	direction string
	words     string // in errors
	within    float64
}

// RightOf finds what is to the right of what a locator finds.
func (d *Driver) RightOf(locator string) *Finder { return d.Locate(locator).RightOf() }

// LeftOf finds what is to the left of what a locator finds.
func (d *Driver) LeftOf(locator string) *Finder { return d.Locate(locator).LeftOf() }

// Above finds what is above what a locator finds.
func (d *Driver) Above(locator string) *Finder { return d.Locate(locator).Above() }

// Below finds what is below what a locator finds.
func (d *Driver) Below(locator string) *Finder { return d.Locate(locator).Below() }

// Near finds what is at most 50 px from what a locator finds, centre to centre.
func (d *Driver) Near(locator string) *Finder { return d.Locate(locator).Near() }

// RightOf finds what is to the right of the element.
func (e *Element) RightOf() *Finder { return &Finder{e, "rightOf", "to the right of", 0} }

// LeftOf finds what is to the left of the element.
func (e *Element) LeftOf() *Finder { return &Finder{e, "leftOf", "to the left of", 0} }

// Above finds what is above the element.
func (e *Element) Above() *Finder { return &Finder{e, "above", "above", 0} }

// Below finds what is below the element.
func (e *Element) Below() *Finder { return &Finder{e, "below", "below", 0} }

// Near finds what is at most 50 px from the element, centre to centre.
func (e *Element) Near() *Finder { return &Finder{e, "near", "near", 0} }

// Within bounds how far away it may be, in pixels: from edge to edge, for Near
// from centre to centre.
func (f *Finder) Within(px float64) *Finder {
	g := *f
	g.within = px
	return &g
}

// Find is the nearest element that a locator finds there. It is looked for when
// it is used. The locator is CSS, XPath or a wildcard.
func (f *Finder) Find(locator string) *Element {
	e := f.from.then(step{To: f.direction, By: locator, Within: f.within}, locator+" "+f.words+" "+f.from.name)
	e.missing = "no element found " + f.words + " " + f.from.name + " matching: " + locator
	return e
}

// FindAll are all elements that a locator finds there now, the nearest first.
func (f *Finder) FindAll(ctx context.Context, locator string) ([]*Element, error) {
	return f.Find(locator).all(ctx)
}

// Exists says whether a locator finds something there now.
func (f *Finder) Exists(ctx context.Context, locator string) (bool, error) {
	return f.Find(locator).Exists(ctx)
}

// Click clicks the nearest element that a locator finds there.
func (f *Finder) Click(ctx context.Context, locator string) error { return f.Find(locator).Click(ctx) }

// Input types into the nearest field that a locator finds there; any field where
// it is "".
func (f *Finder) Input(ctx context.Context, locator string, texts ...string) error {
	return f.Find(orAny(locator, "{input}")).Input(ctx, texts...)
}

// Select chooses an option of the nearest select that a locator finds there; any
// where it is "".
func (f *Finder) Select(ctx context.Context, locator, option string) error {
	return f.Find(orAny(locator, "{select}")).Select(ctx, option)
}

func orAny(locator, any string) string {
	if locator == "" {
		return any
	}
	return locator
}
