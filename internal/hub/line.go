package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"rove/internal/wire"
)

// line is a connection to a browser and who uses it.
type line struct {
	address string
	browser wire.Transport
	note    *note // of the tabs, for who comes after us; nil where it cannot be kept
	ended   func()
	done    chan struct{}

	writing sync.Mutex

	mu        sync.Mutex
	last      int64
	over      bool
	clients   map[*client]struct{}
	calls     map[int64]call       // commands without an answer
	sessions  map[string]*client   // whose a session is
	roots     map[string]string    // the targets of sessions that were asked for by attachToTarget
	tabs      map[string]*client   // who opened a tab
	attaching map[string][]*client // who waits for a session with a target
	places    map[string]string    // where the tabs are, as noted
	putting   bool                 // a popup is being put behind
}

type call struct {
	client *client
	id     int64
	method string
	target string
	reply  chan wire.Envelope // for our own
}

func newLine(address string, browser wire.Transport, ended func()) *line {
	return &line{
		address: address, browser: browser, ended: ended, done: make(chan struct{}),
		clients: map[*client]struct{}{}, calls: map[int64]call{}, sessions: map[string]*client{},
		roots: map[string]string{}, tabs: map[string]*client{}, attaching: map[string][]*client{},
		places: map[string]string{},
	}
}

// join takes a client on.
func (l *line) join(conn io.ReadWriteCloser) error {
	c := newClient(conn)
	l.mu.Lock()
	if l.over {
		l.mu.Unlock()
		return io.ErrUnexpectedEOF
	}
	l.clients[c] = struct{}{}
	l.mu.Unlock()
	go c.write()
	go func() {
		for {
			msg, err := c.conn.Read()
			if err == nil {
				err = l.forward(c, msg)
			}
			if err != nil {
				break
			}
		}
		l.leave(c)
	}()
	return nil
}

var errNoCommand = errors.New("hub: that is no command")

// forward sends a client's command on, under a number of our own.
func (l *line) forward(c *client, msg []byte) error {
	id, rest, ok := number(msg)
	if !ok {
		return errNoCommand
	}
	name, _, ok := bytes.Cut(bytes.TrimPrefix(rest, []byte(`,"method":"`)), []byte(`"`))
	if !ok {
		return errNoCommand
	}
	one := call{client: c, id: id, method: string(name)}
	if one.method == "Target.attachToTarget" {
		var v struct {
			Params struct {
				TargetID string `json:"targetId"`
			} `json:"params"`
		}
		if err := wire.Unmarshal(msg, &v); err != nil {
			return err
		}
		one.target = v.Params.TargetID
	}
	l.mu.Lock()
	if one.target != "" && l.ownedByOther(c, one.target) {
		l.mu.Unlock()
		c.send(numbered(id, []byte(`,"error":{"code":-32000,"message":"another session is at that tab"}}`)))
		return nil
	}
	l.last++
	n := l.last
	l.calls[n] = one
	if one.target != "" {
		l.attaching[one.target] = append(l.attaching[one.target], c)
	}
	l.mu.Unlock()
	return l.write(numbered(n, rest))
}

func (l *line) write(msg []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	return l.browser.Write([][]byte{msg})
}

// ownedByOther says whether a tab was opened by another client, or lent to it.
func (l *line) ownedByOther(c *client, target string) bool {
	if owner := l.tabs[target]; owner != nil {
		return owner != c
	}
	for session, root := range l.roots {
		if root == target && l.sessions[session] != c {
			return true
		}
	}
	return false
}

var idHead = []byte(`{"id":`)

// number takes the number off the head of a message.
func number(msg []byte) (id int64, rest []byte, ok bool) {
	b, ok := bytes.CutPrefix(msg, idHead)
	if !ok {
		return 0, nil, false
	}
	n := 0
	for n < len(b) && n < 18 && '0' <= b[n] && b[n] <= '9' {
		id = id*10 + int64(b[n]-'0')
		n++
	}
	return id, b[n:], n > 0
}

func numbered(id int64, rest []byte) []byte {
	msg := make([]byte, 0, len(idHead)+20+len(rest))
	msg = strconv.AppendInt(append(msg, idHead...), id, 10)
	return append(msg, rest...)
}

// read hands out what the browser says, until it is gone.
func (l *line) read() {
	for {
		msg, err := l.browser.Read()
		if err != nil {
			break
		}
		e, err := wire.Split(msg)
		if err != nil {
			break
		}
		if e.ID != 0 {
			l.answer(msg, e)
		} else {
			l.event(msg, e)
		}
	}
	_ = l.browser.Close()
	l.mu.Lock()
	l.over = true
	clients, calls := l.clients, l.calls
	l.clients, l.calls = map[*client]struct{}{}, map[int64]call{}
	left := len(l.tabs) > 0
	l.mu.Unlock()
	for _, one := range calls {
		if one.reply != nil {
			close(one.reply)
		}
	}
	l.note.end(left)
	l.ended()
	for c := range clients {
		c.end()
	}
	close(l.done)
}

func (l *line) answer(msg []byte, e wire.Envelope) {
	l.mu.Lock()
	one, ok := l.calls[e.ID]
	delete(l.calls, e.ID)
	var orphan string
	if ok && one.method == "Target.createTarget" && !e.Failed {
		var v struct {
			TargetID string `json:"targetId"`
		}
		if wire.Unmarshal(e.Body, &v) == nil {
			if _, there := l.clients[one.client]; there {
				l.tabs[v.TargetID] = one.client
				if l.places[v.TargetID] == "" {
					l.places[v.TargetID] = "about:blank" // which was told before it was ours
				}
				l.note.write(l)
			} else {
				orphan = v.TargetID
			}
		}
	}
	if ok && one.method == "Target.attachToTarget" && e.Failed {
		l.attaching[one.target] = drop(l.attaching[one.target], one.client)
	}
	var hidden []byte
	if ok && one.method == "Target.getTargets" && one.client != nil && !e.Failed {
		hidden = l.withoutOthers(one.client, e.Body)
	}
	l.mu.Unlock()
	switch {
	case ok && one.reply != nil:
		one.reply <- e
		return
	case hidden != nil:
		one.client.send(numbered(one.id, slices.Concat([]byte(`,"result":`), hidden, []byte("}"))))
		return
	}
	if orphan != "" {
		l.tell("Target.closeTarget", map[string]any{"targetId": orphan})
	}
	if _, rest, fits := number(msg); ok && fits && one.client != nil {
		one.client.send(numbered(one.id, rest))
	}
}

// withoutOthers takes the tabs of other clients out of a list: they are no tabs of the
// person's.
func (l *line) withoutOthers(c *client, body []byte) []byte {
	var list struct {
		Infos []json.RawMessage `json:"targetInfos"`
	}
	if wire.Unmarshal(body, &list) != nil {
		return nil
	}
	list.Infos = slices.DeleteFunc(list.Infos, func(info json.RawMessage) bool {
		var v struct {
			TargetID string `json:"targetId"`
		}
		owner := (*client)(nil)
		if wire.Unmarshal(info, &v) == nil {
			owner = l.tabs[v.TargetID]
		}
		return owner != nil && owner != c
	})
	text, err := wire.Marshal(list)
	if err != nil {
		return nil
	}
	return text
}

// about is what the events say that we have to know.
type about struct {
	SessionID  string `json:"sessionId"`
	TargetID   string `json:"targetId"`
	Type       string `json:"type"` // of a dialog
	TargetInfo struct {
		TargetID string `json:"targetId"`
		OpenerID string `json:"openerId"`
		URL      string `json:"url"`
	} `json:"targetInfo"`
}

func (l *line) event(msg []byte, e wire.Envelope) {
	var v about
	switch e.Method {
	case "Target.attachedToTarget", "Target.detachedFromTarget", "Target.targetCreated", "Target.targetDestroyed", "Target.targetInfoChanged", "Page.javascriptDialogOpening":
		if wire.Unmarshal(e.Body, &v) != nil {
			return
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	to := l.sessions[e.Session]
	all := e.Session == ""
	switch e.Method {
	case "Target.attachedToTarget":
		if all {
			waiting := l.attaching[v.TargetInfo.TargetID]
			if len(waiting) == 0 {
				return
			}
			to, all = waiting[0], false
			if l.attaching[v.TargetInfo.TargetID] = waiting[1:]; len(waiting) == 1 {
				delete(l.attaching, v.TargetInfo.TargetID)
			}
			l.roots[v.SessionID] = v.TargetInfo.TargetID
		}
		if to != nil {
			l.sessions[v.SessionID] = to
		}
	case "Target.detachedFromTarget":
		if all {
			to, all = l.sessions[v.SessionID], false
		}
		delete(l.sessions, v.SessionID)
		delete(l.roots, v.SessionID)
	case "Target.targetCreated":
		if owner := l.tabs[v.TargetInfo.OpenerID]; owner != nil {
			if l.tabs[v.TargetInfo.TargetID] == nil {
				l.behind(v.TargetInfo.OpenerID, v.TargetInfo.TargetID)
			}
			l.tabs[v.TargetInfo.TargetID] = owner
		}
	case "Page.javascriptDialogOpening":
		if id := l.roots[e.Session]; v.Type == "beforeunload" && l.tabs[id] != nil {
			l.behind(id, id)
		}
	case "Target.targetDestroyed":
		if l.tabs[v.TargetID] != nil {
			delete(l.tabs, v.TargetID)
			delete(l.places, v.TargetID)
			l.note.write(l)
		}
	}
	if id := v.TargetInfo.TargetID; l.tabs[id] != nil && v.TargetInfo.URL != "" && l.places[id] != v.TargetInfo.URL {
		l.places[id] = v.TargetInfo.URL
		l.note.write(l)
	}
	switch {
	case all:
		for c := range l.clients {
			c.send(msg)
		}
	case to != nil:
		to.send(msg)
	}
}

// tell sends a command whose answer nobody waits for.
func (l *line) tell(method string, params map[string]any) {
	l.mu.Lock()
	l.last++
	n := l.last
	l.mu.Unlock()
	if msg, err := wire.AppendCommand(nil, n, method, params, ""); err == nil {
		_ = l.write(msg)
	}
}

// askTime bounds a question of our own to the browser.
const askTime = 5 * time.Second

// ask sends a command of our own and waits for its answer.
func (l *line) ask(method string, params map[string]any, out any) error {
	reply := make(chan wire.Envelope, 1)
	l.mu.Lock()
	if l.over {
		l.mu.Unlock()
		return io.ErrUnexpectedEOF
	}
	l.last++
	n := l.last
	l.calls[n] = call{method: method, reply: reply}
	l.mu.Unlock()
	msg, err := wire.AppendCommand(nil, n, method, params, "")
	if err == nil {
		err = l.write(msg)
	}
	if err != nil {
		return err
	}
	select {
	case e, ok := <-reply:
		switch {
		case !ok:
			return io.ErrUnexpectedEOF
		case e.Failed:
			return errors.New(string(e.Body))
		case out == nil:
			return nil
		}
		return wire.Unmarshal(e.Body, out)
	case <-time.After(askTime):
		return context.DeadlineExceeded
	}
}

// dismiss has all clients leave, and waits until the browser has heard of it.
func (l *line) dismiss() {
	l.mu.Lock()
	clients := slices.Collect(maps.Keys(l.clients))
	l.mu.Unlock()
	for _, c := range clients {
		l.leave(c)
	}
	_ = l.ask("Browser.getVersion", nil, nil)
}

// leave is the end of a client: what it opened is closed, and what it had of the
// person's is let go of.
func (l *line) leave(c *client) {
	c.end()
	l.mu.Lock()
	delete(l.clients, c)
	var tabs, sessions []string
	for id, owner := range l.tabs {
		if owner == c {
			tabs = append(tabs, id)
			delete(l.tabs, id)
			delete(l.places, id)
		}
	}
	for id, owner := range l.sessions {
		if owner != c {
			continue
		}
		if _, root := l.roots[id]; root {
			sessions = append(sessions, id)
		}
		delete(l.sessions, id)
	}
	over := l.over
	l.mu.Unlock()
	if over {
		return
	}
	for _, id := range tabs {
		l.tell("Target.closeTarget", map[string]any{"targetId": id})
	}
	for _, id := range sessions {
		l.tell("Target.detachFromTarget", map[string]any{"sessionId": id})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note.write(l)
}
