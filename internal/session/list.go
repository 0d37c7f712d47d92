package session

import (
	"cmp"
	"slices"
	"time"

	"rove"
)

// Info is what there is to know of a session from outside.
type Info struct {
	Name    string
	Busy    bool          // a call is at work or waiting
	Used    time.Time     // end of the latest call
	Session *rove.Session // nil while it opens; its verbs are for the calls whose turn it is
}

// Browser is how the conversation's browser is started, and what its sessions may
// do.
func (c *Conversation) Browser() rove.Options { return c.m.opts.Browser }

// Sessions lists the conversation's sessions by name. One that is still opening
// is among them.
func (c *Conversation) Sessions() []Info {
	c.m.mu.Lock()
	defer c.m.mu.Unlock()
	list := make([]Info, 0, len(c.slots))
	for _, r := range c.slots {
		if r.process.dead() {
			continue // its end was not noticed yet
		}
		info := Info{Name: r.name, Busy: r.calls > 0, Used: r.used}
		if r.context != nil {
			info.Session = r.context.session()
		}
		list = append(list, info)
	}
	slices.SortFunc(list, func(a, b Info) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
