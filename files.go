package rove

import (
	"fmt"
	"os"
	"path/filepath"

	"rove/driver"
)

// save writes a file into the session's folder and answers with its path.
func (s *Session) save(name string, data []byte) (*driver.Effect, error) {
	s.saved++
	path := filepath.Join(s.dir, fmt.Sprintf("%d-%s", s.saved, name))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s (%d bytes)", path, len(data))
	return &driver.Effect{Text: &text}, nil
}
