//go:build !linux

package proc

// Sandbox reports whether the sandbox of the browser at path can start on this
// machine, and if not why, in one sentence. Outside Linux it always can.
func Sandbox(string) (ok bool, why string) { return true, "" }
