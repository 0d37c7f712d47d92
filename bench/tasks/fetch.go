package main

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// set is the package that has the pages.
const set = "miniwob==1.1.0"

// fetch gets the set with pip and unpacks its pages.
func fetch(ctx context.Context, dir string) (string, error) {
	fmt.Fprintln(os.Stderr, "fetching", set, "…")
	if out, err := exec.CommandContext(ctx, "python3", "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", dir, set).CombinedOutput(); err != nil {
		return "", fmt.Errorf("pip download %s: %w\n%s", set, err, out)
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "miniwob-*.whl"))
	if err != nil || len(wheels) != 1 {
		return "", fmt.Errorf("%s came as %v, not as one wheel", set, wheels)
	}
	z, err := zip.OpenReader(wheels[0])
	if err != nil {
		return "", err
	}
	defer z.Close()
	root := filepath.Join(dir, "pages")
	for _, f := range z.File {
		name, ok := strings.CutPrefix(f.Name, "miniwob/html/")
		if !ok || strings.HasSuffix(name, "/") || !filepath.IsLocal(name) {
			continue
		}
		if err := unpack(f, filepath.Join(root, name)); err != nil {
			return "", err
		}
	}
	return root, nil
}

func unpack(f *zip.File, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(w, r); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}
