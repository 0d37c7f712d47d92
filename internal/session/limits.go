package session

import (
	"errors"
	"fmt"

	"rove"
)

// tooMany is the refusal of one session more.
func (m *Manager) tooMany() error {
	if dir := m.opts.Browser.Profile; dir != "" {
		return refuse(rove.CodePolicy, "the profile "+dir+" has a session already, and is for one at a time",
			"go on in that one, or end it first")
	}
	return refuse(rove.CodePolicy, fmt.Sprintf("there are %d sessions already, the most allowed at once", m.opts.Max),
		"go on in one of yours, or wait until one has ended")
}

// tooMuch is the refusal of a session for which there is no memory left; nil
// where there is.
func (m *Manager) tooMuch() error {
	if m.opts.MaxMemory <= 0 {
		return nil
	}
	var sum int64
	for _, b := range m.running() {
		n, err := b.Memory()
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return refuse(rove.CodeUnsupported, "there is a limit on memory, but this system does not tell how much a browser has", "do without the limit")
		case err != nil:
			return refuse(rove.CodeProtocol, fmt.Sprintf("there is a limit on memory, but how much the browser has is not known: %v", err), "")
		}
		sum += n
	}
	if sum <= m.opts.MaxMemory {
		return nil
	}
	return refuse(rove.CodePolicy, fmt.Sprintf("the browser has %d MiB of memory already, and %d MiB are allowed", sum>>20, m.opts.MaxMemory>>20),
		"go on in a session you have, or end one first")
}

// running lists the browsers that are up.
func (m *Manager) running() []browser {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[*process]bool{m.shared: true}
	for talk := range m.talks {
		for _, r := range talk.rooms {
			all[r.process] = true
		}
	}
	delete(all, nil)
	var list []browser
	for p := range all {
		select {
		case <-p.ready:
			if p.browser != nil && !p.dead() {
				list = append(list, p.browser)
			}
		default:
		}
	}
	return list
}
