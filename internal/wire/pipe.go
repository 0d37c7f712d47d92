package wire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
)

// pipe speaks Chrome's --remote-debugging-pipe: JSON messages, each ended by a
// NUL byte, which JSON text never contains.
type pipe struct {
	r io.ReadCloser
	w io.WriteCloser

	buf        []byte
	start, end int   // buf[start:end] is read and not yet returned
	scanned    int   // buf[start:scanned] is known to hold no NUL
	err        error // what the reader ended with

	out []byte // joined messages, reused between writes

	once     sync.Once
	closeErr error
}

// NewPipe returns a transport that reads NUL-ended messages from r and writes
// them to w. It owns both: Close closes them, which must unblock a Read or
// Write under way, as it does for os.Pipe, io.Pipe and net.Conn. (For a file
// it no longer does once its Fd method was called, which makes it blocking.)
func NewPipe(r io.ReadCloser, w io.WriteCloser) Transport {
	return &pipe{r: r, w: w}
}

func (p *pipe) Read() ([]byte, error) {
	for {
		if i := bytes.IndexByte(p.buf[p.scanned:p.end], 0); i >= 0 {
			return p.take(p.scanned + i), nil
		}
		p.scanned = p.end
		if p.err != nil {
			if p.err == io.EOF && p.end > p.start {
				return nil, io.ErrUnexpectedEOF
			}
			return nil, p.err
		}
		if p.end-p.start > MaxMessage {
			p.err = errTooLarge()
			return nil, p.err
		}
		p.fill()
	}
}

// fill reads once, behind what is there. The error is kept for later, since a
// reader may return bytes along with it.
func (p *pipe) fill() {
	held := p.end - p.start
	if len(p.buf)-p.end < readChunk/2 {
		to := p.buf
		if held > len(p.buf)/2 || len(p.buf) == 0 {
			to = make([]byte, max(readChunk, 2*len(p.buf)))
		}
		copy(to, p.buf[p.start:p.end])
		p.buf, p.start, p.end, p.scanned = to, 0, held, held
	}
	n, err := p.r.Read(p.buf[p.end:])
	p.end += n
	p.err = err
}

// take returns the message that ends before the NUL at i. A small one is
// copied, so that it does not keep the whole buffer alive. A large one leaves
// with the buffer, and only what follows it is copied.
func (p *pipe) take(i int) []byte {
	msg := p.buf[p.start:i:i]
	if len(msg) < keepBelow {
		msg = bytes.Clone(msg)
		p.start, p.scanned = i+1, i+1
		if p.start == p.end {
			p.start, p.end, p.scanned = 0, 0, 0
		}
		return msg
	}
	rest := p.buf[i+1 : p.end]
	p.buf = make([]byte, max(readChunk, len(rest)))
	p.start, p.end, p.scanned = 0, copy(p.buf, rest), 0
	return msg
}

func (p *pipe) Write(msgs [][]byte) error {
	out := p.out[:0]
	for _, m := range msgs {
		out = append(out, m...)
		out = append(out, 0)
	}
	_, err := p.w.Write(out)
	if cap(out) > keepWrite {
		out = nil
	}
	p.out = out
	return err
}

// Close closes the writing end first: that is what makes Chrome leave.
func (p *pipe) Close() error {
	p.once.Do(func() {
		p.closeErr = p.w.Close()
		// Both ends may be one connection, which is closed by then.
		if err := p.r.Close(); p.closeErr == nil && !errors.Is(err, net.ErrClosed) {
			p.closeErr = err
		}
	})
	return p.closeErr
}
