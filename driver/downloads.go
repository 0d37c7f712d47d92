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

// download takes note of an event about a download, and answers which one it is; nil
// where it is about none.
func (d *Driver) download(ev backend.Event) (file *Download) {
	switch ev.(type) {
	case backend.DownloadStarted, backend.DownloadEnded:
	default:
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch e := ev.(type) {
	case backend.DownloadStarted:
		file = &Download{ID: e.ID, Name: e.Name, URL: e.URL, Open: true}
		d.downloads.list = append(d.downloads.list, file)
	case backend.DownloadEnded:
		for _, f := range d.downloads.list {
			if f.ID == e.ID {
				file = f
				f.finished(e)
			}
		}
	}
	d.downloads.tell()
	return file
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
	if !d.Can(backend.CanDownloads) {
		return d.failed("wait download", backend.Fail(backend.KindUnsupported, "to be told of downloads"))
	}
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
