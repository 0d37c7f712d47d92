package feature

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"rove/internal/httpx"
	"rove/internal/launch"
	"rove/internal/outlet"
	"rove/internal/script"
	"rove/report"
)

// suite is a run: what all its scenarios share.
type suite struct {
	opts       Options
	dir        string
	roots      []string // of classpath:
	env        string
	properties map[string]string
	out        *outlet.Outlet // what is told passes it; nil where nothing is secret
	configDir  string
	configs    []configFile
	cache      *script.Cache
	single     onces
	singleLock sync.Mutex
	selector   *selector

	mu      sync.Mutex
	sources map[string]loaded

	writers *writers
	started time.Time

	// What HTTP steps and mocks leave to the end of the suite.
	poolOnce sync.Once
	pool     *httpx.Pool
	mocksMu  sync.Mutex
	mocks    []*mockServer
	browsers drivers
}

// Run runs a suite. Its error is about what keeps it from running at all: a wrong
// option, a path that is not there. Failures are in the result.
func Run(ctx context.Context, opts Options) (*Result, error) {
	su, err := newSuite(opts)
	if err != nil {
		return nil, err
	}
	files, err := su.find()
	if err != nil {
		return nil, err
	}
	if opts.RerunFailed {
		if files, err = su.onlyFailed(files); err != nil {
			return nil, err
		}
	}
	return su.run(ctx, files)
}

func newSuite(opts Options) (*suite, error) {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return nil, err
	}
	su := &suite{opts: opts, dir: dir, cache: &script.Cache{}, sources: map[string]loaded{}, properties: properties(opts.Properties), env: opts.Env}
	if su.env == "" {
		su.env = su.properties["karate.env"]
	}
	if su.env != "" {
		su.properties["karate.env"] = su.env
	}
	su.out = secretsOf(su.properties)
	if su.opts.Browser, err = launch.Through(opts.Backend, opts.Browser); err != nil {
		return nil, err
	}
	if su.opts.Threads <= 0 {
		su.opts.Threads = runtime.NumCPU()
	}
	for _, root := range opts.Classpath {
		for part := range strings.SplitSeq(root, string(os.PathListSeparator)) {
			if part != "" {
				su.roots = append(su.roots, su.absolute(part))
			}
		}
	}
	su.opts.Classpath = su.roots
	if su.selector, err = newSelector(opts.Tags, su.cache); err != nil {
		return nil, err
	}
	if err := su.findConfig(); err != nil {
		return nil, err
	}
	if len(su.roots) == 0 {
		if su.configDir != "" {
			su.roots = append(su.roots, su.configDir)
		}
		su.roots = append(su.roots, su.dir, filepath.Join(su.dir, "src", "test", "java"), filepath.Join(su.dir, "src", "test", "resources"))
	}
	return su, nil
}

// properties are those given, before those of the environment.
func properties(given map[string]string) map[string]string {
	all := map[string]string{}
	for _, pair := range os.Environ() {
		if name, value, ok := strings.Cut(pair, "="); ok && name != "" {
			all[name] = value
		}
	}
	if env, ok := all["KARATE_ENV"]; ok {
		all["karate.env"] = env
	}
	for name, value := range given {
		all[name] = value
	}
	return all
}

// outputDir is the folder of the reports.
func (su *suite) outputDir() string {
	switch su.opts.Output {
	case "", "-":
		return filepath.Join(su.dir, "target", "karate-reports")
	}
	return su.absolute(su.opts.Output)
}

// run runs the scenarios of files.
func (su *suite) run(ctx context.Context, files []*suiteFile) (*Result, error) {
	su.started = time.Now()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tasks, err := su.plan(files)
	if err != nil {
		return nil, err
	}
	head := report.Suite{Env: su.env, Threads: su.opts.Threads, Start: su.started, Version: su.opts.Version, Features: len(files), Scenarios: len(tasks), Shard: su.opts.Shard}
	if su.writers, err = su.openWriters(); err != nil {
		return nil, err
	}
	su.writers.begin(head)
	w := &work{suite: su, files: files, head: head, cancel: cancel}
	w.start(ctx, tasks)
	result := w.result(ctx)
	su.stopMocks()
	su.closeHTTP()
	if err := su.browsers.close(); err != nil {
		su.writers.errs = append(su.writers.errs, fmt.Errorf("a browser did not end in order: %w", err))
	}
	told := result.Summary
	told.Passed -= told.Flaky
	su.writers.end(told)
	result.Trouble, result.Unwritten = su.writers.err(), su.writers.unwritten
	if su.opts.Output != "-" {
		result.Output = su.outputDir()
		if err := su.keepFailed(result); err != nil && !result.Unwritten {
			result.Trouble = errors.Join(result.Trouble, err)
		}
	}
	return result, nil
}

// openWriters makes the writers of the reports.
func (su *suite) openWriters() (*writers, error) {
	w := &writers{all: su.opts.Writers, exchanges: true}
	if su.opts.Output == "-" {
		return w, nil
	}
	dir := su.outputDir()
	if su.opts.Clean {
		if err := cleanReports(dir); err != nil {
			return nil, err
		}
	}
	var formats []string
	if su.opts.Formats != "" {
		formats = strings.Split(su.opts.Formats, ",")
	}
	made, err := report.Writers(dir, formats)
	if err != nil {
		return nil, err
	}
	w.all = append(w.all, made...)
	w.brief, w.exchanges = len(made) > 0, len(made) == 0
	for _, one := range w.all {
		brief, ok := one.(report.Brief)
		w.brief = w.brief && ok
		w.exchanges = w.exchanges || !ok || brief.Exchanges()
	}
	for _, one := range made {
		if lines, ok := one.(*report.Lines); ok {
			w.lines = lines
		}
	}
	if w.lines == nil && len(made) > 0 && !w.brief {
		w.lines = &report.Lines{Dir: dir, Hidden: true}
		w.all = append(w.all, w.lines) // the last: the others read from it
	}
	return w, nil
}

// cleanReports empties the folder of the reports. One that is not a folder of
// reports is left alone.
func cleanReports(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if exists(filepath.Join(dir, ".git")) || exists(filepath.Join(dir, "karate-config.js")) {
		return fmt.Errorf("%s holds more than reports; it is not emptied", dir)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
