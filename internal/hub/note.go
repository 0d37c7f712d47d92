package hub

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rove/internal/proc"
	"rove/internal/wire"
)

// A rove that is killed leaves the tabs that it had opened. Every line notes its tabs
// in a file, with a lock that goes with the process; who comes to the same browser
// next closes those of the dead, unless they have gone somewhere else since: the
// person may have gone on in one.

// note is the file of a line. It is written before anybody hears of what it says: who is
// told of a page has it noted.
type note struct {
	path   string
	unlock func()
}

// noted is what is in it.
type noted struct {
	Browser string            `json:"browser"`
	Tabs    map[string]string `json:"tabs"` // where they were, as a hash
}

// lockTime is for the lock of a line that may live.
const lockTime = 500 * time.Millisecond

func newNote(ctx context.Context) *note {
	home, err := proc.Home()
	if err != nil {
		return nil
	}
	dir := filepath.Join(home, "guests")
	if os.MkdirAll(dir, 0o700) != nil {
		return nil
	}
	n := &note{path: filepath.Join(dir, rand.Text())}
	if n.unlock, err = proc.Lock(ctx, n.path+".lock"); err != nil {
		return nil
	}
	return n
}

// end is the end of the line. What is left of it stays noted.
func (n *note) end(left bool) {
	if n == nil {
		return
	}
	if !left {
		_ = os.Remove(n.path + ".json")
	}
	n.unlock()
}

// write notes what there is. The line's lock is held.
func (n *note) write(l *line) {
	if n == nil || l.over {
		return
	}
	is := noted{Browser: l.address, Tabs: map[string]string{}}
	for id := range l.tabs {
		is.Tabs[id] = hashed(l.places[id])
	}
	text, err := wire.Marshal(is)
	switch {
	case err != nil:
	case len(is.Tabs) == 0:
		_ = os.Remove(n.path + ".json")
	case os.WriteFile(n.path+".new", text, 0o600) == nil:
		_ = os.Rename(n.path+".new", n.path+".json") // never half of it
	}
}

func hashed(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:])
}

// sweep closes what roves that were killed have left in this browser.
func (l *line) sweep() {
	if l.note == nil {
		return
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(l.note.path), "*.json"))
	for _, name := range files {
		path := strings.TrimSuffix(name, ".json")
		if path == l.note.path {
			continue
		}
		soon, cancel := context.WithTimeout(context.Background(), lockTime)
		unlock, err := proc.Lock(soon, path+".lock")
		cancel()
		if err != nil {
			continue // its owner lives
		}
		l.sweepOne(name)
		unlock()
	}
}

func (l *line) sweepOne(name string) {
	text, err := os.ReadFile(name)
	var is noted
	if err != nil || wire.Unmarshal(text, &is) != nil || is.Browser != l.address {
		// It is another browser's, which may come back to be swept, but not for ever.
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			_ = os.Remove(name)
		}
		return
	}
	var there struct {
		Infos []struct {
			TargetID string `json:"targetId"`
			URL      string `json:"url"`
		} `json:"targetInfos"`
	}
	if l.ask("Target.getTargets", nil, &there) != nil {
		return
	}
	for _, t := range there.Infos {
		if was, ours := is.Tabs[t.TargetID]; ours && was == hashed(t.URL) {
			l.tell("Target.closeTarget", map[string]any{"targetId": t.TargetID})
		}
	}
	_ = os.Remove(name)
}
