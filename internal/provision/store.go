package provision

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The cache is home/browsers: a directory per browser, each with a manifest;
// names that begin with a dot are work in progress.
const manifestName = "install.json"

// manifest says what is in a cached browser's directory. Paths are relative to
// it, so that the cache can be moved.
type manifest struct {
	Kind    string `json:"kind"`
	Version string `json:"version"`
	Source  string `json:"source"`          // where it was fetched from
	Exe     string `json:"exe"`             // the executable
	Libs    string `json:"libs,omitempty"`  // libraries this machine lacks
	Fonts   string `json:"fonts,omitempty"` // a fontconfig file for a machine without fonts
}

const storeName = "browsers"

func (f *finder) store() string { return filepath.Join(f.home, storeName) }

// browser makes a Browser of a directory and its manifest.
func (m manifest) browser(dir string) Browser {
	b := Browser{
		Path: filepath.Join(dir, filepath.FromSlash(m.Exe)), Kind: m.Kind, Version: m.Version,
		Source: FromCache, Name: filepath.Base(dir), fetchedFrom: m.Source,
	}
	if m.Libs != "" {
		libs := filepath.Join(dir, filepath.FromSlash(m.Libs))
		if old := os.Getenv("LD_LIBRARY_PATH"); old != "" {
			libs += string(filepath.ListSeparator) + old
		}
		b.Env = append(b.Env, "LD_LIBRARY_PATH="+libs)
	}
	if m.Fonts != "" && os.Getenv("FONTCONFIG_FILE") == "" && !systemFonts() {
		b.Env = append(b.Env, "FONTCONFIG_FILE="+filepath.Join(dir, filepath.FromSlash(m.Fonts)))
	}
	return b
}

// fontDirs are where Linux systems have their fonts.
var fontDirs = []string{"/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts"}

// systemFonts reports whether the system has any font to draw text with.
func systemFonts() bool {
	home, _ := os.UserHomeDir()
	for _, dir := range fontDirs {
		dir = strings.Replace(dir, "~", home, 1)
		found := false
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".pfb", ".woff2":
				found = true
				return filepath.SkipAll
			}
			return nil
		})
		if found {
			return true
		}
	}
	return false
}

// open reads one cached browser.
func (f *finder) open(name string) (Browser, error) {
	if name == "" || strings.HasPrefix(name, ".") || !filepath.IsLocal(name) || filepath.Base(name) != name {
		return Browser{}, fmt.Errorf("%q is no name of a cached browser", name)
	}
	dir := filepath.Join(f.store(), name)
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return Browser{}, err
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return Browser{}, fmt.Errorf("%s: %w", filepath.Join(dir, manifestName), err)
	}
	if (m.Kind != Shell && m.Kind != Chrome) || !filepath.IsLocal(filepath.FromSlash(m.Exe)) {
		return Browser{}, fmt.Errorf("%s: not a manifest of rove", filepath.Join(dir, manifestName))
	}
	b := m.browser(dir)
	if !f.executable(b.Path) {
		return Browser{}, fmt.Errorf("%s: the executable is missing", dir)
	}
	return b, nil
}

// cached lists the whole browsers of the cache, newest version first. An empty
// kind means all.
func (f *finder) cached(kind string) []Browser {
	entries, err := os.ReadDir(f.store())
	if err != nil {
		return nil
	}
	var list []Browser
	for _, e := range entries {
		if b, err := f.open(e.Name()); err == nil && (kind == "" || b.Kind == kind) {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b Browser) int { return compareVersions(b.Version, a.Version) })
	return list
}

// cachedAt finds the cached browser with this executable, in whichever cache it is:
// what it needs stands beside it.
func (f *finder) cachedAt(path string) (Browser, bool) {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(filepath.Dir(dir)) != storeName {
			continue
		}
		in := *f
		in.home = filepath.Dir(filepath.Dir(dir))
		b, err := in.open(filepath.Base(dir))
		return b, err == nil && b.Path == path
	}
	return Browser{}, false
}

// compareVersions orders dotted numbers; what is no number counts as 0.
func compareVersions(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(as), len(bs)) {
		var x, y int
		if i < len(as) {
			x, _ = strconv.Atoi(as[i])
		}
		if i < len(bs) {
			y, _ = strconv.Atoi(bs[i])
		}
		if c := cmp.Compare(x, y); c != 0 {
			return c
		}
	}
	return 0
}

// List returns the browsers on this machine: the system's, then the cache's.
func List(req Request) ([]Browser, error) {
	f, err := newFinder(req)
	if err != nil {
		return nil, err
	}
	list := append(f.installed(Shell), f.installed(Chrome)...)
	return append(list, f.cached("")...), nil
}

// Remove deletes a cached browser, or all of the cache when name is empty. It
// returns the names of what it removed.
func Remove(ctx context.Context, req Request, name string) ([]string, error) {
	f, err := newFinder(req)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(f.store()); errors.Is(err, fs.ErrNotExist) {
		if name == "" {
			return nil, nil
		}
		return nil, f.unknown(name)
	}
	unlock, err := f.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	var names []string
	if name != "" {
		if _, err := f.open(name); err != nil {
			return nil, f.unknown(name)
		}
		names = []string{name}
	} else {
		entries, err := os.ReadDir(f.store())
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") {
				names = append(names, e.Name())
			}
		}
		f.discardWork()
		if err := os.RemoveAll(f.partials()); err != nil {
			return nil, err
		}
	}
	for i, n := range names {
		// Out of sight first: a browser half removed must not be found.
		gone := filepath.Join(f.store(), workPrefix+"removed-"+n)
		if err := os.Rename(filepath.Join(f.store(), n), gone); err != nil {
			return names[:i], err
		}
		if err := os.RemoveAll(gone); err != nil {
			return names[:i], err
		}
	}
	return names, nil
}

func (f *finder) unknown(name string) error {
	var have []string
	for _, b := range f.cached("") {
		have = append(have, b.Name)
	}
	if len(have) == 0 {
		return fmt.Errorf("no cached browser is called %q: the cache is empty", name)
	}
	return fmt.Errorf("no cached browser is called %q: there are %s", name, strings.Join(have, ", "))
}
