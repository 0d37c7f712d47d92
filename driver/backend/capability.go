package backend

// Capability is something that not every backend can do. What a backend cannot do
// it refuses at the call, with KindUnsupported.
type Capability string

const (
	CanDialogs    Capability = "dialogs"    // dialogs stay open and are answered
	CanIntercept  Capability = "intercept"  // requests are stopped and answered
	CanPDF        Capability = "pdf"        // pages are printed
	CanTree       Capability = "tree"       // the page script's accessibility tree, with refs
	CanRaw        Capability = "raw"        // the protocol itself can be spoken
	CanEmulate    Capability = "emulate"    // devices are emulated, and all that follows
	CanWindow     Capability = "window"     // windows are moved, sized and brought to the front
	CanIsolate    Capability = "isolate"    // one browser has several contexts
	CanScreencast Capability = "screencast" // pictures come whenever the page changes
	CanPolicy     Capability = "policy"     // a context is kept to a Policy that limits it; without, such a context is refused
	CanDrop       Capability = "drop"       // drag and drop of the page's own, with its drag events
	CanTraffic    Capability = "traffic"    // requests, answers and bodies are told; see Observable
	CanConsole    Capability = "console"    // what is written to consoles is told; see Observable
	CanChooser    Capability = "chooser"    // file choosers that pages open are told and answered
	CanDownloads  Capability = "downloads"  // files that come are told, and put where they are wanted
)

// What is known of a page, and cannot be asked for: who lacks it sees less.
const (
	CanWorld     Capability = "world"     // the page script has a world of its own, which pages do not see
	CanRoots     Capability = "roots"     // closed shadow roots are seen
	CanListeners Capability = "listeners" // so is what only a listener makes clickable
	CanAtOnce    Capability = "at once"   // a tab whose page is busy does not keep others waiting
	CanRevive    Capability = "revive"    // a page whose process ended comes back with the next address
)

// What can be emulated, one by one.
const (
	CanEmulateScreen   Capability = "screen"   // the size and the density of the page
	CanEmulateTouch    Capability = "touch"    // a touch screen
	CanEmulateAgent    Capability = "agent"    // another user agent
	CanEmulateLanguage Capability = "language" // another locale
	CanEmulateTimezone Capability = "timezone"
	CanEmulatePlace    Capability = "place"   // somewhere on earth
	CanEmulateOffline  Capability = "offline" // no network
	CanEmulateMedia    Capability = "media"   // colour scheme, motion, print
	CanEmulateSpeed    Capability = "speed"   // a slower network or machine
)

// Emulations lists those.
func Emulations() []Capability {
	return []Capability{CanEmulateScreen, CanEmulateTouch, CanEmulateAgent, CanEmulateLanguage, CanEmulateTimezone, CanEmulatePlace, CanEmulateOffline, CanEmulateMedia, CanEmulateSpeed}
}

// Capabilities lists all there are.
func Capabilities() []Capability {
	return append([]Capability{CanDialogs, CanIntercept, CanPDF, CanTree, CanRaw, CanEmulate, CanWindow, CanIsolate, CanScreencast, CanPolicy, CanDrop, CanTraffic, CanConsole, CanChooser, CanDownloads, CanWorld, CanRoots, CanListeners, CanAtOnce, CanRevive}, Emulations()...)
}

// Capable is a Context that says what it can do. One that does not say so can do
// nothing but what every backend must.
type Capable interface{ Capabilities() []Capability }
