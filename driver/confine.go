package driver

import (
	"errors"
)

// ConfineUploads has check asked about every file before a page gets it. It
// answers with the path to use, links resolved, or with the reason against it.
// It is called before the driver is used.
func (d *Driver) ConfineUploads(check func(path string) (string, error)) { d.uploads = check }

// files reads the paths of an upload and holds them to what is allowed.
func (d *Driver) files(op, value string) ([]string, error) {
	paths, err := paths(value)
	if err != nil {
		return nil, Invalid(op, "%v", err)
	}
	for i, path := range paths {
		if d.uploads != nil {
			// Before anything is said of the file: whether it is there is nobody's
			// business.
			if paths[i], err = d.uploads(path); err != nil {
				return nil, refused(op, err)
			}
			continue
		}
		if paths[i], err = file(path); err != nil {
			return nil, Invalid(op, "%v", err)
		}
	}
	return paths, nil
}

// refused is the error for what the session's policy does not allow.
func refused(op string, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	return &Error{Code: CodePolicy, Op: op, Message: err.Error(), Err: err}
}

// FrameURL is the address of the frame that a ref or locator belongs to.
func (t *Tab) FrameURL(target string) (string, error) {
	frame, _, _, err := t.target(target, target)
	if err != nil {
		return "", err
	}
	return frame.URL, nil
}
