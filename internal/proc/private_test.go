//go:build unix

package proc

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPrivate: what a private process writes is its owner's alone, and its arguments are as
// they were given; one that is not there is said so as for any other.
func TestPrivate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a 'file' $x")
	p, err := Start(t.Context(), Spec{Path: "/bin/sh", Args: []string{"-c", `echo hello > "$1"`, "-", file}, Private: true})
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	_ = p.Kill()
	_, plain := Start(t.Context(), Spec{Path: "/nowhere/browser"})
	_, private := Start(t.Context(), Spec{Path: "/nowhere/browser", Private: true})
	if plain == nil || private == nil || plain.Error() != private.Error() {
		t.Errorf("%v; private: %v", plain, private)
	}
}
