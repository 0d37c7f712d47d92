package image

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read reads a file that is to be a picture, and says plainly why it cannot.
func Read(path string) ([]byte, error) {
	// Before it is opened: opening a pipe can wait for ever.
	info, err := os.Stat(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	switch {
	case info.IsDir():
		return nil, &Error{Kind: NotAFile, Message: path + " is a directory"}
	case !info.Mode().IsRegular():
		return nil, &Error{Kind: NotAFile, Message: path + " is not a file"}
	case info.Size() > MaxFile:
		return nil, &Error{Kind: TooLarge, Message: fmt.Sprintf("%s has %d MiB; at most %d MiB are read", path, info.Size()>>20, MaxFile>>20)}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile))
	if err != nil {
		return nil, fileError(path, err)
	}
	return data, nil
}

func fileError(path string, err error) *Error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Kind: Missing, Message: "there is no file " + path, Err: err}
	case errors.Is(err, fs.ErrPermission):
		return &Error{Kind: Unreadable, Message: "there is no permission to read " + path, Err: err}
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return &Error{Kind: Unreadable, Message: fmt.Sprintf("%s cannot be read: %v", path, p.Err), Err: err}
	}
	return &Error{Kind: Unreadable, Message: fmt.Sprintf("%s cannot be read: %v", path, err), Err: err}
}
