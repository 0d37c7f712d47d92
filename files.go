package rove

import (
	"fmt"
	"os"
	"path/filepath"

	"rove/driver"
)

// folder is the session's own folder for what it makes: owner-only, and gone
// with the session.
func (s *Session) folder() (string, error) {
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "rove-session-")
		if err != nil {
			return "", err
		}
		s.dir = dir
	}
	return s.dir, nil
}

// save writes a file into the session's folder and answers with its path.
func (s *Session) save(name string, data []byte) (*driver.Effect, error) {
	dir, err := s.folder()
	if err != nil {
		return nil, err
	}
	s.saved++
	path := filepath.Join(dir, fmt.Sprintf("%d-%s", s.saved, name))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s (%d bytes)", path, len(data))
	return &driver.Effect{Text: &text}, nil
}
