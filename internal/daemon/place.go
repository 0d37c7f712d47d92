package daemon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"rove/internal/proc"
)

// Place is where a daemon keeps its files.
type Place struct {
	Dir    string // readable by the user alone
	Socket string
}

// socketLimit is the shortest that a system allows the path of a socket to be.
const socketLimit = 103

// Locate finds the place of this user's daemon and creates nothing: below
// ROVE_HOME if that is set, else in the runtime directory of the login, else
// where rove keeps its cache.
func Locate() (Place, error) {
	dir := ""
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); os.Getenv("ROVE_HOME") == "" && filepath.IsAbs(runtime) && private(runtime) == nil {
		dir = filepath.Join(runtime, "rove")
	} else {
		home, err := proc.Home()
		if err != nil {
			return Place{}, err
		}
		dir = filepath.Join(home, "daemon")
	}
	p := Place{Dir: dir, Socket: filepath.Join(dir, "daemon.sock")}
	if len(p.Socket) > socketLimit {
		sum := sha256.Sum256([]byte(dir))
		p.Socket = filepath.Join(os.TempDir(), "rove-"+strconv.Itoa(os.Getuid()), hex.EncodeToString(sum[:6])+".sock")
	}
	return p, nil
}

// make makes the directories, and refuses those that others could write to: a
// socket there could be anybody's.
func (p Place) make() error {
	for _, dir := range []string{p.Dir, filepath.Dir(p.Socket)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("rove can't keep its files: %w; set ROVE_HOME to a directory that you can write to", err)
		}
		if err := private(dir); err != nil {
			return err
		}
	}
	return nil
}

func (p Place) file(name string) string { return filepath.Join(p.Dir, "daemon."+name) }

// Log is the path of the daemon's log.
func (p Place) Log() string { return p.file("log") }
