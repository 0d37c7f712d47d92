package driver

import (
	"context"
	"time"
)

// The operations by locator: each is the element's own, and gives the element,
// so that one can go on from it.

func with(e *Element, err error) (*Element, error) {
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Click clicks what a locator finds.
func (d *Driver) Click(ctx context.Context, locator string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.Click(ctx))
}

// DoubleClick clicks what a locator finds twice.
func (d *Driver) DoubleClick(ctx context.Context, locator string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.DoubleClick(ctx))
}

// RightClick clicks what a locator finds with the right button.
func (d *Driver) RightClick(ctx context.Context, locator string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.RightClick(ctx))
}

// Hover moves the pointer onto what a locator finds.
func (d *Driver) Hover(ctx context.Context, locator string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.Hover(ctx))
}

// Focus gives what a locator finds the focus.
func (d *Driver) Focus(ctx context.Context, locator string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.Focus(ctx))
}

// Clear empties a field.
func (d *Driver) Clear(ctx context.Context, locator string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.Clear(ctx))
}

// Input replaces what a field holds; see Element.Input.
func (d *Driver) Input(ctx context.Context, locator string, texts ...string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.Input(ctx, texts...))
}

// InputFile gives files to a file input; see Element.InputFile.
func (d *Driver) InputFile(ctx context.Context, locator string, paths ...string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.InputFile(ctx, paths...))
}

// SetValue gives a field a value as a script would.
func (d *Driver) SetValue(ctx context.Context, locator, value string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.SetValue(ctx, value))
}

// Select chooses an option by value or text; see Element.Select.
func (d *Driver) Select(ctx context.Context, locator, option string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.Select(ctx, option))
}

// SelectIndex chooses an option by its number, from 0.
func (d *Driver) SelectIndex(ctx context.Context, locator string, n int) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.SelectIndex(ctx, n))
}

// Scroll brings what a locator finds into view.
func (d *Driver) Scroll(ctx context.Context, locator string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.Scroll(ctx))
}

// Highlight makes what a locator finds stand out for a while.
func (d *Driver) Highlight(ctx context.Context, locator string, duration ...time.Duration) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.Highlight(ctx, duration...))
}

// HighlightAll makes all that a locator finds stand out for a while.
func (d *Driver) HighlightAll(ctx context.Context, locator string, duration ...time.Duration) error {
	list, err := d.LocateAll(ctx, locator)
	for _, e := range list {
		if err == nil {
			err = e.Highlight(ctx, duration...)
		}
	}
	return err
}

// DragTo drags what a locator finds onto what another finds.
func (d *Driver) DragTo(ctx context.Context, locator, to string) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.DragTo(ctx, d.Locate(to)))
}

// Text is all the text inside what a locator finds.
func (d *Driver) Text(ctx context.Context, locator string) (string, error) {
	return d.Locate(locator).Text(ctx)
}

// HTML is what a locator finds as HTML.
func (d *Driver) HTML(ctx context.Context, locator string) (string, error) {
	return d.Locate(locator).HTML(ctx)
}

// Value is what a field holds.
func (d *Driver) Value(ctx context.Context, locator string) (string, error) {
	return d.Locate(locator).Value(ctx)
}

// Attribute is an attribute as it is written; ok is false where there is none.
func (d *Driver) Attribute(ctx context.Context, locator, name string) (value string, ok bool, err error) {
	return d.Locate(locator).Attribute(ctx, name)
}

// Property is a property as the page's own scripts see it.
func (d *Driver) Property(ctx context.Context, locator, name string) (any, error) {
	return d.Locate(locator).Property(ctx, name)
}

// Enabled says whether what a locator finds is not disabled.
func (d *Driver) Enabled(ctx context.Context, locator string) (bool, error) {
	return d.Locate(locator).Enabled(ctx)
}

// Position is where what a locator finds is in the page, or in the viewport.
func (d *Driver) Position(ctx context.Context, locator string, inViewport bool) (Position, error) {
	return d.Locate(locator).Position(ctx, inViewport)
}

// Role is the ARIA role of what a locator finds, by the ARIA and HTML-AAM
// specifications.
func (d *Driver) Role(ctx context.Context, locator string) (string, error) {
	return d.Locate(locator).Role(ctx)
}

// Name is the accessible name of what a locator finds, by the accname
// specification.
func (d *Driver) Name(ctx context.Context, locator string) (string, error) {
	return d.Locate(locator).Name(ctx)
}
