//go:build race

package daemon

// The program under test is built as the test is.
func init() { buildFlags = []string{"-race"} }
