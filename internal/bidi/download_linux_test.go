package bidi

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/testkit"
)

// TestSlowDisk: news of a file that takes long to be read keeps no other news waiting.
func TestSlowDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "no-extension") // whoever reads it waits for somebody to write
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Skip(err)
	}
	tab := &Tab{id: "T"}
	ended := make(chan backend.DownloadEnded, 1)
	defer tab.Watch(func(ev backend.Event) {
		if e, ok := ev.(backend.DownloadEnded); ok {
			ended <- e
		}
	})()
	handled := make(chan struct{})
	go func() {
		tab.downloads("downloadEnd", cdp.Event{Params: []byte(`{"context": "T", "download": "D", "status": "complete", "filepath": "` + file + `"}`)})
		tab.News.Tell(backend.Loaded{})
		close(handled)
	}()
	testkit.Eventually(t, "the event to be handled while the file is not read", func() bool {
		select {
		case <-handled:
			return true
		default:
			return false
		}
	})
	var w *os.File
	testkit.Eventually(t, "the file to be read", func() bool {
		var err error
		w, err = os.OpenFile(file, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		return err == nil
	})
	_, _ = w.WriteString("<html>")
	_ = w.Close()
	if e := <-ended; e.Failed || e.Type != "text/html; charset=utf-8" {
		t.Errorf("%+v", e)
	}
}
