package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Folders are directories that files may be taken from.
type Folders []string

// File resolves a path, links included, and refuses one that is in none of the
// folders. The resolved path is the one to use: the link may change.
func (f Folders) File(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		// Whether there is such a file outside the folders is not told.
		if f.holds(abs) {
			return "", fmt.Errorf("there is no file %s; give the path of one on this machine", path)
		}
		return "", f.outside(path)
	}
	if !f.holds(real) {
		return "", f.outside(path)
	}
	info, err := os.Stat(real)
	if err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file", path)
	}
	return real, nil
}

func (f Folders) outside(path string) error {
	hint := "no folder is allowed"
	if len(f) > 0 {
		hint = "allowed: " + strings.Join(f, ", ")
	}
	return &Refusal{URL: path, Reason: fmt.Sprintf("files may not be taken from %s", filepath.Dir(path)), Hint: hint}
}

func (f Folders) holds(path string) bool {
	for _, dir := range f {
		abs, err := filepath.Abs(dir)
		if err != nil {
			continue
		}
		if abs, err = filepath.EvalSymlinks(abs); err != nil {
			continue
		}
		if rel, err := filepath.Rel(abs, path); err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}
