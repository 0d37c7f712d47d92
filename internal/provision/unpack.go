package provision

import (
	"archive/tar"
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// What an archive may hold at most. A browser is far below; an archive made to
// fill the disk is not.
const (
	maxUnpacked = 4 << 30
	maxEntries  = 100_000
)

// unpacker writes the entries of an archive into a directory and nowhere else.
// The os.Root refuses to leave the directory, also by way of symbolic links; the
// names are checked besides, for a clear message and for Windows.
type unpacker struct {
	ctx     context.Context
	root    *os.Root
	left    int64
	entries int
	links   []string
}

func newUnpacker(ctx context.Context, dir string) (*unpacker, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &unpacker{ctx: ctx, root: root, left: maxUnpacked}, nil
}

// local checks an entry's name and returns it in this system's form.
func (u *unpacker) local(name string) (string, error) {
	if u.entries++; u.entries > maxEntries {
		return "", errors.New("the archive has too many entries")
	}
	if err := u.ctx.Err(); err != nil {
		return "", err
	}
	clean := filepath.FromSlash(path.Clean(name))
	if name == "" || strings.ContainsAny(name, "\\\x00") || !filepath.IsLocal(clean) {
		return "", fmt.Errorf("the archive has an entry %q outside of itself", name)
	}
	return clean, nil
}

func (u *unpacker) dir(name string) error {
	local, err := u.local(name)
	if err != nil {
		return err
	}
	return u.root.MkdirAll(local, 0o755)
}

func (u *unpacker) file(name string, executable bool, r io.Reader) error {
	local, err := u.local(name)
	if err != nil {
		return err
	}
	if err := u.root.MkdirAll(filepath.Dir(local), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	file, err := u.root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	n, err := io.Copy(file, io.LimitReader(&cancelled{u.ctx, r}, u.left+1))
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if u.left -= n; err == nil && u.left < 0 {
		err = fmt.Errorf("the archive holds more than %s", size(maxUnpacked))
	}
	return err
}

func (u *unpacker) symlink(name, target string) error {
	local, err := u.local(name)
	if err != nil {
		return err
	}
	joined := path.Join(path.Dir(path.Clean(name)), target)
	if target == "" || path.IsAbs(target) || strings.ContainsAny(target, "\\\x00") || !filepath.IsLocal(filepath.FromSlash(joined)) {
		return fmt.Errorf("the archive has a link %q that leads outside, to %q", name, target)
	}
	if err := u.root.MkdirAll(filepath.Dir(local), 0o755); err != nil {
		return err
	}
	u.links = append(u.links, local)
	return u.root.Symlink(filepath.FromSlash(target), local)
}

// close checks the links once more, now that all are there: two that are
// harmless each can together lead outside.
func (u *unpacker) close() error {
	defer func() { _ = u.root.Close() }()
	for _, link := range u.links {
		if _, err := u.root.Stat(link); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the archive has a link %q that leads outside: %w", link, err)
		}
	}
	return nil
}

// cancelled is a reader that ends with its context.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// unzip unpacks a zip file. Its checksums are verified by the reader.
func unzip(ctx context.Context, archive io.ReaderAt, length int64, dir string) (err error) {
	zr, err := zip.NewReader(archive, length)
	if err != nil {
		return err
	}
	u, err := newUnpacker(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.close()) }()
	for _, entry := range zr.File {
		if err := u.zipEntry(entry); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) zipEntry(entry *zip.File) error {
	mode := entry.Mode()
	if mode.IsDir() {
		return u.dir(entry.Name)
	}
	r, err := entry.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", entry.Name, err)
	}
	defer func() { _ = r.Close() }()
	switch {
	case mode.IsRegular():
		err = u.file(entry.Name, mode&0o100 != 0, r)
	case mode&fs.ModeSymlink != 0:
		var target []byte
		if target, err = io.ReadAll(io.LimitReader(r, 4096)); err == nil {
			err = u.symlink(entry.Name, string(target))
		}
	default:
		err = fmt.Errorf("the archive has an entry of an odd kind (%v)", mode)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", entry.Name, err)
	}
	return nil
}

// untar unpacks what a tar file holds.
func (u *unpacker) untar(r io.Reader) error {
	tr := tar.NewReader(r)
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch h.Typeflag {
		case tar.TypeDir:
			if path.Clean(h.Name) != "." {
				err = u.dir(h.Name)
			}
		case tar.TypeReg:
			err = u.file(h.Name, h.Mode&0o100 != 0, tr)
		case tar.TypeSymlink:
			err = u.symlink(h.Name, h.Linkname)
		default:
			err = fmt.Errorf("the archive has an entry of an odd kind (%q)", h.Typeflag)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}
