package anypage

import (
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// FileType is what the name of a file says that it is, else its first bytes.
func FileType(name, path string) string {
	if t := mime.TypeByExtension(filepath.Ext(name)); t != "" {
		return t
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head)
	return http.DetectContentType(head[:n])
}

// Claim makes an empty file in a directory, which takes a name for a file that is
// to come: no other gets it meanwhile, and none is overwritten.
func Claim(dir, name string) (string, error) {
	for {
		path := free(dir, name)
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return path, file.Close()
	}
}

// free is a path in a directory that no file has yet, for a name that came from
// a server and may be anything.
func free(dir, name string) string {
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, filepath.Base(strings.ReplaceAll(name, `\`, "/")))
	if name = strings.Trim(name, ". "); name == "" {
		name = "download"
	}
	if len(name) > 150 {
		name = strings.ToValidUTF8(name[len(name)-150:], "")
	}
	path := filepath.Join(dir, name)
	ext := filepath.Ext(name)
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); os.IsNotExist(err) {
			return path
		}
		path = filepath.Join(dir, strings.TrimSuffix(name, ext)+"-"+strconv.Itoa(n)+ext)
	}
}
