package session

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"rove"
)

// ParseSize reads a number of bytes such as 2G or 800M.
func ParseSize(text string) (int64, error) {
	number := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), "B"), "I")
	units := map[byte]int64{'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30, 'T': 1 << 40}
	if n := len(number); n > 1 && units[number[n-1]] > 0 {
		count, err := strconv.ParseInt(number[:n-1], 10, 32)
		if err == nil && count > 0 {
			return count * units[number[n-1]], nil
		}
	}
	return 0, fmt.Errorf("%q is not a size: write one such as 2G or 800M", text)
}

// tooMany is the refusal of one session more.
func (m *Manager) tooMany() error {
	if dir := m.opts.Browser.Profile; dir != "" {
		return refuse(rove.CodePolicy, "the profile "+dir+" has a session already, and is for one at a time",
			"go on in that one, or end it first")
	}
	return refuse(rove.CodePolicy, fmt.Sprintf("there are %d sessions already, the most allowed at once", m.opts.Max),
		"go on in one of yours, or wait until one has ended")
}

// memoryExceeded is the refusal of a session for which there is no memory left; nil
// where there is.
func (m *Manager) memoryExceeded() error {
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
		for _, r := range talk.slots {
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
