package feature

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// starter is the project that Init writes.
//
//go:embed all:starter
var starter embed.FS

// Init writes a project to start from: a config, a feature of a page, one of an
// API, and a workflow for CI. It gives the files it wrote. A file that is there is
// not written over.
func Init(dir string) ([]string, error) {
	root, err := fs.Sub(starter, "starter")
	if err != nil {
		return nil, err
	}
	var names []string
	err = fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			return nil, fmt.Errorf("%s is there already; nothing was written", filepath.Join(dir, name))
		} else if !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	for _, name := range names {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return nil, err
		}
	}
	return names, nil
}
