package driver

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rove/driver/backend"
)

// EmulateOptions is an emulation in words, as flags, scripts and models say it. The zero
// value is the browser as it is.
type EmulateOptions struct {
	Device      string `json:"device,omitempty"`      // one of Devices: its size, scale, touch and user agent
	Locale      string `json:"locale,omitempty"`      // de-DE
	Timezone    string `json:"timezone,omitempty"`    // Europe/Berlin
	Geolocation string `json:"geolocation,omitempty"` // 52.52,13.40 or with metres of accuracy, 52.52,13.40,10
	ColorScheme string `json:"colorScheme,omitempty"` // light, dark
	Offline     bool   `json:"offline,omitempty"`
}

// DeviceNames are the names of Devices.
func DeviceNames() []string {
	names := make([]string, len(devices))
	for i, d := range devices {
		names[i] = d.Name
	}
	return names
}

var (
	localeForm   = regexp.MustCompile(`^[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?$`)
	timezoneForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$`)
)

// Emulation reads it. What cannot be is an error that says what there is.
func (g EmulateOptions) Emulation() (Emulation, error) {
	const op = "emulate"
	var e Emulation
	if e.Device = g.Device; e.Device != "" && !slices.ContainsFunc(devices, func(d Device) bool { return strings.EqualFold(d.Name, g.Device) }) {
		return e, Invalid(op, "there is no device %q; there are %s", g.Device, strings.Join(DeviceNames(), ", "))
	}
	if g.Locale != "" && !localeForm.MatchString(g.Locale) {
		return e, Invalid(op, "%q is no locale: write one such as de-DE, en-GB or ja", g.Locale)
	}
	e.Locale = strings.ReplaceAll(g.Locale, "_", "-")
	if g.Timezone != "" && !timezoneForm.MatchString(g.Timezone) {
		return e, Invalid(op, "%q is no time zone: write one such as Europe/Berlin or UTC", g.Timezone)
	}
	e.Timezone = g.Timezone
	if e.ColorScheme = g.ColorScheme; !slices.Contains([]string{"", "light", "dark", "no-preference"}, g.ColorScheme) {
		return e, Invalid(op, "%q is no colour scheme; there are light, dark, no-preference", g.ColorScheme)
	}
	e.Offline = g.Offline
	if g.Geolocation != "" {
		place, err := parsePlace(g.Geolocation)
		if err != nil {
			return e, err
		}
		e.Geolocation = place
	}
	return e, nil
}

func parsePlace(text string) (*backend.Geolocation, error) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	var n [3]float64
	wrong := Invalid("emulate", "%q is no place: write latitude and longitude, such as 52.52,13.40", text)
	if len(parts) < 2 || len(parts) > 3 {
		return nil, wrong
	}
	for i, p := range parts {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil {
			return nil, wrong
		}
		n[i] = v
	}
	if !(n[0] >= -90 && n[0] <= 90 && n[1] >= -180 && n[1] <= 180 && n[2] >= 0) {
		return nil, Invalid("emulate", "there is no place at %s: latitude goes from -90 to 90, longitude from -180 to 180", text)
	}
	return &backend.Geolocation{Latitude: n[0], Longitude: n[1], Accuracy: n[2]}, nil
}

// emulateWords are the settings by name.
var emulateWords = map[string]func(*EmulateOptions) *string{
	"device":       func(g *EmulateOptions) *string { return &g.Device },
	"locale":       func(g *EmulateOptions) *string { return &g.Locale },
	"timezone":     func(g *EmulateOptions) *string { return &g.Timezone },
	"geolocation":  func(g *EmulateOptions) *string { return &g.Geolocation },
	"color-scheme": func(g *EmulateOptions) *string { return &g.ColorScheme },
}

const emulateHelp = "device=NAME, locale=de-DE, timezone=Europe/Berlin, geolocation=52.52,13.40, color-scheme=dark, offline, online, or none to end it all"

// Change gives the options with some settings changed, which are written as in
// "device=iPhone 15, locale=de-DE, offline". A device can be named alone; none as
// a value ends a setting, and alone it ends all.
func (g EmulateOptions) Change(text string) (EmulateOptions, error) {
	var parts []string
	for _, p := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		p = strings.TrimSpace(p)
		// The numbers of a place have a comma between them.
		if _, err := strconv.ParseFloat(p, 64); err == nil && len(parts) > 0 {
			parts[len(parts)-1] += "," + p
		} else if p != "" {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return g, Invalid("emulate", "say what: %s", emulateHelp)
	}
	for _, p := range parts {
		name, value, set := strings.Cut(p, "=")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		switch {
		case !set && name == "none":
			g = EmulateOptions{}
		case !set && (name == "offline" || name == "online"):
			g.Offline = name == "offline"
		case !set && (name == "dark" || name == "light"):
			g.ColorScheme = name
		case !set:
			g.Device = p
		case name == "offline" && (value == "true" || value == "false"):
			g.Offline = value == "true"
		default:
			field, ok := emulateWords[strings.ReplaceAll(strings.ReplaceAll(name, "colorscheme", "color-scheme"), "_", "-")]
			if !ok {
				return g, Invalid("emulate", "there is no %q to emulate; there are %s", name, emulateHelp)
			}
			if value == "none" {
				value = ""
			}
			*field(&g) = value
		}
	}
	_, err := g.Emulation()
	return g, err
}

// String is the options in the words of Change.
func (g EmulateOptions) String() string {
	var parts []string
	for _, name := range []string{"device", "locale", "timezone", "geolocation", "color-scheme"} {
		if v := *emulateWords[name](&g); v != "" {
			parts = append(parts, name+"="+v)
		}
	}
	if g.Offline {
		parts = append(parts, "offline")
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// EmulateWith has the driver's tabs emulate what options say, and leaves all else that
// is emulated as it is. view is the size that was asked for; zero is the device's, or
// the one there is.
func (d *Driver) EmulateWith(ctx context.Context, g EmulateOptions, view backend.Viewport) error {
	said, err := g.Emulation()
	if err != nil {
		return err
	}
	d.mu.Lock()
	e := Emulation{Device: said.Device, Emulation: d.emulated}
	d.mu.Unlock()
	e.Viewport, e.Touch, e.UserAgent, e.Platform = nil, false, "", ""
	e.Locale, e.Timezone, e.Geolocation, e.ColorScheme, e.Offline = said.Locale, said.Timezone, said.Geolocation, said.ColorScheme, said.Offline
	if i := slices.IndexFunc(devices, func(v Device) bool { return strings.EqualFold(v.Name, said.Device) }); i >= 0 && view.Width > 0 {
		mine := devices[i].Viewport
		mine.Width, mine.Height = view.Width, view.Height
		e.Viewport = &mine
	}
	e.Permissions = slices.DeleteFunc(slices.Clone(e.Permissions), func(p string) bool { return p == "geolocation" })
	err = d.Emulate(ctx, e)
	if err == nil {
		return nil
	}
	for what, value := range map[string]string{"timezone": g.Timezone, "locale": g.Locale} {
		said := strings.ToLower(err.Error())
		if value != "" && (strings.Contains(said, "invalid "+what) || strings.Contains(said, "invalid argument") && strings.Contains(said, `"`+what+`"`)) {
			return Invalid("emulate", "the browser knows no %s %q: write one such as %s", what, value, map[string]string{"timezone": "Europe/Berlin", "locale": "de-DE"}[what])
		}
	}
	return fmt.Errorf("emulate %s: %w", g, err)
}

// EmulateConfig has the driver's tabs emulate what a configuration says.
func (d *Driver) EmulateConfig(ctx context.Context, c *Config) error {
	if c.EmulateOptions != (EmulateOptions{}) {
		if err := d.EmulateWith(ctx, c.EmulateOptions, c.Options.Context.Viewport); err != nil {
			return err
		}
	}
	if c.UserAgent == "" {
		return nil
	}
	d.mu.Lock()
	e := Emulation{Emulation: d.emulated}
	d.mu.Unlock()
	e.UserAgent, e.Platform = c.UserAgent, ""
	return d.Emulate(ctx, e)
}
