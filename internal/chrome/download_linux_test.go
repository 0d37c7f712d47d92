package chrome

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/chromedp/cdproto/browser"

	"rove/driver/backend"
	"rove/internal/testkit"
)

// TestSlowDisk: news of a file that takes long to be read keeps no other news waiting.
func TestSlowDisk(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "guid") // whoever reads it waits for somebody to write
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Skip(err)
	}
	b := &Browser{}
	tab := &Tab{id: "T", browser: b, context: &Context{browser: b, folder: dir}}
	ended := make(chan backend.DownloadEnded, 1)
	defer tab.Watch(func(ev backend.Event) {
		if e, ok := ev.(backend.DownloadEnded); ok {
			ended <- e
		}
	})()
	b.downloads.add("guid", download{tab: tab, name: "no-extension"})
	handled := make(chan struct{})
	go func() {
		b.downloadMoved(&browser.EventDownloadProgress{GUID: "guid", State: browser.DownloadProgressStateCompleted})
		tab.News.Tell(backend.Loaded{})
		close(handled)
	}()
	done := func() bool {
		select {
		case <-handled:
			return true
		default:
			return false
		}
	}
	testkit.Eventually(t, "the event to be handled while the file is not read", done)
	var w *os.File
	testkit.Eventually(t, "the file to be read", func() (ok bool) {
		var err error
		w, err = os.OpenFile(filepath.Join(dir, "no-extension"), os.O_WRONLY|syscall.O_NONBLOCK, 0)
		return err == nil
	})
	_, _ = w.WriteString("<html>")
	_ = w.Close()
	if e := <-ended; e.Failed || e.Type != "text/html; charset=utf-8" {
		t.Errorf("%+v", e)
	}
}
