// Package script runs the JavaScript of features, configs and tests. It keeps
// the engine behind an interface of ours: programs that are compiled once and run
// in many runtimes, scopes that hold a scenario's variables, values that cross
// between Go and JavaScript without loss, live objects of Go, promises that are
// awaited, and a bound on scripts that never end.
//
// A Runtime belongs to one goroutine. Only Interrupt may be called from others.
package script
