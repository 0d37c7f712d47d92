package driver_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rove/driver"
	"rove/internal/testkit"
)

// ownerOnly fails the test unless nobody else may read a file.
func ownerOnly(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		t.Errorf("%s may be read by others: %v", path, mode)
	}
}

// A video without ffmpeg is a page that plays: every picture for as long as the
// page looked like that.
func TestVideoPage(t *testing.T) {
	p := one(t, `<body style="background:red">`)
	path := filepath.Join(t.TempDir(), "run")
	v, err := p.StartVideo(p.ctx, driver.VideoOptions{Path: path + ".webm", FFmpeg: "no-such-program"})
	p.ok(err)
	p.js("new Promise(done => setTimeout(() => { document.body.style.background = 'blue'; done(0) }, 600))")
	p.js("new Promise(done => setTimeout(done, 900))")
	file, err := v.Stop(p.ctx)
	p.ok(err)
	same(t, "file", file.Path+" "+file.Format, path+".html html")
	if !strings.Contains(file.Note, "no ffmpeg to make a webm") {
		t.Errorf("the note is %q", file.Note)
	}
	again, err := v.Stop(p.ctx)
	p.ok(err)
	same(t, "stopped twice", again, file)
	ownerOnly(t, file.Path)
	page, err := os.ReadFile(file.Path)
	p.ok(err)
	times := regexp.MustCompile(`(?m)^\[(\d+), "`).FindAllStringSubmatch(string(page), -1)
	same(t, "pictures", len(times), file.Pictures)
	last, _ := strconv.Atoi(times[len(times)-1][1])
	if ms := file.Duration.Milliseconds(); last < 400 || ms < 1400 || ms-int64(last) < 700 {
		t.Errorf("%d pictures, the last after %d ms, of %v", len(times), last, file.Duration)
	}

	// It plays, and shows what was there.
	p.ok(p.SetURL(p.ctx, "file://"+file.Path))
	const colour = `async () => {
		const img = document.querySelector('img'); await img.decode()
		const c = document.createElement('canvas').getContext('2d'); c.drawImage(img, 0, 0)
		const [r, , b] = c.getImageData(20, 20, 1, 1).data; return r > 200 ? 'red' : b > 200 ? 'blue' : 'neither'
	}`
	same(t, "at first", p.js(colour), "red")
	_, err = p.SetValue(p.ctx, "input", strconv.FormatInt(file.Duration.Milliseconds(), 10))
	p.ok(err)
	same(t, "in the end", p.js(colour), "blue")
	// What it shows while it plays is written down by the page: a busy machine may
	// be late for the beginning.
	p.js(`() => {
		const img = document.querySelector('img')
		window.played = []
		new MutationObserver(() => played.push(img.src)).observe(img, { attributes: true, attributeFilter: ['src'] })
	}`)
	_, err = p.Click(p.ctx, "{button}Play")
	p.ok(err)
	_, err = p.WaitForText(p.ctx, "button", "Play")
	p.ok(err)
	same(t, "played", p.js(colour), "blue")
	p.js("() => { document.querySelector('img').src = played[0] }")
	same(t, "from the beginning", p.js(colour), "red")
}

// With ffmpeg it is what was asked for. Where the machine has none, what it would
// be called with is looked at.
func TestVideoFile(t *testing.T) {
	p := one(t, `<body style="background:red">`)
	program, err := exec.LookPath("ffmpeg")
	asked := filepath.Join(t.TempDir(), "asked")
	if err != nil {
		program = filepath.Join(t.TempDir(), "ffmpeg")
		script := fmt.Sprintf("#!/bin/sh\nfor a in \"$@\"; do echo \"$a\" >> %[1]s; case $a in *list.txt) cat \"$a\" >> %[1]s;; esac; done\necho video > \"$a\"\n", asked)
		p.ok(os.WriteFile(program, []byte(script), 0o700))
	}
	for _, c := range []struct{ path, want string }{{"a.mp4", "mp4"}, {"b", "webm"}} {
		path := filepath.Join(t.TempDir(), c.path)
		v, err := p.StartVideo(p.ctx, driver.VideoOptions{Path: path, FFmpeg: program})
		p.ok(err)
		p.js("new Promise(done => setTimeout(() => { document.body.style.background = document.body.style.background == 'blue' ? 'red' : 'blue'; setTimeout(done, 400) }, 400))")
		file, err := v.Stop(p.ctx)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "file", file.Format+" "+file.Path, c.want+" "+strings.TrimSuffix(path, "."+c.want)+"."+c.want)
		ownerOnly(t, file.Path)
		if info, err := os.Stat(file.Path); err != nil || info.Size() == 0 {
			t.Errorf("%s is empty: %v", file.Path, err)
		}
		if _, err := os.Stat(asked); err != nil { // a real one: it says how long the video is
			said, _ := exec.Command(program, "-hide_banner", "-i", file.Path).CombinedOutput()
			m := regexp.MustCompile(`Duration: 00:00:([\d.]+)`).FindStringSubmatch(string(said))
			if m == nil {
				t.Fatalf("ffmpeg does not know it: %s", said)
			}
			if s, _ := strconv.ParseFloat(m[1], 64); math.Abs(s-file.Duration.Seconds()) > 0.2 {
				t.Errorf("it plays for %v s, and was filmed for %v", s, file.Duration)
			}
		}
	}
	if said, err := os.ReadFile(asked); err == nil {
		durations := regexp.MustCompile(`duration (\S+)`).FindAllStringSubmatch(string(said), -1)
		var whole float64
		for _, d := range durations {
			s, _ := strconv.ParseFloat(d[1], 64)
			whole += s
		}
		if len(durations) < 4 || whole < 1.5 || !strings.Contains(string(said), "libx264") || !strings.Contains(string(said), "libvpx") {
			t.Errorf("ffmpeg was called with %s", said)
		}
	}

	broken := filepath.Join(t.TempDir(), "broken")
	p.ok(os.WriteFile(broken, []byte("#!/bin/sh\necho first\necho no such codec >&2\nexit 1\n"), 0o700))
	path := filepath.Join(t.TempDir(), "c.webm")
	v, err := p.StartVideo(p.ctx, driver.VideoOptions{Path: path, FFmpeg: broken})
	p.ok(err)
	p.js("new Promise(done => setTimeout(done, 1500))")
	_, err = v.Stop(p.ctx)
	fails(t, err, driver.CodeProtocol, "no such codec")
	if _, err := os.Stat(path); err == nil {
		t.Error("a broken video was left behind")
	}
	_, err = p.StartVideo(p.ctx, driver.VideoOptions{Path: "x.gif"})
	fails(t, err, driver.CodeInvalid, "no videos of .gif", ".webm, .mp4 and .html")
	_, err = p.StartVideo(p.ctx, driver.VideoOptions{})
	fails(t, err, driver.CodeInvalid, "needs a path")
}

// A driver that quits finishes its video and its trace.
func TestQuitFinishesRecordings(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	p := one(t, "<h1>Film</h1>")
	d, err := driver.Open(p.ctx, shared, driver.Options{})
	p.ok(err)
	p.ok(d.SetURL(p.ctx, p.url))
	_, err = d.StartVideo(p.ctx, driver.VideoOptions{Path: filepath.Join(dir, "v.html")})
	p.ok(err)
	_, err = d.StartTrace(driver.TraceOptions{Folder: filepath.Join(dir, "trace"), NoPictures: true})
	p.ok(err)
	_, err = d.Text(p.ctx, "h1")
	p.ok(err)
	testkit.Eventually(t, "there is a picture", func() bool {
		pictures, _ := filepath.Glob(filepath.Join(dir, "rove-video-*", "*.jpg"))
		return len(pictures) > 0
	})
	p.ok(d.Quit(p.ctx))
	if page, err := os.ReadFile(filepath.Join(dir, "v.html")); err != nil || !strings.Contains(string(page), "\n[0, \"") {
		t.Errorf("no video: %v", err)
	}
	steps, err := driver.ReadTrace(filepath.Join(dir, "trace"))
	p.ok(err)
	same(t, "steps", len(steps), 1)
}
