package driver

import "rove/driver/backend"

// What backends and users of the driver share is in package backend; these are
// the names that users meet.
type (
	// ContextOptions shape a browser context: viewport, downloads, policy.
	ContextOptions = backend.ContextOptions
	// Viewport is the size of the visible page in CSS pixels.
	Viewport = backend.Viewport
	// Geolocation is a place on earth.
	Geolocation = backend.Geolocation
	// ScreenshotOptions shape a picture.
	ScreenshotOptions = backend.ScreenshotOptions
	// PDFOptions shape a printed page.
	PDFOptions = backend.PDFOptions
	// Margin is the white around a printed page, in inches.
	Margin = backend.Margin
	// Rect is a rectangle in CSS pixels.
	Rect = backend.Rect
	// RouteRequest is a request on its way out; see Intercept.
	RouteRequest = backend.RouteRequest
	// RouteResponse is an answer to one.
	RouteResponse = backend.RouteResponse
)
