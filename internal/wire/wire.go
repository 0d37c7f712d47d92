// Package wire carries protocol messages between rove and a browser: the two
// carriers (a pipe, a websocket), the message envelope, and JSON.
//
// A message's envelope (id, method, session) is split from its body without
// parsing the body, because bodies are large and are decoded once, by the one
// who knows their type. See [Split].
package wire

import "fmt"

// A Transport carries whole messages. Read is called by one goroutine, Write
// by one other; Close by anyone, any number of times.
type Transport interface {
	// Read returns the next message. The message belongs to the caller and is
	// not touched again. After the peer has closed, Read returns io.EOF.
	Read() ([]byte, error)

	// Write sends the messages, in one write where the carrier permits. It
	// does not keep the slices.
	Write(msgs [][]byte) error

	// Close ends the connection and unblocks Read and Write.
	Close() error
}

// MaxMessage is the size beyond which an incoming message is taken for a
// broken stream. It only keeps a mad peer from eating all memory: Chrome's
// largest answers (heap snapshots, traces) come in chunks.
const MaxMessage = 1 << 30

func errTooLarge() error {
	return fmt.Errorf("wire: message larger than %d bytes", MaxMessage)
}

const (
	readChunk = 64 << 10 // the smallest read buffer
	keepBelow = 32 << 10 // messages smaller than this are copied out of the read buffer
	keepWrite = 1 << 20  // write buffers larger than this are not kept
)
