package session

import (
	"runtime/debug"
	"time"
)

// breath is how long nothing may happen before memory is given back.
const breath = 500 * time.Millisecond

// breathe gives memory back to the system when no call has come for a moment: the
// trees of a large page are soon garbage, and the next page may be a while. m.mu is
// held.
func (m *Manager) breathe() {
	if m.breather != nil {
		m.breather.Reset(breath)
		return
	}
	m.breather = time.AfterFunc(breath, debug.FreeOSMemory)
}
