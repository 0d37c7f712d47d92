package rove

import (
	"context"
	"fmt"
	"strings"

	"rove/aria"
	"rove/driver"
	"rove/driver/advice"
	"rove/internal/outlet"
)

// Download is a file that a page gave.
type Download = driver.Download

// downloaded says where a file is. Its name and address are the page's words.
func downloaded(d Download, w advice.Words) string {
	switch {
	case d.Failed:
		return fmt.Sprintf("download %s failed", aria.Quote(d.Name))
	case d.Open:
		return fmt.Sprintf("download %s is on its way; %s", aria.Quote(d.Name), w.Say(advice.WaitDownload))
	}
	kind := ""
	if d.Type != "" { // which is not told everywhere
		kind = ", " + aria.Plain(d.Type)
	}
	return fmt.Sprintf("download %s (%d bytes%s)", aria.Quote(d.Path), d.Size, kind)
}

// reported notes that the end of downloads was told of.
func (s *Session) reported(list ...Download) {
	if s.fetched == nil {
		s.fetched = map[string]bool{}
	}
	for _, d := range list {
		if !d.Open {
			s.fetched[d.ID] = true
		}
	}
}

// arrivals are the files whose end was not told of yet: what was asked for
// earlier, or came by itself.
func (s *Session) arrivals() []Download {
	var list []Download
	for _, d := range s.driver.Downloads() {
		if !d.Open && !s.fetched[d.ID] {
			list = append(list, outlet.Clean(s.out, d))
		}
	}
	return list
}

// arrived gives the arrivals, once, with a line for each.
func (s *Session) arrived() ([]Download, string) {
	list := s.arrivals()
	s.reported(list...)
	var b strings.Builder
	for _, d := range list {
		b.WriteString(downloaded(d, nil) + "\n") // which are there
	}
	return list, b.String()
}

// waitDownload waits until a file is there that was not told of.
func (s *Session) waitDownload(ctx context.Context) error {
	return s.driver.WaitDownloads(ctx, func([]Download) bool { return len(s.arrivals()) > 0 })
}
