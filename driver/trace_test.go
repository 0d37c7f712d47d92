package driver_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rove/driver"
)

const formPage = `<h1>Sign in</h1><form onsubmit="document.title='sent'; return false">
	<label>Name <input id=name></label><label>Password <input id=pw type=password></label><button>Send</button></form>
	<button id=ask onclick="alert('Sure?')">Ask</button>`

// Every step is written down, with the page after it, and can be read back.
func TestTrace(t *testing.T) {
	p := one(t, formPage)
	dir := filepath.Join(t.TempDir(), "trace")
	trace, err := p.StartTrace(driver.TraceOptions{Folder: dir, Redact: func(s string) string { return strings.ReplaceAll(s, "Ann", "[name]") }})
	p.ok(err)
	_, err = p.StartTrace(driver.TraceOptions{Folder: dir})
	fails(t, err, driver.CodeInvalid, "being written already")

	p.visit("/")
	_, err = p.Input(p.ctx, "#name", "Ann")
	p.ok(err)
	_, err = p.Input(p.ctx, "#pw", "s3cret-1")
	p.ok(err)
	_, err = p.SetValue(p.ctx, "#pw", "s3cret-2")
	p.ok(err)
	_, err = p.Click(p.ctx, "{button}Send")
	p.ok(err)
	_, err = p.Text(p.ctx, "h1")
	p.ok(err)
	_, err = p.Retry(1, 100*time.Millisecond).Click(p.ctx, "#none")
	fails(t, err, driver.CodeNotFound)
	_, err = p.Click(p.ctx, "#ask")
	p.ok(err)
	p.ok(p.Dialog(p.ctx, true, ""))
	p.ok(trace.Stop())
	p.ok(trace.Stop())
	_, err = p.Text(p.ctx, "h1")
	p.ok(err)

	steps, err := driver.ReadTrace(trace.Folder())
	p.ok(err)
	want := []string{"go " + p.url + "/", "input #name [name]", "input #pw ••••••", "value #pw ••••••", "click {button}Send", "text h1", "click #none", "click #ask", "dialog accept"}
	if len(steps) != len(want) {
		t.Fatalf("%d steps, want %d: %+v", len(steps), len(want), steps)
	}
	for i, s := range steps {
		same(t, "step", strings.TrimSpace(s.Op+" "+s.Target+" "+s.Value), want[i])
		same(t, "number", s.N, i+1)
		if s.MS <= 0 || time.Since(s.Time) > time.Minute || !strings.HasPrefix(s.URL, p.url) {
			t.Errorf("step %d: %+v", i, s)
		}
		if dialog := s.Target == "#ask"; dialog {
			same(t, "dialog", s.Dialog, "alert: Sure?")
			continue
		}
		if !strings.Contains(s.Tree, `heading "Sign in"`) {
			t.Errorf("step %d has the tree %q", i, s.Tree)
		}
		picture, err := os.ReadFile(filepath.Join(dir, s.Picture))
		if err != nil || !bytes.HasPrefix(picture, []byte("\xff\xd8")) {
			t.Errorf("step %d has no picture: %v", i, err)
		}
		ownerOnly(t, filepath.Join(dir, s.Picture))
	}
	same(t, "title", steps[4].Title, "sent")
	same(t, "failure", string(steps[6].Code), "notfound")
	if !strings.Contains(steps[6].Error, "element not found: #none") {
		t.Errorf("the error is %q", steps[6].Error)
	}
	ownerOnly(t, dir)
	ownerOnly(t, filepath.Join(dir, "trace.jsonl"))
	raw, err := os.ReadFile(filepath.Join(dir, "trace.jsonl"))
	p.ok(err)
	for _, secret := range []string{"s3cret", "Ann"} {
		if strings.Contains(string(raw), secret) {
			t.Errorf("the trace has %q in it", secret)
		}
	}

	var report bytes.Buffer
	p.ok(driver.WriteTraceReport(&report, dir))
	html := filepath.Join(dir, "report.html")
	p.ok(os.WriteFile(html, report.Bytes(), 0o600))
	p.ok(p.SetURL(p.ctx, "file://"+html))
	same(t, "report", p.js("document.querySelector('h1').textContent + ' ' + document.querySelectorAll('details').length"), "9 steps, 1 failed 9")
	same(t, "pictures", p.js("document.querySelectorAll('img').length"), 8)
}

func TestReadTraceBroken(t *testing.T) {
	_, err := driver.ReadTrace(t.TempDir())
	fails(t, err, driver.CodeInvalid, "there is no trace in")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "trace.jsonl"), []byte("{\"n\":1,\"op\":\"go\"}\n\n{\"n\":2,\"op"), 0o600); err != nil {
		t.Fatal(err)
	}
	steps, err := driver.ReadTrace(dir)
	fails(t, err, driver.CodeInvalid, "step 2 cannot be read")
	same(t, "steps before", len(steps), 1)
}

// A failure has a picture for the report, and so has whoever asks for one.
func TestEmbed(t *testing.T) {
	p := one(t, "<h1>Report</h1>")
	var got []driver.Embedding
	d, err := driver.Open(p.ctx, shared, driver.Options{ScreenshotOnFailure: true, Embed: func(e driver.Embedding) { got = append(got, e) }})
	p.ok(err)
	defer d.Quit(p.ctx)
	p.ok(d.SetURL(p.ctx, p.url))
	_, err = d.Text(p.ctx, "h1")
	p.ok(err)
	same(t, "of what works", len(got), 0)
	_, err = d.Retry(1, time.Millisecond).Click(p.ctx, "#none")
	fails(t, err, driver.CodeNotFound)
	plain, err := d.Screenshot(p.ctx, driver.ScreenshotOptions{})
	p.ok(err)
	asked, err := d.EmbedScreenshot(p.ctx, driver.ScreenshotOptions{Format: "jpeg"})
	p.ok(err)
	if len(got) != 2 || got[0].Name != "click #none" || got[0].MIME != "image/png" || pngSize(got[0].Data) != pngSize(plain) {
		t.Fatalf("embedded: %d", len(got))
	}
	same(t, "asked for", got[1].Name+" "+got[1].MIME, "screenshot image/jpeg")
	same(t, "picture", len(got[1].Data), len(asked))
}
