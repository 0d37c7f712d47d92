package feature

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/data"
)

// emulateDevice is Karate's: width, height, user agent.
func emulateDevice(c *uiCall) (any, error) {
	w, _ := c.number(0)
	h, ok := c.number(1)
	if !ok {
		return nil, fmt.Errorf("emulateDevice needs a width, a height and a user agent")
	}
	e := driver.Emulation{}
	// A mobile screen is not asked for: where there is none, it is one of this size.
	e.Viewport = &backend.Viewport{Width: int(w), Height: int(h), Mobile: c.d.Can(backend.CanEmulate)}
	e.UserAgent = c.text(2)
	return c.do(func() error { return c.d.Emulate(c.ctx, e) })
}

// emulated is what emulate takes.
type emulated struct {
	Device        string `json:"device"`
	UserAgent     string `json:"userAgent"`
	Platform      string `json:"platform"`
	Locale        string `json:"locale"`
	Timezone      string `json:"timezone"`
	ColorScheme   string `json:"colorScheme"`
	ReducedMotion string `json:"reducedMotion"`
	Media         string `json:"media"`
	Touch         bool   `json:"touch"`
	Offline       bool   `json:"offline"`
	Viewport      *struct {
		Width  int     `json:"width"`
		Height int     `json:"height"`
		Scale  float64 `json:"scale"`
		Mobile bool    `json:"mobile"`
	} `json:"viewport"`
	Geolocation *struct {
		Latitude  float64 `json:"latitude"`
		Longitude float64 `json:"longitude"`
		Accuracy  float64 `json:"accuracy"`
	} `json:"geolocation"`
	Latency     float64  `json:"latency"` // ms
	Download    float64  `json:"download"`
	Upload      float64  `json:"upload"`
	CPU         float64  `json:"cpu"`
	Permissions []string `json:"permissions"`
}

const emulateTakes = "device, viewport: { width, height, scale, mobile }, touch, userAgent, platform, locale, timezone, geolocation: { latitude, longitude, accuracy }, colorScheme, reducedMotion, media, offline, latency, download, upload, cpu, permissions"

// emulate takes an object: { device: 'iPhone 15', locale: 'de-DE', … }. What it does not
// know fails: a page would not be what a test takes it for.
func emulate(c *uiCall) (any, error) {
	o, ok := c.arg(0).Export().(*data.Object)
	if !ok {
		return nil, fmt.Errorf("emulate takes an object: { device: 'iPhone 15', locale: 'de-DE', timezone: 'Europe/Berlin' }")
	}
	var said emulated
	read := json.NewDecoder(strings.NewReader(data.JSON(o)))
	read.DisallowUnknownFields()
	if err := read.Decode(&said); err != nil {
		return nil, fmt.Errorf("emulate: %s; it takes %s", strings.TrimPrefix(err.Error(), "json: "), emulateTakes)
	}
	e := driver.Emulation{Device: said.Device, Emulation: backend.Emulation{
		UserAgent: said.UserAgent, Platform: said.Platform, Locale: said.Locale, Timezone: said.Timezone,
		ColorScheme: said.ColorScheme, ReducedMotion: said.ReducedMotion, Media: said.Media, Touch: said.Touch, Offline: said.Offline,
		Latency: time.Duration(said.Latency * float64(time.Millisecond)), Download: said.Download, Upload: said.Upload, CPU: said.CPU,
		Permissions: said.Permissions,
	}}
	if v := said.Viewport; v != nil {
		e.Viewport = &backend.Viewport{Width: v.Width, Height: v.Height, Scale: v.Scale, Mobile: v.Mobile}
	}
	if g := said.Geolocation; g != nil {
		e.Geolocation = &driver.Geolocation{Latitude: g.Latitude, Longitude: g.Longitude, Accuracy: g.Accuracy}
	}
	return c.do(func() error { return c.d.Emulate(c.ctx, e) })
}
