package chrome

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/browser"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// downloadsTo has a context's downloads reported, and saved into a directory
// under names of their own; without one they are refused.
func downloadsTo(contextID, dir string) *browser.SetDownloadBehaviorParams {
	p := &browser.SetDownloadBehaviorParams{
		Behavior:         browser.SetDownloadBehaviorBehaviorDeny,
		BrowserContextID: browserContextID(contextID),
		EventsEnabled:    new(true),
	}
	if dir != "" {
		p.Behavior, p.DownloadPath = browser.SetDownloadBehaviorBehaviorAllowAndName, dir
	}
	return p
}

// downloads are those under way, by id.
type downloads struct {
	mu   sync.Mutex
	byID map[string]download
}

type download struct {
	tab       *Tab
	name, url string
}

func (d *downloads) add(id string, one download) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byID == nil {
		d.byID = make(map[string]download)
	}
	d.byID[id] = one
}

func (d *downloads) take(id string) (download, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	one, ok := d.byID[id]
	delete(d.byID, id)
	return one, ok
}

// downloadBegan hands a download to the tab whose frame began it.
func (b *Browser) downloadBegan(e *browser.EventDownloadWillBegin) {
	b.mu.Lock()
	tabs := slices.Collect(maps.Values(b.tabs))
	b.mu.Unlock()
	for _, t := range tabs {
		if t.download(e) {
			t = t.downloadTarget()
			b.downloads.add(e.GUID, download{tab: t, name: e.SuggestedFilename, url: e.URL})
			t.countFlow(flowDownload)
			if b.guest.on && t.context.downloads() == "" {
				b.conn.Root().Start(browser.CommandCancelDownload, &browser.CancelDownloadParams{GUID: e.GUID})
			}
			t.News.Tell(backend.DownloadStarted{ID: e.GUID, Name: e.SuggestedFilename, URL: e.URL})
			return
		}
	}
}

// downloadTarget is the tab that a download is for: one that was opened for nothing but the
// file goes away again, and it is for the tab that opened it.
func (t *Tab) downloadTarget() *Tab {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if t.opener != nil && t.nav.commits == 0 {
		return t.opener
	}
	return t
}

// downloadMoved tells of a download that is over, and gives the file its name.
func (b *Browser) downloadMoved(e *browser.EventDownloadProgress) {
	if e.State == browser.DownloadProgressStateInProgress {
		return
	}
	one, ok := b.downloads.take(e.GUID)
	if !ok {
		return
	}
	ended := backend.DownloadEnded{ID: e.GUID, Name: one.name, URL: one.url, Failed: e.State != browser.DownloadProgressStateCompleted}
	dir := one.tab.context.downloads()
	if dir == "" {
		ended.Failed = true
		one.tab.News.Tell(ended)
		return
	}
	// Off the queue: a disk may be slow.
	go func() {
		if b.guest.on {
			b.guestDownload(one, e, ended)
			return
		}
		came := filepath.Join(dir, e.GUID)
		if ended.Failed {
			// What there is of it is no file, as where the disk is full.
			_ = os.Remove(came)
			_ = os.Remove(came + ".crdownload")
			one.tab.News.Tell(ended)
			return
		}
		path, err := anypage.Claim(dir, one.name)
		if err == nil {
			if err = os.Rename(came, path); err != nil {
				_ = os.Remove(path)
			}
		}
		if ended.Path = path; err != nil {
			ended.Path = came
		}
		_ = os.Chmod(ended.Path, 0o600)
		info, err := os.Stat(ended.Path)
		if err == nil {
			ended.Size, ended.Type = info.Size(), anypage.FileType(ended.Name, ended.Path)
		}
		if err != nil || ended.Size == 0 && e.ReceivedBytes > 0 {
			// Nothing is there of what came: there was no room for it.
			_ = os.Remove(ended.Path)
			ended.Failed, ended.Path, ended.Size, ended.Type = true, "", 0, ""
		}
		one.tab.News.Tell(ended)
	}()
}
