// Package ownfile reads and writes files that nobody but their owner may read: secrets,
// and what keeps a person logged in.
package ownfile

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// Read reads a file of so many bytes at most, unless others may read it, too. No error
// says what is in it.
func Read(path string, most int64) ([]byte, error) {
	// Before it is opened: a pipe would wait for a writer.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err = f.Stat()
	switch {
	case err != nil:
		return nil, err
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("others can read %s; make it yours alone: chmod 600 %[1]s", path)
	case info.Size() > most:
		return nil, fmt.Errorf("%s is too large", path)
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// Replace writes a file. Whoever reads it has the old one or the new one, and a write
// that fails leaves nothing.
func Replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	err = cmp.Or(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
