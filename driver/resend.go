package driver

import (
	"strings"

	"rove/driver/backend"
)

// posted knows which documents of a tab came of a form that was sent: to load one of
// them again is to send the form again.
type posted struct {
	methods map[backend.FrameID]string // of requests for documents that are under way
	pages   map[string]bool            // addresses whose document came by another method than GET
}

// mostSent bounds how many addresses are kept. Beyond that all are forgotten but the last.
const mostSent = 1000

func (s *posted) on(ev backend.Event) {
	switch e := ev.(type) {
	case backend.RequestStarted:
		if e.Type == backend.TypeDocument {
			if s.methods == nil {
				s.methods = map[backend.FrameID]string{}
			}
			s.methods[e.Frame] = e.Method
		}
	case backend.FrameRemoved:
		delete(s.methods, e.Frame)
	case backend.FrameNavigated:
		method, ok := s.methods[e.Frame]
		delete(s.methods, e.Frame)
		if !e.Main || !ok { // a page that the browser had kept is what it was
			return
		}
		if s.pages == nil || len(s.pages) > mostSent {
			s.pages = map[string]bool{}
		}
		if method == "GET" {
			delete(s.pages, document(e.URL))
		} else {
			s.pages[document(e.URL)] = true
		}
	}
}

// document is an address without the place in its document.
func document(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return url
}

// resends has it agreed to that a form is sent again, where that is what loading the
// page again does.
func (a *action) resends() error {
	ask := a.tab.driver.onTrigger
	url := a.tab.URL()
	a.tab.news.mu.Lock()
	form := a.tab.news.sent.pages[document(url)]
	a.tab.news.mu.Unlock()
	if ask == nil || !form {
		return nil
	}
	_, err := ask(a.ctx, Trigger{
		Op: a.Name, Target: a.target, Value: a.Value, Keys: true, URL: url,
		Nodes: []ElementInfo{{Role: "form", Name: "sent for this page, once more", More: true}}, // whatever was pressed to send it
	})
	return err
}
