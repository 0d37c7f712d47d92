package feature

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"rove/internal/script"
)

func init() {
	path := func(r *root) method {
		return func(_ context.Context, a javaArgs) (any, error) {
			var parts []string
			for i := range a {
				parts = append(parts, a.text(i))
			}
			return javaPath(r, filepath.Join(parts...)), nil
		}
	}
	javaClasses["java.nio.file.Paths"] = func(r *root) any {
		return &script.Class{Name: "java.nio.file.Paths", Static: &javaThing{name: "Paths", methods: map[string]method{"get": path(r)}}}
	}
	javaClasses["java.nio.file.Path"] = func(r *root) any {
		return &script.Class{Name: "java.nio.file.Path", Static: &javaThing{name: "Path", methods: map[string]method{"of": path(r)}}}
	}
	javaClasses["java.nio.file.Files"] = func(r *root) any {
		return &script.Class{Name: "java.nio.file.Files", Static: &javaThing{name: "Files", methods: filesMethods(r)}}
	}
	javaClasses["java.io.File"] = func(r *root) any {
		return &script.Class{Name: "java.io.File", New: func(_ context.Context, args []script.Value) (any, error) {
			a := javaArgs(args)
			if len(a) > 1 {
				return javaFile(r.current.suite.dir, filepath.Join(a.text(0), a.text(1))), nil
			}
			return javaFile(r.current.suite.dir, a.text(0)), nil
		}}
	}
}

// javaFile is a File: a path below a folder, or one from the root.
func javaFile(dir, path string) any {
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(dir, path)
	}
	give := func(v any) method {
		return func(context.Context, javaArgs) (any, error) { return v, nil }
	}
	kind := func(is func(os.FileInfo) bool) method {
		return func(context.Context, javaArgs) (any, error) {
			info, err := os.Stat(full)
			return err == nil && is(info), nil
		}
	}
	return &javaThing{name: path, methods: map[string]method{
		"getName": give(filepath.Base(path)), "getPath": give(path), "getAbsolutePath": give(full), "getParent": give(filepath.Dir(path)),
		"getParentFile": func(context.Context, javaArgs) (any, error) { return javaFile(dir, filepath.Dir(path)), nil },
		"exists":        kind(func(os.FileInfo) bool { return true }),
		"isFile":        kind(func(i os.FileInfo) bool { return i.Mode().IsRegular() }),
		"isDirectory":   kind(os.FileInfo.IsDir),
		"length": func(context.Context, javaArgs) (any, error) {
			info, err := os.Stat(full)
			if err != nil {
				return int64(0), nil
			}
			return info.Size(), nil
		},
		"delete": func(context.Context, javaArgs) (any, error) { return os.Remove(full) == nil, nil },
		"mkdirs": func(context.Context, javaArgs) (any, error) { return os.MkdirAll(full, 0o755) == nil, nil },
	}}
}

func javaPath(r *root, path string) any {
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(r.current.suite.dir, path)
	}
	text := func(s string) method {
		return func(context.Context, javaArgs) (any, error) { return s, nil }
	}
	return &javaThing{name: path, methods: map[string]method{
		"toString": text(path), "getFileName": text(filepath.Base(path)), "getParent": text(filepath.Dir(path)),
		"toAbsolutePath": func(context.Context, javaArgs) (any, error) { return javaPath(r, full), nil },
		"resolve": func(_ context.Context, a javaArgs) (any, error) {
			return javaPath(r, filepath.Join(path, a.text(0))), nil
		},
	}}
}

func filesMethods(r *root) map[string]method {
	file := func(a javaArgs) string { return r.current.suite.absolute(a.text(0)) }
	read := func(_ context.Context, a javaArgs) ([]byte, error) {
		b, err := os.ReadFile(file(a))
		if err != nil {
			return nil, missing(a.text(0), err)
		}
		return b, nil
	}
	write := func(_ context.Context, a javaArgs) (any, error) {
		return undefined, os.WriteFile(file(a), a.bytes(1), 0o644)
	}
	return map[string]method{
		"exists":       func(_ context.Context, a javaArgs) (any, error) { return exists(file(a)), nil },
		"readString":   func(ctx context.Context, a javaArgs) (any, error) { b, err := read(ctx, a); return string(b), err },
		"readAllBytes": func(ctx context.Context, a javaArgs) (any, error) { return read(ctx, a) },
		"readAllLines": func(ctx context.Context, a javaArgs) (any, error) {
			b, err := read(ctx, a)
			if err != nil {
				return nil, err
			}
			return anys(strings.Split(strings.TrimRight(string(b), "\n"), "\n")), nil
		},
		"writeString": write, "write": write,
		"size": func(_ context.Context, a javaArgs) (any, error) {
			info, err := os.Stat(file(a))
			if err != nil {
				return nil, missing(a.text(0), err)
			}
			return info.Size(), nil
		},
		"createDirectories": func(_ context.Context, a javaArgs) (any, error) { return undefined, os.MkdirAll(file(a), 0o755) },
		"deleteIfExists": func(_ context.Context, a javaArgs) (any, error) {
			return exists(file(a)), os.Remove(file(a))
		},
	}
}
