package provision

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// download is a file to get from a server.
type download struct {
	url    string
	client *http.Client // nil means the finder's
	header http.Header
	sums   []checksum // known beforehand; a server's own headers add to them
	// unpacked estimates how much the archive holds, as a multiple of its size.
	unpacked float64
}

// checksum is what a hash of the whole file must be.
type checksum struct {
	name string
	new  func() hash.Hash
	want []byte
}

// errChecksum marks a file that is not what its publisher says.
var errChecksum = errors.New("the download is damaged: its checksum does not match")

// statusError is an answer other than the file.
type statusError struct {
	code int
	url  string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s answers %d %s", e.url, e.code, http.StatusText(e.code))
}

// newClient has bounds on all that comes before the body; the body has the
// stall bound of download.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 20 * time.Second,
		ForceAttemptHTTP2:     true,
		// Nothing is fetched often enough for an open connection to pay.
		DisableKeepAlives: true,
	}}
}

// getJSON reads a small document.
func getJSON(ctx context.Context, client *http.Client, url string, header http.Header, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	maps.Copy(req.Header, header)
	req.Header.Set("Accept", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return &statusError{resp.StatusCode, url}
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 64<<20)).Decode(into); err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	return nil
}

// partial is a file that has arrived in part, and what it is part of.
type partial struct {
	path string
	URL  string `json:"url"`
	ETag string `json:"etag,omitempty"`
	Size int64  `json:"size,omitempty"`
}

func (p *partial) note() string { return p.path + ".json" }

func (p *partial) load() {
	data, err := os.ReadFile(p.note())
	if err != nil || json.Unmarshal(data, p) != nil {
		*p = partial{path: p.path}
	}
}

func (p *partial) save() error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(p.note(), data, 0o600)
}

// download gets a file, going on from where an earlier one was broken off, and
// checks it. The file stays at path until the caller removes it.
func (f *finder) download(ctx context.Context, path string, d download) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, diskFull(f.store(), err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, diskFull(f.store(), err)
	}
	if err := f.complete(ctx, file, d); err != nil {
		_ = file.Close()
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// complete fills the file. A broken connection is taken up again as long as
// each new one brings something.
func (f *finder) complete(ctx context.Context, file *os.File, d download) error {
	const tries = 5
	var err error
	for try := range tries {
		var resumed bool
		var got int64
		var sums []checksum
		resumed, got, sums, err = f.transfer(ctx, file, d)
		if err == nil {
			if err = verify(file, sums); err == nil {
				return nil
			}
			// What was resumed may have been of another file; what came in one
			// piece is wrong for good.
			if clearErr := file.Truncate(0); clearErr != nil {
				return clearErr
			}
			if !resumed {
				return err
			}
			continue
		}
		var status *statusError
		if ctx.Err() != nil || errors.As(err, &status) || isDiskFull(err) || got == 0 && try > 0 {
			return err
		}
	}
	return err
}

// errStalled ends a connection that sends nothing.
var errStalled = errors.New("the server stopped sending")

// transfer makes one request for what is missing of the file.
func (f *finder) transfer(ctx context.Context, file *os.File, d download) (resumed bool, got int64, sums []checksum, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(f.stall, func() { cancel(errStalled) })
	defer stall.Stop()

	have := &partial{path: file.Name()}
	have.load()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return false, 0, nil, err
	}
	req, resumed, err := d.request(ctx, have, size)
	if err != nil {
		return false, 0, nil, err
	}
	client := d.client
	if client == nil {
		client = f.client
	}
	resp, err := client.Do(req)
	if err != nil {
		return resumed, 0, nil, causeOf(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	sums = append(sums, d.sums...)
	sums = append(sums, googleSums(resp.Header)...)

	switch {
	case resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && resumed:
		if have.Size == size {
			return true, 0, sums, nil // it was all there
		}
		return true, 1, nil, errors.Join(errors.New("the file has changed on the server"), file.Truncate(0))
	case resp.StatusCode == http.StatusPartialContent && resumed && rangeStart(resp.Header) == size:
	case resp.StatusCode == http.StatusOK:
		resumed, size = false, 0
		if err := file.Truncate(0); err != nil {
			return false, 0, nil, err
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return false, 0, nil, err
		}
	default:
		return resumed, 0, nil, &statusError{resp.StatusCode, d.url}
	}
	if err := f.announce(have, d, resp, size); err != nil {
		return resumed, 0, nil, err
	}
	bar := f.report.bar(size, have.Size)
	defer bar.done()
	got, err = io.Copy(file, &watched{resp.Body, func(n int) { stall.Reset(f.stall); bar.add(n) }})
	if err != nil {
		return resumed, got, nil, diskFull(f.store(), causeOf(ctx, err))
	}
	return resumed, got, sums, nil
}

// request asks for the file, or for what is behind the size bytes that are there.
// Going on needs a way to notice that the file has changed since.
func (d *download) request(ctx context.Context, have *partial, size int64) (req *http.Request, resumes bool, err error) {
	if req, err = http.NewRequestWithContext(ctx, http.MethodGet, d.url, nil); err != nil {
		return nil, false, err
	}
	maps.Copy(req.Header, d.header)
	if size == 0 || have.URL != d.url || have.ETag == "" && len(d.sums) == 0 {
		return req, false, nil
	}
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-", size))
	if have.ETag != "" {
		req.Header.Set("If-Range", have.ETag)
	}
	return req, true, nil
}

// announce notes what is about to come behind the size bytes that are there, and
// that there is room for it.
func (f *finder) announce(have *partial, d download, resp *http.Response, size int64) error {
	*have = partial{path: have.path, URL: d.url}
	if etag := resp.Header.Get("ETag"); !strings.HasPrefix(etag, "W/") {
		have.ETag = etag
	}
	if resp.ContentLength >= 0 {
		have.Size = size + resp.ContentLength
		if err := f.checkSpace(resp.ContentLength + int64(d.unpacked*float64(have.Size))); err != nil {
			return err
		}
	}
	return diskFull(f.store(), have.save())
}

// watched tells of every byte read.
type watched struct {
	r    io.Reader
	seen func(n int)
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.seen(n)
	return n, err
}

// causeOf prefers the reason why a context ended to the error that followed.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

func rangeStart(h http.Header) int64 {
	spec, ok := strings.CutPrefix(h.Get("Content-Range"), "bytes ")
	first, _, found := strings.Cut(spec, "-")
	n, err := strconv.ParseInt(first, 10, 64)
	if !ok || !found || err != nil {
		return -1
	}
	return n
}

func newCRC32C() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }

// googleSums reads the checksums that Google's storage sends with a file. Chrome
// for Testing publishes no others.
func googleSums(h http.Header) (sums []checksum) {
	for _, line := range h.Values("X-Goog-Hash") {
		for item := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(item), "=")
			want, err := base64.StdEncoding.DecodeString(value)
			switch {
			case err != nil:
			case name == "md5" && len(want) == md5.Size:
				sums = append(sums, checksum{name, md5.New, want})
			case name == "crc32c" && len(want) == crc32.Size:
				sums = append(sums, checksum{name, newCRC32C, want})
			}
		}
	}
	return sums
}

// verify hashes the file once for all of its checksums.
func verify(file *os.File, sums []checksum) error {
	if len(sums) == 0 {
		return nil
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	hashes := make([]hash.Hash, len(sums))
	writers := make([]io.Writer, len(sums))
	for i, s := range sums {
		hashes[i] = s.new()
		writers[i] = hashes[i]
	}
	if _, err := io.Copy(io.MultiWriter(writers...), file); err != nil {
		return err
	}
	for i, s := range sums {
		if !bytes.Equal(hashes[i].Sum(nil), s.want) {
			return fmt.Errorf("%w (%s)", errChecksum, s.name)
		}
	}
	return nil
}
