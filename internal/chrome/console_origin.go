package chrome

import (
	"bytes"
	"strconv"

	"rove/cdp"
)

// location are where in a source something was written.
type location struct{ Kind, URL string }

// origin is a source of events, with what is to be known to say where in it
// something was written.
type origin struct {
	source *Source
	frames map[string]string // addresses by frame
	worlds map[int64]string  // frames by execution context
	main   string            // the frame
	last   float64           // the latest time of what it wrote
	recent []written         // what it wrote lately, for what may be told again
	held   int               // how many objects the browser keeps for us, at least
}

func newOrigin(s *Source) *origin {
	return &origin{source: s, frames: make(map[string]string), worlds: make(map[int64]string), main: s.ID}
}

// follow keeps up with frames and their worlds.
func (o *origin) follow(ev cdp.Event) {
	switch ev.Method {
	case "Runtime.executionContextCreated":
		var e struct {
			Context struct {
				ID  int64 `json:"id"`
				Aux struct {
					Frame string `json:"frameId"`
				} `json:"auxData"`
			} `json:"context"`
		}
		if ev.Decode(&e) == nil && e.Context.Aux.Frame != "" {
			o.worlds[e.Context.ID] = e.Context.Aux.Frame
		}
	case "Runtime.executionContextDestroyed":
		var e struct {
			ID int64 `json:"executionContextId"`
		}
		if ev.Decode(&e) == nil {
			delete(o.worlds, e.ID)
		}
	case "Runtime.executionContextsCleared":
		clear(o.worlds)
	case "Page.frameNavigated":
		var e struct {
			Frame struct {
				ID       string `json:"id"`
				Parent   string `json:"parentId"`
				URL      string `json:"url"`
				Fragment string `json:"urlFragment"`
			} `json:"frame"`
		}
		if ev.Decode(&e) != nil {
			return
		}
		if e.Frame.Parent == "" {
			o.main = e.Frame.ID
		}
		o.frames[e.Frame.ID] = e.Frame.URL + e.Frame.Fragment
	case "Page.navigatedWithinDocument":
		var e struct {
			Frame string `json:"frameId"`
			URL   string `json:"url"`
		}
		if ev.Decode(&e) == nil {
			o.frames[e.Frame] = e.URL
		}
	case "Page.frameDetached":
		var e struct {
			Frame string `json:"frameId"`
		}
		if ev.Decode(&e) == nil {
			delete(o.frames, e.Frame)
		}
	}
}

// context says where an event came from. Nil params are of the source as a whole.
func (o *origin) context(params []byte) location {
	s := o.source
	c := location{Kind: s.Kind, URL: s.URL}
	if s.Kind != "page" && s.Kind != "frame" {
		return c
	}
	frame := o.worlds[contextID(params)]
	if frame == "" || frame == s.ID || frame == o.main {
		if url := o.frames[o.main]; url != "" {
			c.URL = url
		}
		return c
	}
	c.Kind = "frame"
	if c.URL = o.frames[frame]; c.URL == "" {
		c.URL = "about:blank"
	}
	return c
}

// teller says what a message of the browser is about. It is false for what a worker
// of the page wrote: the worker tells that itself, and better.
func (o *origin) teller(ev cdp.Event) (location, bool) {
	var e struct {
		Entry struct {
			Source string `json:"source"`
			Worker string `json:"workerId"`
			URL    string `json:"url"`
		} `json:"entry"`
	}
	c := o.context(nil)
	if ev.Decode(&e) != nil || e.Entry.Worker != "" || e.Entry.Source == "worker" {
		return c, false
	}
	if url := e.Entry.URL; url != "" && url != c.URL {
		for frame, at := range o.frames {
			if at == url && frame != o.main {
				c.Kind, c.URL = "frame", url
			}
		}
	}
	return c, true
}

// contextID finds the execution context of an event.
func contextID(params []byte) int64 {
	id, _ := strconv.ParseInt(member(params, `"executionContextId":`), 10, 64)
	return id
}

// exceptionID finds the number of an exception.
func exceptionID(params []byte) int {
	id, _ := strconv.Atoi(member(params, `"exceptionId":`))
	return id
}

// timestamp finds the time of an event.
func timestamp(params []byte) float64 {
	at, _ := strconv.ParseFloat(member(params, `"timestamp":`), 64)
	return at
}

// member finds a number without decoding what may be large. No string can hold the
// mark: a quote in a string is written \".
func member(params []byte, mark string) string {
	i := bytes.LastIndex(params, []byte(mark))
	if i < 0 {
		return ""
	}
	rest := params[i+len(mark):]
	end := 0
	for end < len(rest) && end < 32 && bytes.IndexByte([]byte("0123456789.eE+-"), rest[end]) >= 0 {
		end++
	}
	return string(rest[:end])
}
