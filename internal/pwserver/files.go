package pwserver

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// SetFiles gives files to a file input.
func (t *Tab) SetFiles(ctx context.Context, f backend.FrameID, number int, paths []string) error {
	c, err := t.caller(f)
	if err != nil {
		return err
	}
	defer c.done()
	nodes, err := anypage.Elements(ctx, c, []int{number})
	if err != nil {
		return err
	}
	return t.give(ctx, nodes[0], paths)
}

// uploadLimit is up to how many bytes files go in one message. Larger ones go in parts.
const uploadLimit = 8 << 20

// give has the server put files into a file input. It may be on another machine, so that
// it is sent what is in them.
func (t *Tab) give(ctx context.Context, element string, paths []string) error {
	var total int64
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return &backend.Error{Kind: backend.KindProtocol, Text: "a file to upload", Err: err}
		}
		total += info.Size()
	}
	if total > uploadLimit {
		return t.stream(ctx, element, paths)
	}
	list := make([]object, len(paths))
	for i, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return &backend.Error{Kind: backend.KindProtocol, Text: "a file to upload", Err: err}
		}
		list[i] = object{"name": filepath.Base(path), "mimeType": anypage.FileType(path, path), "buffer": text}
	}
	return t.ask(ctx, element, "setInputFiles", object{"payloads": list}, nil)
}

// stream copies files to the server, and has it take them from there.
func (t *Tab) stream(ctx context.Context, element string, paths []string) error {
	items := make([]object, len(paths))
	for i, path := range paths {
		items[i] = object{"name": filepath.Base(path)}
	}
	var made struct {
		Streams []ref `json:"writableStreams"`
	}
	if err := t.ask(ctx, t.context.guid, "createTempFiles", object{"items": items}, &made); err != nil {
		return err
	}
	if len(made.Streams) != len(paths) {
		return backend.Fail(backend.KindProtocol, "the server takes fewer files than there are")
	}
	for i, path := range paths {
		if err := t.copyUp(ctx, made.Streams[i].GUID, path); err != nil {
			return err
		}
	}
	return t.ask(ctx, element, "setInputFiles", object{"streams": made.Streams}, nil)
}

func (t *Tab) copyUp(ctx context.Context, stream, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return &backend.Error{Kind: backend.KindProtocol, Text: "a file to upload", Err: err}
	}
	defer file.Close()
	part := make([]byte, 1<<20)
	for {
		n, err := file.Read(part)
		if n > 0 {
			if err := t.ask(ctx, stream, "write", object{"binary": part[:n]}, nil); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return t.ask(ctx, stream, "close", nil, nil)
		}
		if err != nil {
			return &backend.Error{Kind: backend.KindProtocol, Text: "a file to upload", Err: err}
		}
	}
}

// downloads tells of a file that begins to come, and fetches it from the server.
func (t *Tab) downloads(url, name, artifact string) {
	of := t
	t.Mu.Lock()
	if t.opener != nil && t.commits == 0 { // a tab that was opened for nothing but the file
		of = t.opener
	}
	t.Mu.Unlock()
	started := backend.DownloadStarted{ID: artifact, Name: name, URL: url}
	of.Mu.Lock()
	of.download = &started
	of.moved.Fire()
	of.Mu.Unlock()
	of.News.Add(started)
	go func() {
		ended := backend.DownloadEnded{ID: artifact, Name: name, URL: url}
		path, err := of.fetch(artifact, name)
		if ended.Failed = err != nil; err == nil {
			ended.Path = path
		}
		of.News.Downloaded(ended)
	}()
	if of != t {
		of.News.Flush()
	}
}

// fetch copies a file from the server into the folder for downloads.
func (t *Tab) fetch(artifact, name string) (path string, err error) {
	b, ctx := t.browser, t.Life
	folder := t.context.Folder
	if folder == "" {
		return "", backend.Fail(backend.KindPolicy, "downloads are off")
	}
	var made struct {
		Stream ref `json:"stream"`
	}
	if err := b.conn.call(ctx, artifact, "saveAsStream", nil, &made); err != nil {
		return "", err
	}
	if path, err = anypage.Claim(folder, name); err != nil {
		return "", err
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	for {
		var part struct {
			Binary []byte `json:"binary"`
		}
		if err = b.conn.call(ctx, made.Stream.GUID, "read", object{"size": 1 << 20}, &part); err != nil || len(part.Binary) == 0 {
			break
		}
		if _, err = file.Write(part.Binary); err != nil {
			break
		}
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	b.conn.start(command{made.Stream.GUID, "close", nil}, command{artifact, "delete", nil})
	if err != nil {
		_ = os.Remove(path)
	}
	return path, err
}
