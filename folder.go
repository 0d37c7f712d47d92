package rove

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"rove/aria"
	"rove/driver"
)

// Folder has the files of one session: downloads, pictures, PDFs and results too
// large to show. Nobody but its owner can read them. It goes with the session,
// unless Options.Output said where to keep it.
type Folder struct {
	dir  string
	kept bool

	mu    sync.Mutex
	saved int               // how many files were written here
	kinds map[string]string // of those, by name; the others were downloaded
}

// File is a file of a session.
type File struct {
	Name string    `json:"name"`
	Path string    `json:"path"`
	Size int64     `json:"size"`
	Kind string    `json:"kind"` // a word of the constants below
	Time time.Time `json:"time"`
}

// What a session's files are.
const (
	FileDownload   = "download"
	FilePartial    = "partial" // a download under way
	FileScreenshot = "screenshot"
	FilePDF        = "pdf"
	FileResult     = "result" // too large to show
)

// newFolder makes the folder of a session: within keep, where it is to stay, or
// within temporary, which goes with the browser even if this process is killed.
func newFolder(temporary, keep string) (*Folder, error) {
	within, pattern := temporary, "session-"
	if keep != "" {
		within, pattern = keep, time.Now().Format("session-20060102-150405-")
	}
	dir, err := os.MkdirTemp(within, pattern)
	if err != nil {
		return nil, &Error{Code: CodeProtocol, Op: "open", Message: "no folder for the session's files: " + err.Error(), Hint: "make room, or name another folder", Err: err}
	}
	return &Folder{dir: dir, kept: keep != "", kinds: map[string]string{}}, nil
}

// outputFolder makes the directory that sessions' files are kept in.
func outputFolder(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return "", driver.Invalid("launch", "the output folder: %v", err)
	}
	return dir, nil
}

// Folder is where the session's files are.
func (s *Session) Folder() *Folder { return s.folder }

// Path is the directory.
func (f *Folder) Path() string { return f.dir }

// Save writes a file. Its name is numbered, so that no file takes another's
// place.
func (f *Folder) Save(kind, name string, data []byte) (File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	file := File{Kind: kind, Size: int64(len(data)), Time: time.Now()}
	for {
		f.saved++
		file.Name = fmt.Sprintf("%d-%s", f.saved, name)
		file.Path = filepath.Join(f.dir, file.Name)
		err := writeNew(file.Path, data)
		if errors.Is(err, fs.ErrExist) {
			continue // a page may call its downloads as it likes
		}
		if err != nil {
			return File{}, &Error{Code: CodeProtocol, Op: "save", Message: err.Error(), Hint: "make room for it", Err: err}
		}
		f.kinds[file.Name] = kind
		return file, nil
	}
}

// writeNew writes a file that is not there yet, the whole of it or nothing.
func writeNew(path string, data []byte) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	if err = errors.Join(err, out.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}

// find gives the path of a file here, by its name.
func (f *Folder) find(name string) (string, error) {
	if filepath.Base(name) != name {
		return "", fs.ErrNotExist
	}
	path := filepath.Join(f.dir, name)
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	return path, err
}

// partial is what the browser calls a file that is not all there yet.
var partial = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(\.crdownload)?$`)

// Files lists the files, oldest first.
func (f *Folder) Files() ([]File, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, &Error{Code: CodeClosed, Op: "files", Message: "the session's folder is gone", Hint: "open another session", Err: err}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	files := []File{}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue // a download that has just got its name
		}
		if err != nil {
			return nil, err
		}
		kind := f.kinds[e.Name()]
		switch {
		case kind == "" && partial.MatchString(e.Name()):
			kind = FilePartial
		case kind == "":
			kind = FileDownload
		}
		files = append(files, File{Name: e.Name(), Path: filepath.Join(f.dir, e.Name()), Size: info.Size(), Kind: kind, Time: info.ModTime()})
	}
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Name, b.Name)) })
	return files, nil
}

// close removes the folder, or what is not worth keeping of it.
func (f *Folder) close() {
	if !f.kept {
		_ = os.RemoveAll(f.dir)
		return
	}
	files, _ := f.Files()
	for _, file := range files {
		if file.Kind == FilePartial {
			_ = os.Remove(file.Path)
		}
	}
	_ = os.Remove(f.dir) // fails unless it is empty
}

// String is the file as it is told of.
func (f File) String() string { return fmt.Sprintf("%s (%d bytes)", aria.Word(f.Path), f.Size) }

// save writes a file that a step made, and answers with its path.
func (s *Session) save(kind, name string, data []byte) (*driver.Effect, error) {
	file, err := s.folder.Save(kind, name, data)
	if err != nil {
		return nil, err
	}
	text := file.String()
	return &driver.Effect{Text: &text}, nil
}
