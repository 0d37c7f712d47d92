package driver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // the pictures are
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// VideoOptions shape a video.
type VideoOptions struct {
	// Path is the file. .webm and .mp4 are made by ffmpeg; .html is a page that
	// plays by itself, in any browser and without a network. Where ffmpeg is not
	// there, or the path has no ending, it is whichever can be had: Stop says
	// which.
	Path string
	// Width and Height bound the picture; 0 is the size of the page.
	Width, Height int
	Quality       int    // of the pictures, 1 to 100; 0 means 80
	FFmpeg        string // the program; "" is the one in PATH
}

// VideoFile is a finished video.
type VideoFile struct {
	Path     string
	Format   string // webm, mp4, html
	Pictures int
	Duration time.Duration
	Note     string // why it is not what was asked for
}

// Video is a driver being filmed; see StartVideo.
type Video struct {
	opts   VideoOptions
	driver *Driver
	end    func() // of the screencast
	folder string // of the pictures, until they are a video

	mu    sync.Mutex
	shots []shot
	size  int64
	full  bool
	err   error // the disk did not take a picture
	done  *VideoFile
	over  error
}

// shot is a picture in the video's folder.
type shot struct {
	file string
	from time.Time
}

const (
	pictureRate = 40 * time.Millisecond // pictures that come quicker replace one another
	videoLimit  = 1 << 30               // bytes of pictures
	encodeLimit = 10 * time.Minute
)

// StartVideo films the driver from now on, whichever tab is the current one,
// until Video.Stop, or until the driver quits. Each picture is shown for as long
// as the page looked like that.
func (d *Driver) StartVideo(ctx context.Context, opts VideoOptions) (*Video, error) {
	const op = "video"
	switch ext := strings.ToLower(filepath.Ext(opts.Path)); {
	case opts.Path == "":
		return nil, Invalid(op, "a video needs a path, such as run.webm or run.html")
	case ext != "" && ext != ".webm" && ext != ".mp4" && ext != ".html":
		return nil, Invalid(op, "there are no videos of %s; there are .webm, .mp4 and .html", ext)
	}
	folder, err := os.MkdirTemp("", "rove-video-")
	if err != nil {
		return nil, Explain(op, err)
	}
	v := &Video{opts: opts, driver: d, folder: folder}
	v.end, err = d.Screencast(ctx, ScreencastOptions{Quality: opts.Quality, MaxWidth: opts.Width, MaxHeight: opts.Height}, v.take)
	if err != nil {
		_ = os.RemoveAll(folder)
		return nil, err
	}
	d.mu.Lock()
	d.videos = append(d.videos, v)
	d.mu.Unlock()
	return v, nil
}

// take keeps a picture.
func (v *Video) take(p Picture) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.full || v.err != nil {
		return
	}
	if n := len(v.shots); n > 0 && p.Time.Sub(v.shots[n-1].from) < pictureRate {
		v.err = os.WriteFile(v.shots[n-1].file, p.Data, 0o600)
		return
	}
	file := filepath.Join(v.folder, fmt.Sprintf("%06d.jpg", len(v.shots)))
	if v.err = os.WriteFile(file, p.Data, 0o600); v.err != nil {
		return
	}
	v.shots = append(v.shots, shot{file, p.Time})
	v.size += int64(len(p.Data))
	v.full = v.size > videoLimit
}

// Stop ends the video and writes its file. It may be called twice.
func (v *Video) Stop(ctx context.Context) (*VideoFile, error) {
	v.end()
	v.driver.mu.Lock()
	v.driver.videos = slices.DeleteFunc(v.driver.videos, func(o *Video) bool { return o == v })
	v.driver.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.done != nil || v.over != nil {
		return v.done, v.over
	}
	defer os.RemoveAll(v.folder)
	if v.over = v.err; v.err == nil {
		v.done, v.over = v.write(ctx, time.Now())
	}
	if v.over != nil {
		v.done, v.over = nil, Explain("video", v.over)
	}
	return v.done, v.over
}

// write makes the pictures a file.
func (v *Video) write(ctx context.Context, end time.Time) (*VideoFile, error) {
	if len(v.shots) == 0 {
		return nil, errors.New("there is no picture: nothing was to be seen")
	}
	file := &VideoFile{Path: v.opts.Path, Pictures: len(v.shots), Duration: end.Sub(v.shots[0].from)}
	if v.full {
		file.Note = fmt.Sprintf("it ends early, after %d MB of pictures", videoLimit>>20)
	}
	if err := os.MkdirAll(filepath.Dir(file.Path), 0o700); err != nil {
		return nil, err
	}
	file.Format = strings.ToLower(strings.TrimPrefix(filepath.Ext(file.Path), "."))
	if file.Format != "html" {
		program, err := exec.LookPath(cmp.Or(v.opts.FFmpeg, "ffmpeg"))
		if err == nil {
			if file.Format == "" {
				file.Format, file.Path = "webm", file.Path+".webm"
			}
			return file, v.encode(ctx, program, file, end)
		}
		if file.Format != "" {
			file.Note = strings.TrimPrefix(file.Note+"; there is no ffmpeg to make a "+file.Format+", so it is a page that plays", "; ")
		}
		file.Path, file.Format = strings.TrimSuffix(file.Path, filepath.Ext(file.Path))+".html", "html"
	}
	return file, v.page(file, end)
}

// lasts is how long a picture is shown.
func (v *Video) lasts(n int, end time.Time) time.Duration {
	if n+1 < len(v.shots) {
		end = v.shots[n+1].from
	}
	return max(end.Sub(v.shots[n].from), pictureRate)
}

// encode has ffmpeg make the video. Pictures of other sizes are fitted into the
// largest, on black.
func (v *Video) encode(ctx context.Context, program string, file *VideoFile, end time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, encodeLimit)
	defer cancel()
	var list strings.Builder
	var width, height int
	list.WriteString("ffconcat version 1.0\n")
	for i, s := range v.shots {
		data, err := os.ReadFile(s.file)
		if err != nil {
			return err
		}
		if size, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
			width, height = max(width, size.Width), max(height, size.Height)
		}
		fmt.Fprintf(&list, "file '%s'\nduration %.6f\n", filepath.Base(s.file), v.lasts(i, end).Seconds())
	}
	// The last duration counts only where something follows.
	fmt.Fprintf(&list, "file '%s'\n", filepath.Base(v.shots[len(v.shots)-1].file))
	index := filepath.Join(v.folder, "list.txt")
	if err := os.WriteFile(index, []byte(list.String()), 0o600); err != nil {
		return err
	}
	// The file is there first, so that nobody else may read it.
	out, err := os.OpenFile(file.Path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_ = out.Close()
	path, err := filepath.Abs(file.Path)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program, ffmpegArgs(index, path, file.Format, width, height)...)
	cmd.WaitDelay = 5 * time.Second
	if said, err := cmd.CombinedOutput(); err != nil {
		_ = os.Remove(file.Path)
		return fmt.Errorf("ffmpeg: %w: %s", err, lastLine(said))
	}
	return nil
}

func ffmpegArgs(index, path, format string, width, height int) []string {
	fit := fmt.Sprintf("scale=%[1]d:%[2]d:force_original_aspect_ratio=decrease,pad=%[1]d:%[2]d:-1:-1,setsar=1,format=yuv420p", width+width%2, height+height%2)
	codec := []string{"-c:v", "libvpx", "-b:v", "2M", "-crf", "8", "-qmin", "0", "-qmax", "50", "-deadline", "realtime", "-cpu-used", "8", "-f", "webm"}
	if format == "mp4" {
		fit += ",fps=25" // its last picture is else shown for as long as the one before
		codec = []string{"-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-movflags", "+faststart", "-f", "mp4"}
	}
	args := []string{"-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "concat", "-safe", "0", "-i", index, "-vf", fit, "-an"}
	return append(append(args, codec...), path)
}

func lastLine(said []byte) string {
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	return lines[len(lines)-1]
}
