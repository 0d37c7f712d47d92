package feature

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// Watch runs a suite, and again whenever a file of it changes, until ctx ends.
// each is told of every outcome.
func Watch(ctx context.Context, opts Options, each func(*Result, error)) error {
	for {
		before := stamp(opts)
		r, err := Run(ctx, opts)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		each(r, err)
		for after := before; after == before; after = stamp(opts) {
			timer := time.NewTimer(watchPause)
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				return ctx.Err()
			}
		}
	}
}

// watchPause is how often files are looked at.
const watchPause = 300 * time.Millisecond

// watched are the kinds of files that a suite is made of.
var watched = map[string]bool{
	".feature": true, ".js": true, ".json": true, ".csv": true, ".yaml": true, ".yml": true, ".xml": true, ".txt": true, ".html": true, ".graphql": true,
}

// state is how many files there are and when one changed last: enough to see a
// change, a new file and one that is gone.
type state struct {
	files int
	bytes int64
	last  time.Time
}

func stamp(opts Options) state {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return state{}
	}
	roots := append([]string{dir}, opts.Classpath...)
	for _, path := range opts.Paths {
		file, _, _ := splitLines(strings.TrimPrefix(path, filePrefix))
		roots = append(roots, file)
	}
	output := opts.Output // what the runs themselves write is no change
	if !filepath.IsAbs(output) {
		output = filepath.Join(dir, output)
	}
	var st state
	for _, root := range roots {
		if !filepath.IsAbs(root) {
			root = filepath.Join(dir, root)
		}
		_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if e.IsDir() {
				if path != root && (skipped[e.Name()] || strings.HasPrefix(e.Name(), ".") || path == output || exists(filepath.Join(path, "karate-summary-json.txt"))) {
					return filepath.SkipDir
				}
				return nil
			}
			if !watched[filepath.Ext(path)] {
				return nil
			}
			if info, err := e.Info(); err == nil {
				st.files++
				st.bytes += info.Size()
				if info.ModTime().After(st.last) {
					st.last = info.ModTime()
				}
			}
			return nil
		})
	}
	return st
}
