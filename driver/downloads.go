package driver

import (
	"context"

	"rove/driver/backend"
)

// downloads are the downloads of a driver's tabs. They are followed for as long as
// the driver lives: a file may come long after what asked for it was over.
type downloads struct {
	list    []*Download
	changed chan struct{} // closed and renewed whenever one begins or ends; nil before the first asks
}

// follow takes note of a tab's downloads, and of those of tabs it opens. d.mu is
// held.
func (d *Driver) follow(t backend.Tab) {
	t.Watch(func(ev backend.Event) {
		switch e := ev.(type) {
		case backend.TabOpened:
			d.mu.Lock()
			d.known(e.Tab)
			d.mu.Unlock()
		case backend.DownloadStarted:
			d.mu.Lock()
			d.downloads.list = append(d.downloads.list, &Download{ID: e.ID, Name: e.Name, URL: e.URL, Open: true})
			d.downloads.tell()
			d.mu.Unlock()
		case backend.DownloadEnded:
			d.mu.Lock()
			for _, f := range d.downloads.list {
				if f.ID == e.ID {
					f.finished(e)
				}
			}
			d.downloads.tell()
			d.mu.Unlock()
		}
	})
}

func (f *downloads) tell() {
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// Downloads lists the files that pages gave, oldest first, those on their way
// among them.
func (d *Driver) Downloads() []Download {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]Download, len(d.downloads.list))
	for i, f := range d.downloads.list {
		list[i] = *f
	}
	return list
}

// WaitDownloads waits until ok says so of the downloads, which it is asked at once
// and whenever one begins or ends.
func (d *Driver) WaitDownloads(ctx context.Context, ok func([]Download) bool) error {
	for {
		d.mu.Lock()
		if d.downloads.changed == nil {
			d.downloads.changed = make(chan struct{})
		}
		changed := d.downloads.changed
		d.mu.Unlock()
		if ok(d.Downloads()) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Explain("wait download", ctx.Err())
		}
	}
}
