package daemon

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rove"
	"rove/internal/apitest"
	"rove/internal/inside"
	"rove/internal/ownfile"
	"rove/internal/proc"
	"rove/recording"
)

// What was done in a session that nobody chose to end, because it was idle or its browser
// died, is kept for a while: that a way was worth keeping may be known after lunch only.

// How much is kept, of all sessions: the newest.
const (
	keptFor     = 7 * 24 * time.Hour
	mostKept    = 20
	mostKeptAll = 64 << 20 // bytes
	mostTraffic = 16 << 20 // of one session
	keptTime    = 10 * time.Second
)

// Kept is a recording that outlived its session.
type Kept struct {
	Session string    `json:"session"`
	Ended   time.Time `json:"ended"`
	Why     string    `json:"why"`
	File    string    `json:"file"`
	// Traffic is a HAR archive of what it sent and was answered, without secrets; ""
	// where there is none.
	Traffic string `json:"traffic,omitempty"`

	size int64
}

// String says that the session ended, when and why.
func (k *Kept) String() string {
	return fmt.Sprintf("session %q ended at %s: %s", k.Session, k.Ended.Local().Format("2006-01-02 15:04"), strings.TrimPrefix(k.Why, "the session ended "))
}

// keepsEnded says whether anything is kept; ROVE_KEEP=off is no.
func keepsEnded() bool { return os.Getenv("ROVE_KEEP") != "off" }

func keptDir() (string, error) {
	home, err := proc.Home()
	return filepath.Join(home, "recordings"), err
}

// KeptRecordings lists what is kept of sessions that ended, the newest first.
func KeptRecordings() ([]*Kept, error) {
	dir, err := keptDir()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(glob(dir), "*.jsonl"))
	var list []*Kept
	for _, file := range files {
		if k := readKept(file); k != nil && time.Since(k.Ended) < keptFor {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b *Kept) int { return b.Ended.Compare(a.Ended) })
	return list, err
}

// glob is a folder that means itself in a pattern.
func glob(dir string) string {
	return strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(dir)
}

// readKept reads the head of a recording; nil where it is not one that was kept.
func readKept(file string) *Kept {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	head, err := recording.ReadHeader(f)
	if err != nil || head.Session == "" || head.Ended.IsZero() {
		return nil
	}
	k := &Kept{Session: head.Session, Ended: head.Ended, Why: head.Why, File: file, size: info.Size()}
	traffic := strings.TrimSuffix(file, ".jsonl") + ".har"
	if info, err := os.Stat(traffic); err == nil {
		k.Traffic, k.size = traffic, k.size+info.Size()
	}
	return k
}

// LatestKept is what is kept of the last session of that name; nil for nothing.
func LatestKept(session string) *Kept {
	list, _ := KeptRecordings()
	if i := slices.IndexFunc(list, func(k *Kept) bool { return k.Session == session }); i >= 0 {
		return list[i]
	}
	return nil
}

// keepEnded keeps what was done in a session that ended by itself, and says where.
func (p *pool) keepEnded(s *rove.Session, name, why string, own bool) string {
	defer func() {
		if fault := recover(); fault != nil {
			p.log.Error("fault", "keeping", name, "fault", fault)
		}
	}()
	p.keeping.Lock()
	defer p.keeping.Unlock()
	file, err := writeKept(s, name, why, own)
	switch {
	case err != nil:
		p.log.Warn("what was done in a session is lost", "session", name, "error", err)
		return ""
	case file == "":
		return ""
	}
	p.log.Info("kept", "session", name, "file", file)
	pruneKept()
	return "what was done in it is kept (rove recording list)"
}

// writeKept writes the recording, and beside it the traffic, unless the browser is
// somebody's own. The file is "" where nothing was done that could be done again.
func writeKept(s *rove.Session, name, why string, own bool) (string, error) {
	rec := s.Recording()
	if !slices.ContainsFunc(rec.Steps, func(st recording.Step) bool { return st.OK && (st.Verb == "go" || st.Verb == "act") }) {
		return "", nil
	}
	rec.Session, rec.Ended, rec.Why = name, time.Now().UTC(), why
	var b strings.Builder
	if err := rec.Write(&b); err != nil {
		return "", err
	}
	dir, err := keptDir()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	base := filepath.Join(dir, fileName(name)+"-"+rec.Ended.Format("20060102-150405.000"))
	out := inside.Of(s).Outlet
	if own {
		if traffic := trafficOf(s); len(traffic) > 0 {
			_ = ownfile.Replace(base+".har", traffic) // without it there is still the recording
		}
	}
	if err := ownfile.Replace(base+".jsonl", []byte(out.Text(b.String()))); err != nil {
		_ = os.Remove(base + ".har")
		return "", err
	}
	return base + ".jsonl", nil
}

// trafficOf is the traffic as it can lie on a disk, where there is not too much of it.
func trafficOf(s *rove.Session) []byte {
	ctx, cancel := context.WithTimeout(context.Background(), keptTime)
	defer cancel()
	n := s.Network()
	if n == nil {
		return nil
	}
	var b bytes.Buffer
	if err := n.HAR(ctx, &b, rove.HAROptions{Bodies: true}); err != nil {
		return nil
	}
	traffic, err := apitest.Disguise(b.Bytes(), inside.Of(s).Typed())
	if err != nil || len(traffic) > mostTraffic {
		return nil
	}
	return traffic
}

// fileName is the name of a session as that of a file on every system.
func fileName(session string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, session)
	if plain == session && len(plain) <= 40 {
		return plain
	}
	sum := sha256.Sum256([]byte(session))
	return plain[:min(len(plain), 40)] + "-" + hex.EncodeToString(sum[:4])
}

// pruneKept removes what is too old or too much.
func pruneKept() {
	dir, err := keptDir()
	if err != nil {
		return
	}
	list, _ := KeptRecordings()
	known := map[string]bool{}
	var all int64
	for i, k := range list {
		all += k.size
		if i > 0 && (i >= mostKept || all > mostKeptAll) {
			break
		}
		known[k.File], known[k.Traffic] = true, true
	}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		if !known[path] && f.Type().IsRegular() {
			_ = os.Remove(path)
		}
	}
}
