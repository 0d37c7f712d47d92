package feature

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rove/internal/data"
	"rove/internal/gherkin"
)

// source is a feature file that was read.
type source struct {
	file    string // its absolute path
	shown   string // as people see it: relative to where the suite runs
	feature *gherkin.Feature
}

// featureFile is what read('x.feature') gives: a feature that can be called, and
// which of its scenarios.
type featureFile struct {
	source *source
	tag    string
	name   string
}

func (f *featureFile) Member(name string) (any, bool) {
	switch name {
	case "name":
		return f.source.feature.Name, true
	case "path":
		return f.source.shown, true
	}
	return nil, false
}

func (f *featureFile) Members() []string { return nil }
func (f *featureFile) String() string    { return f.source.shown }

// selector is what chooses scenarios, for people.
func (f *featureFile) selector() string {
	if f.tag != "" {
		return "@" + f.tag
	}
	return f.name
}

// prefixes of paths.
const (
	classpathPrefix = "classpath:"
	filePrefix      = "file:"
	thisPrefix      = "this:"
)

// resolve finds the file that a path in a feature names. Relative ones are looked
// for beside the feature of the suite first, as Karate does, then beside the one
// that is called.
func (s *scenario) resolve(path string) (string, error) {
	path = strings.TrimSpace(path)
	if rest, ok := strings.CutPrefix(path, classpathPrefix); ok {
		return s.suite.onClasspath(rest)
	}
	if rest, ok := strings.CutPrefix(path, filePrefix); ok {
		return s.suite.absolute(rest), nil
	}
	own := filepath.Dir(s.feature.source.file)
	if rest, ok := strings.CutPrefix(path, thisPrefix); ok {
		return filepath.Join(own, filepath.FromSlash(rest)), nil
	}
	if filepath.IsAbs(path) {
		return path, nil
	}
	top := s.top()
	var tried []string
	for _, dir := range []string{filepath.Dir(top.feature.source.file), own} {
		file := filepath.Join(dir, filepath.FromSlash(path))
		if exists(file) {
			return file, nil
		}
		tried = append(tried, file)
	}
	if file, err := s.suite.onClasspath(path); err == nil {
		return file, nil
	}
	return tried[0], nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// onClasspath finds a file below the roots.
func (su *suite) onClasspath(path string) (string, error) {
	path = filepath.FromSlash(strings.TrimPrefix(path, "/"))
	for _, root := range su.roots {
		if file := filepath.Join(root, path); exists(file) {
			return file, nil
		}
	}
	return "", fmt.Errorf("could not find or read file: classpath:%s (looked in %s)", filepath.ToSlash(path), strings.Join(su.roots, ", "))
}

func (su *suite) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(su.dir, filepath.FromSlash(path))
}

// show gives a path as people see it.
func (su *suite) show(file string) string {
	if rel, err := filepath.Rel(su.dir, file); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	for _, root := range su.roots {
		if rel, err := filepath.Rel(root, file); err == nil && !strings.HasPrefix(rel, "..") {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(file)
}

// load reads a feature file, once.
func (su *suite) load(file string) (*source, error) {
	su.mu.Lock()
	have, ok := su.sources[file]
	su.mu.Unlock()
	if ok {
		return have.source, have.err
	}
	src, err := su.parse(file)
	su.mu.Lock()
	defer su.mu.Unlock()
	su.sources[file] = loaded{src, err}
	return src, err
}

type loaded struct {
	source *source
	err    error
}

func (su *suite) parse(file string) (*source, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, missing(file, err)
	}
	f, err := gherkin.Parse(su.show(file), text)
	if err != nil {
		return nil, err
	}
	return &source{file: file, shown: su.show(file), feature: f}, nil
}

func missing(file string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("could not find or read file: %s: %w", filepath.ToSlash(file), err)
}

func (s *scenario) readBytes(path string) ([]byte, error) {
	file, err := s.resolve(path)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, missing(path, err)
	}
	return b, nil
}

// texts are the extensions of files that are read as text.
var texts = map[string]bool{
	".txt": true, ".graphql": true, ".gql": true, ".html": true, ".htm": true, ".md": true, ".sql": true, ".css": true, ".log": true, ".properties": true, ".ts": true,
}

// read reads a file as its extension says.
func (s *scenario) read(ctx context.Context, path string) (any, error) {
	plain, tag := path, ""
	if at := strings.LastIndexByte(path, '@'); at >= 0 && strings.HasSuffix(strings.TrimSpace(path[:at]), ".feature") {
		plain, tag = strings.TrimSpace(path[:at]), strings.TrimSpace(path[at+1:])
	} else if strings.HasPrefix(path, "@") { // a scenario of the same file
		return &featureFile{source: s.feature.source, tag: path[1:]}, nil
	}
	ext := strings.ToLower(filepath.Ext(plain))
	if ext == ".feature" {
		file, err := s.resolve(plain)
		if err != nil {
			return nil, err
		}
		src, err := s.suite.load(file)
		if err != nil {
			return nil, err
		}
		return &featureFile{source: src, tag: tag}, nil
	}
	b, err := s.readBytes(plain)
	if err != nil {
		return nil, err
	}
	text := strings.TrimPrefix(string(b), "\ufeff")
	switch {
	case ext == ".json":
		v, err := data.ParseRelaxed(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plain, err)
		}
		return s.embedded(ctx, v, false)
	case ext == ".xml":
		x, err := data.ParseXML(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plain, err)
		}
		return x, s.embeddedXML(ctx, x, false)
	case ext == ".js":
		return s.script(ctx, plain, text)
	case ext == ".yaml" || ext == ".yml":
		v, err := data.ParseYAML(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plain, err)
		}
		return s.embedded(ctx, v, false)
	case ext == ".csv":
		list, err := data.ParseCSV(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plain, err)
		}
		return list, nil
	case texts[ext]:
		return text, nil
	}
	return b, nil
}

// script runs a file of JavaScript and gives its value: mostly a function.
func (s *scenario) script(ctx context.Context, name, text string) (any, error) {
	p, err := s.suite.cache.Compile(placeOf(name), text)
	if err != nil {
		return nil, jsError(text, err)
	}
	v, err := s.root.rt.Run(ctx, s.scope, p)
	if err != nil {
		return nil, jsError(text, err)
	}
	return v, nil
}

func fileText(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", missing(file, err)
	}
	return strings.TrimPrefix(string(b), "\ufeff"), nil
}
