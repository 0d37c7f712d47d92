package driver

import (
	"context"
	"slices"
	"strings"
	"time"

	"rove/driver/backend"
)

// Emulation is what the driver's tabs emulated to be; see Emulate.
type Emulation struct {
	// Device is the name of one of Devices: its viewport, touch and user agent
	// count where nothing else is said.
	Device string
	backend.Emulation
}

// Device is a device that can be emulated.
type Device struct {
	Name      string
	Viewport  backend.Viewport
	UserAgent string
	Platform  string
}

const (
	safari = "Mozilla/5.0 (%; CPU % OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
	chrome = "Mozilla/5.0 (Linux; Android 15; %) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 % Safari/537.36"
)

func device(name string, width, height int, scale float64, userAgent, platform string, words ...string) Device {
	for _, w := range words {
		userAgent = strings.Replace(userAgent, "%", w, 1)
	}
	userAgent = strings.ReplaceAll(userAgent, "  ", " ")
	return Device{name, backend.Viewport{Width: width, Height: height, Scale: scale, Mobile: true}, userAgent, platform}
}

// devices are some of those that people test for.
var devices = []Device{
	device("iPhone SE", 375, 667, 2, safari, "iPhone", "iPhone", "iPhone"),
	device("iPhone 15", 393, 852, 3, safari, "iPhone", "iPhone", "iPhone"),
	device("iPhone 15 Pro Max", 430, 932, 3, safari, "iPhone", "iPhone", "iPhone"),
	device("iPad", 820, 1180, 2, safari, "iPad", "iPad", ""),
	device("iPad Pro", 1024, 1366, 2, safari, "iPad", "iPad", ""),
	device("Pixel 8", 412, 915, 2.625, chrome, "Linux armv81", "Pixel 8", "Mobile"),
	device("Galaxy S24", 360, 780, 3, chrome, "Linux armv81", "SM-S921B", "Mobile"),
	device("Galaxy Tab S9", 800, 1280, 2, chrome, "Linux armv81", "SM-X710", ""),
}

// Devices lists the devices that Emulate knows.
func Devices() []Device { return slices.Clone(devices) }

// Emulate has all tabs of the driver, and those to come, emulated: a device, a
// place, a language, a network. It replaces what was emulated before; the zero
// value ends it.
func (d *Driver) Emulate(ctx context.Context, e Emulation) error {
	emulated := e.Emulation
	if e.Device != "" {
		i := slices.IndexFunc(devices, func(v Device) bool { return strings.EqualFold(v.Name, e.Device) })
		if i < 0 {
			var names []string
			for _, v := range devices {
				names = append(names, v.Name)
			}
			return Invalid("emulate", "there is no device %q; there are %s", e.Device, strings.Join(names, ", "))
		}
		v := devices[i]
		emulated.Touch = true
		if emulated.Viewport == nil {
			emulated.Viewport = &v.Viewport
		}
		if emulated.UserAgent == "" {
			emulated.UserAgent, emulated.Platform = v.UserAgent, v.Platform
		}
	}
	if g := emulated.Geolocation; g != nil && (g.Latitude < -90 || g.Latitude > 90 || g.Longitude < -180 || g.Longitude > 180) {
		return Invalid("emulate", "there is no place at %v, %v", g.Latitude, g.Longitude)
	}
	if h, ok := d.browser.(backend.Host); emulated.Geolocation != nil && !(ok && h.Guest()) && !slices.Contains(emulated.Permissions, "geolocation") {
		emulated.Permissions = append(slices.Clone(emulated.Permissions), "geolocation") // nobody is there to be asked
	}
	ctx, cancel := context.WithTimeout(ctx, d.limit(scriptWait))
	defer cancel()
	if err := d.browser.Emulate(ctx, emulated); err != nil {
		return d.failed("emulate", err)
	}
	d.mu.Lock()
	d.emulated = emulated
	d.mu.Unlock()
	return nil
}

// NetworkConditions is how good the network is. The zero value is as it comes.
type NetworkConditions struct {
	Offline  bool          // caches and service workers still answer
	Latency  time.Duration // of every request
	Download float64       // bytes a second; 0 is as fast as it goes
	Upload   float64
}

// SetNetwork has all tabs of the driver, their frames and workers, be offline or on
// a slow network, and leaves all else that is emulated as it is.
func (d *Driver) SetNetwork(ctx context.Context, n NetworkConditions) error {
	if n.Latency < 0 || n.Download < 0 || n.Upload < 0 {
		return Invalid("network", "latency and bytes a second are 0 or more")
	}
	d.mu.Lock()
	e := d.emulated
	d.mu.Unlock()
	e.Offline, e.Latency, e.Download, e.Upload = n.Offline, n.Latency, n.Download, n.Upload
	return d.Emulate(ctx, Emulation{Emulation: e})
}

// Network is how good the network is that the driver's tabs are on.
func (d *Driver) Network() NetworkConditions {
	d.mu.Lock()
	defer d.mu.Unlock()
	return NetworkConditions{d.emulated.Offline, d.emulated.Latency, d.emulated.Download, d.emulated.Upload}
}
