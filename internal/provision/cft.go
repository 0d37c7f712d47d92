package provision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

// cftIndex is where Chrome for Testing publishes its indexes.
const cftIndex = "https://googlechromelabs.github.io/chrome-for-testing"

// cft is Chrome for Testing: Chrome and its headless shell as zip files, with an
// index in JSON.
type cft struct{ *finder }

func (cft) title() string { return "Chrome for Testing" }

// cftRelease is one version in an index.
type cftRelease struct {
	Version   string                   `json:"version"`
	Downloads map[string][]cftDownload `json:"downloads"`
}

type cftDownload struct {
	Platform string `json:"platform"`
	URL      string `json:"url"`
}

func (c cft) offer(ctx context.Context, kind, version string) (offer, error) {
	platform, ok := map[string]string{
		"linux/amd64": "linux64", "linux/arm64": "linux-arm64", "darwin/amd64": "mac-x64", "darwin/arm64": "mac-arm64",
		"windows/386": "win32", "windows/amd64": "win64", "windows/arm64": "win64",
	}[c.goos+"/"+c.goarch]
	if !ok {
		return offer{}, fmt.Errorf("nothing for %s/%s", c.goos, c.goarch)
	}
	rel, err := c.release(ctx, version)
	if err != nil {
		return offer{}, err
	}
	product := "chrome"
	if kind == Shell {
		product = "chrome-headless-shell"
	}
	for _, d := range rel.Downloads[product] {
		if d.Platform == platform {
			exe := product + "-" + platform + "/" + c.exe(kind)
			return offer{
				name: kind + "-" + rel.Version, version: rel.Version,
				archive: download{url: d.URL, unpacked: 2.6},
				unpack: func(ctx context.Context, archive *os.File, dir string) (manifest, error) {
					return c.unpack(ctx, archive, dir, manifest{Kind: kind, Exe: exe})
				},
			}, nil
		}
	}
	return offer{}, fmt.Errorf("no %s %s for %s/%s", product, rel.Version, c.goos, c.goarch)
}

// release finds the current stable version, or the newest one that begins with
// what was asked for.
func (c cft) release(ctx context.Context, version string) (cftRelease, error) {
	base := strings.TrimSuffix(c.index, "/")
	if version == "" {
		var index struct {
			Channels map[string]cftRelease `json:"channels"`
		}
		if err := getJSON(ctx, c.client, base+"/last-known-good-versions-with-downloads.json", nil, &index); err != nil {
			return cftRelease{}, err
		}
		rel, ok := index.Channels["Stable"]
		if !ok || !isVersion(rel.Version) {
			return cftRelease{}, errors.New("the index names no stable version")
		}
		return rel, nil
	}
	var index struct {
		Versions []cftRelease `json:"versions"`
	}
	if err := getJSON(ctx, c.client, base+"/known-good-versions-with-downloads.json", nil, &index); err != nil {
		return cftRelease{}, err
	}
	var best cftRelease
	for _, rel := range index.Versions {
		matches := rel.Version == version || strings.HasPrefix(rel.Version, version+".")
		if matches && isVersion(rel.Version) && len(rel.Downloads) > 0 && compareVersions(rel.Version, best.Version) > 0 {
			best = rel
		}
	}
	if best.Version == "" {
		return cftRelease{}, fmt.Errorf("no version %s", version)
	}
	return best, nil
}

// isVersion admits digits and dots: a version becomes the name of a directory.
func isVersion(v string) bool {
	return v != "" && strings.Trim(v, "0123456789.") == "" && !strings.HasPrefix(v, ".")
}

func (c cft) exe(kind string) string {
	switch {
	case c.goos == "windows" && kind == Shell:
		return "chrome-headless-shell.exe"
	case c.goos == "windows":
		return "chrome.exe"
	case kind == Shell:
		return "chrome-headless-shell"
	case c.goos == "darwin":
		return "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"
	}
	return "chrome"
}

func (c cft) unpack(ctx context.Context, archive *os.File, dir string, m manifest) (manifest, error) {
	info, err := archive.Stat()
	if err != nil {
		return m, err
	}
	return m, unzip(ctx, archive, info.Size(), dir)
}
