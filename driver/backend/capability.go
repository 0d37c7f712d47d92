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
	CanEmulate    Capability = "emulate"    // devices, places and networks are pretended
	CanWindow     Capability = "window"     // windows are moved, sized and brought to the front
	CanIsolate    Capability = "isolate"    // one browser has several contexts
	CanScreencast Capability = "screencast" // pictures come whenever the page changes
	CanPolicy     Capability = "policy"     // a context is kept to a Policy that limits it; without, such a context is refused
	CanDrop       Capability = "drop"       // drag and drop of the page's own, with its drag events
	CanTraffic    Capability = "traffic"    // requests, answers and bodies are told; see Observable
	CanConsole    Capability = "console"    // what is written to consoles is told; see Observable
)

// Capabilities lists all there are.
func Capabilities() []Capability {
	return []Capability{CanDialogs, CanIntercept, CanPDF, CanTree, CanRaw, CanEmulate, CanWindow, CanIsolate, CanScreencast, CanPolicy, CanDrop, CanTraffic, CanConsole}
}

// Capable is a Context that says what it can do. One that does not say so can do
// nothing but what every backend must.
type Capable interface{ Capabilities() []Capability }
