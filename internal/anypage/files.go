package anypage

import (
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
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
