package feature

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"rove/internal/data"
	"rove/internal/script"
)

// configFile is one of the files that make a scenario's first variables.
type configFile struct {
	name string
	text string
	// wrong is why it cannot be compiled.
	wrong error
}

// findConfig finds the folder of the config, and reads its files.
func (su *suite) findConfig() error {
	env := su.env
	dirs := su.configDirs()
	names := []string{"karate-base.js", "karate-config.js"}
	if env != "" {
		names = append(names, "karate-config-"+env+".js")
	}
	for _, name := range names {
		for _, dir := range dirs {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if name == "karate-config.js" && su.configDir == "" {
				su.configDir = dir
			}
			f := configFile{name: name, text: strings.TrimPrefix(string(text), "\ufeff")}
			_, f.wrong = su.cache.Compile(placeOf(name), f.text)
			su.configs = append(su.configs, f)
			break
		}
	}
	if su.opts.ConfigDir != "" && len(su.configs) == 0 {
		return fmt.Errorf("there is no karate-config.js in %s", su.opts.ConfigDir)
	}
	return nil
}

// configDirs are the folders a config may be in: the one that was named, else
// the roots and the folders from the first path upwards.
func (su *suite) configDirs() []string {
	named := cmp.Or(su.opts.ConfigDir, su.properties["karate.config.dir"])
	if named != "" {
		dir := strings.TrimPrefix(strings.TrimPrefix(named, filePrefix), classpathPrefix)
		if strings.HasPrefix(named, classpathPrefix) {
			if found, err := su.onClasspath(dir); err == nil {
				return []string{found}
			}
		}
		return append([]string{su.absolute(dir)}, su.roots...)
	}
	var dirs []string
	for _, root := range su.opts.Classpath {
		dirs = append(dirs, su.absolute(root))
	}
	dirs = append(dirs, su.dir, filepath.Join(su.dir, "src", "test", "java"), filepath.Join(su.dir, "src", "test", "resources"))
	for _, path := range su.opts.Paths {
		file, _, _ := splitLines(path)
		at, err := su.locate(file)
		if err != nil {
			continue // told when the files are looked for
		}
		for {
			dirs = append(dirs, at)
			up := filepath.Dir(at)
			if up == at || at == su.dir || slices.Contains(su.roots, at) || exists(filepath.Join(at, ".git")) {
				break
			}
			at = up
		}
	}
	return dirs
}

func placeOf(name string) script.Place { return script.Place{Name: name, Line: 1} }

// configError is a config that failed: no scenario can run.
type configError struct {
	name string
	err  error
}

func (e *configError) Error() string { return fmt.Sprintf("%s failed: %v", e.name, e.err) }
func (e *configError) Unwrap() error { return e.err }

// configure runs the config files for a scenario and makes variables of what they
// give.
func (su *suite) configure(ctx context.Context, s *scenario) error {
	for _, f := range su.configs {
		if f.wrong != nil {
			return &configError{f.name, jsError(f.text, f.wrong)}
		}
		v, err := s.script(ctx, f.name, f.text)
		if err != nil {
			return &configError{f.name, err}
		}
		value := s.value(v)
		if fn := value.Func(); fn != nil {
			if value, err = fn.Do(ctx); err != nil {
				return &configError{f.name, jsError(f.text, err)}
			}
		}
		switch {
		case value.IsObject():
			s.setAll(value)
		case value.Null():
		default:
			return &configError{f.name, fmt.Errorf("it gives %s; a config is an object, or a function that gives one", data.Text(value.Export()))}
		}
	}
	return nil
}

// cachedSingle finds what callSingle kept on disk.
func (su *suite) cachedSingle(dir, name string, minutes float64) (any, bool) {
	if minutes <= 0 {
		return nil, false
	}
	file := filepath.Join(dir, fileName(name)+".txt")
	info, err := os.Stat(file)
	if err != nil || time.Since(info.ModTime()) > time.Duration(minutes*float64(time.Minute)) {
		return nil, false
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	v, err := data.ParseJSON(string(text))
	return v, err == nil
}

func (su *suite) keepSingle(dir, name string, v any) error {
	switch v.(type) {
	case *data.Object, []any:
	default:
		return errors.New("only JSON can be kept")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, fileName(name)+".txt"), []byte(data.JSON(v)), 0o600)
}

func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, name)
}
