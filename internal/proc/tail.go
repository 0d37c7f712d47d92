package proc

import "sync"

// tailSize is how much of a process's output is kept: enough for the message a
// browser dies with, which comes last.
const tailSize = 16 << 10

// tail is a writer that keeps the end of what was written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if n >= tailSize {
		t.buf = append(t.buf[:0], p[n-tailSize:]...)
		return n, nil
	}
	if over := len(t.buf) + n - tailSize; over > 0 {
		t.buf = t.buf[:copy(t.buf, t.buf[over:])]
	}
	t.buf = append(t.buf, p...)
	return n, nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
