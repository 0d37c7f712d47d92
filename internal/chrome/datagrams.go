package chrome

import (
	"context"
	"net"
	"strings"
	"sync"
	"time"

	"rove/cdp"
	"rove/driver/backend"
)

// Datagrams (WebRTC) are neither paused nor sent to the proxy: a switch keeps them
// back, and every browser has its own (flags.go). Whether it does is asked of the
// browser before the first context with limits is given away, since one that does not
// know the switch does not say so.

// datagramTimeout bounds the question. A browser that holds them back answers within
// some milliseconds.
const datagramTimeout = 10 * time.Second

const cannotHoldDatagrams = "this browser cannot hold back datagrams (WebRTC), and a session with limits needs that"

// datagrams is what a browser has answered.
type datagrams struct {
	mu   sync.Mutex
	held bool
}

// holdDatagrams fails unless the browser keeps datagrams from leaving by a way of
// their own. It is asked once.
func (b *Browser) holdDatagrams(ctx context.Context) error {
	b.datagrams.mu.Lock()
	defer b.datagrams.mu.Unlock()
	if b.datagrams.held {
		return nil
	}
	page, done, err := b.blankPage(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := keepsDatagrams(ctx, page); err != nil {
		return err
	}
	b.datagrams.held = true
	return nil
}

// blankPage is a page that nobody has used yet: the one a browser starts with, or one
// that is gone again after done.
func (b *Browser) blankPage(ctx context.Context) (page *cdp.Session, done func(), err error) {
	c := b.startup
	if t, err := c.takeSpare(ctx); err == nil && t != nil {
		return t.session, func() { c.giveBack(t) }, nil
	}
	t, err := c.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	return t.session, func() { _ = t.Close(ctx) }, nil
}

// tryDatagrams gathers what a page would tell a peer of its addresses, which takes
// datagrams to the server that is named.
const tryDatagrams = `new Promise((done) => {
	if (!self.RTCPeerConnection) return done('held')
	const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:SERVER' }] })
	const end = (how) => { peer.close(); done(how) }
	peer.onicecandidate = (e) => { if (e.candidate?.protocol === 'udp') end('sent') }
	peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === 'complete') end('held') }
	peer.createDataChannel('')
	peer.setLocalDescription()
})`

// keepsDatagrams fails if a page can send some, or does not say.
func keepsDatagrams(ctx context.Context, page *cdp.Session) error {
	ctx, cancel := context.WithTimeout(ctx, datagramTimeout)
	defer cancel()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	arrived := make(chan bool, 1)
	go func() {
		_, _, err := server.ReadFrom(make([]byte, 1))
		arrived <- err == nil
		close(arrived)
	}()
	defer func() {
		_ = server.Close()
		for range arrived { // until it has ended
		}
	}()
	asked := page.Start("Runtime.evaluate", map[string]any{
		"expression":   strings.Replace(tryDatagrams, "SERVER", server.LocalAddr().String(), 1),
		"awaitPromise": true, "returnByValue": true,
	})
	select {
	case <-arrived:
		return fail(backend.KindPolicy, cannotHoldDatagrams)
	case <-asked.Done():
	case <-ctx.Done():
		return fail(backend.KindPolicy, cannotHoldDatagrams)
	}
	var answer struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	if err := asked.Wait(ctx, &answer); err != nil {
		return fault(err)
	}
	select {
	case <-arrived:
		return fail(backend.KindPolicy, cannotHoldDatagrams)
	default:
	}
	if answer.Result.Value != "held" {
		return fail(backend.KindPolicy, cannotHoldDatagrams)
	}
	return nil
}
