//go:build race

package provision

// raced is true under the race detector, which makes decompressing 200 MB take
// a minute.
const raced = true
