package session

import (
	"runtime/debug"
	"time"
)

// memoryPause is how long nothing may happen before memory is given back.
const memoryPause = 500 * time.Millisecond

// freeMemoryLater gives memory back to the system when no call has come for a moment: the
// trees of a large page are soon garbage, and the next page may be a while. m.mu is
// held.
func (m *Manager) freeMemoryLater() {
	if m.memoryTimer != nil {
		m.memoryTimer.Reset(memoryPause)
		return
	}
	m.memoryTimer = time.AfterFunc(memoryPause, debug.FreeOSMemory)
}
