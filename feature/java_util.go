package feature

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rove/internal/data"
	"rove/internal/script"
)

func init() {
	for _, name := range []string{"java.util.ArrayList", "java.util.LinkedList"} {
		javaClasses[name] = class(name, newJavaList, nil, nil)
	}
	for _, name := range []string{"java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap"} {
		javaClasses[name] = class(name, newJavaMap, nil, nil)
	}
	javaClasses["java.util.Arrays"] = static("java.util.Arrays", nil, map[string]method{
		"asList": func(_ context.Context, a javaArgs) (any, error) {
			l := &javaList{}
			for _, v := range a {
				l.items = append(l.items, v)
			}
			return l, nil
		},
		"toString": func(_ context.Context, a javaArgs) (any, error) { return a.text(0), nil },
	})
	javaClasses["java.util.Collections"] = static("java.util.Collections", nil, map[string]method{
		"emptyList": func(context.Context, javaArgs) (any, error) { return &javaList{}, nil },
		"emptyMap":  func(context.Context, javaArgs) (any, error) { return &javaMap{}, nil },
	})
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
	javaClasses["java.nio.charset.StandardCharsets"] = static("java.nio.charset.StandardCharsets", map[string]any{"UTF_8": "UTF-8", "US_ASCII": "US-ASCII", "ISO_8859_1": "ISO-8859-1"}, nil)
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

// javaList is an ArrayList.
type javaList struct{ items []script.Value }

func newJavaList(_ context.Context, a javaArgs) (any, error) {
	l := &javaList{}
	if len(a) > 0 {
		l.addAll(a[0])
	}
	return l, nil
}

func (l *javaList) addAll(v script.Value) {
	if other, ok := v.Host().(*javaList); ok {
		l.items = append(l.items, other.items...)
		return
	}
	for i := range v.Len() {
		l.items = append(l.items, v.Index(i))
	}
}

func (l *javaList) Member(name string) (any, bool) {
	if name == "length" {
		return int64(len(l.items)), true
	}
	if i, err := fmt.Sscanf(name, "%d", new(int)); i == 1 && err == nil {
		var n int
		_, _ = fmt.Sscanf(name, "%d", &n)
		if n >= 0 && n < len(l.items) {
			return l.items[n], true
		}
		return nil, false
	}
	at := func(a javaArgs) (int, error) {
		i := int(a.int(0))
		if i < 0 || i >= len(l.items) {
			return 0, fmt.Errorf("IndexOutOfBoundsException: Index %d out of bounds for length %d", i, len(l.items))
		}
		return i, nil
	}
	index := func(v any) int {
		return slices.IndexFunc(l.items, func(have script.Value) bool { return data.Equal(have.Export(), v) })
	}
	m, ok := map[string]method{
		"size":    func(context.Context, javaArgs) (any, error) { return int64(len(l.items)), nil },
		"isEmpty": func(context.Context, javaArgs) (any, error) { return len(l.items) == 0, nil },
		"add": func(_ context.Context, a javaArgs) (any, error) {
			if len(a) > 1 {
				l.items = slices.Insert(l.items, min(max(int(a.int(0)), 0), len(l.items)), a[1])
			} else if len(a) == 1 {
				l.items = append(l.items, a[0])
			}
			return true, nil
		},
		"addAll": func(_ context.Context, a javaArgs) (any, error) {
			if len(a) > 0 {
				l.addAll(a[0])
			}
			return true, nil
		},
		"get": func(_ context.Context, a javaArgs) (any, error) {
			i, err := at(a)
			if err != nil {
				return nil, err
			}
			return l.items[i], nil
		},
		"set": func(_ context.Context, a javaArgs) (any, error) {
			i, err := at(a)
			if err != nil || len(a) < 2 {
				return nil, err
			}
			before := l.items[i]
			l.items[i] = a[1]
			return before, nil
		},
		"remove": func(_ context.Context, a javaArgs) (any, error) {
			i, err := at(a)
			if err != nil {
				return nil, err
			}
			before := l.items[i]
			l.items = slices.Delete(l.items, i, i+1)
			return before, nil
		},
		"contains": func(_ context.Context, a javaArgs) (any, error) { return len(a) > 0 && index(a[0].Export()) >= 0, nil },
		"indexOf": func(_ context.Context, a javaArgs) (any, error) {
			if len(a) == 0 {
				return int64(-1), nil
			}
			return int64(index(a[0].Export())), nil
		},
		"clear": func(context.Context, javaArgs) (any, error) { l.items = nil; return undefined, nil },
		"forEach": func(ctx context.Context, a javaArgs) (any, error) {
			for _, v := range l.items {
				if len(a) == 0 || a[0].Func() == nil {
					return nil, fmt.Errorf("forEach needs a function")
				}
				if _, err := a[0].Func().Do(ctx, v); err != nil {
					return nil, err
				}
			}
			return undefined, nil
		},
		"toArray": func(context.Context, javaArgs) (any, error) { return l.Export(), nil },
	}[name]
	if !ok {
		return nil, false
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) { return m(ctx, args) }), true
}

func (l *javaList) Members() []string {
	names := make([]string, len(l.items))
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	return names
}

func (l *javaList) Export() any {
	list := make([]any, len(l.items))
	for i, v := range l.items {
		list[i] = v.Export()
	}
	return list
}

func (l *javaList) String() string { return data.JSON(l.Export()) }

// javaMap is a HashMap.
type javaMap struct {
	keys   []string
	values map[string]script.Value
}

func newJavaMap(_ context.Context, a javaArgs) (any, error) {
	m := &javaMap{}
	if len(a) > 0 {
		m.putAll(a[0])
	}
	return m, nil
}

func (m *javaMap) put(key string, v script.Value) {
	if m.values == nil {
		m.values = map[string]script.Value{}
	}
	if _, ok := m.values[key]; !ok {
		m.keys = append(m.keys, key)
	}
	m.values[key] = v
}

func (m *javaMap) putAll(v script.Value) {
	if other, ok := v.Host().(*javaMap); ok {
		for _, key := range other.keys {
			m.put(key, other.values[key])
		}
		return
	}
	for _, key := range v.Keys() {
		m.put(key, v.Get(key))
	}
}

func (m *javaMap) Member(name string) (any, bool) {
	if v, ok := m.values[name]; ok {
		return v, true
	}
	get := func(a javaArgs) any {
		if v, ok := m.values[a.text(0)]; ok {
			return v
		}
		return nil
	}
	f, ok := map[string]method{
		"put": func(_ context.Context, a javaArgs) (any, error) {
			before := get(a)
			if len(a) > 1 {
				m.put(a.text(0), a[1])
			}
			return before, nil
		},
		"putAll": func(_ context.Context, a javaArgs) (any, error) {
			if len(a) > 0 {
				m.putAll(a[0])
			}
			return undefined, nil
		},
		"get": func(_ context.Context, a javaArgs) (any, error) { return get(a), nil },
		"getOrDefault": func(_ context.Context, a javaArgs) (any, error) {
			if v := get(a); v != nil || len(a) < 2 {
				return v, nil
			}
			return a[1], nil
		},
		"containsKey": func(_ context.Context, a javaArgs) (any, error) { _, ok := m.values[a.text(0)]; return ok, nil },
		"size":        func(context.Context, javaArgs) (any, error) { return int64(len(m.keys)), nil },
		"isEmpty":     func(context.Context, javaArgs) (any, error) { return len(m.keys) == 0, nil },
		"keySet":      func(context.Context, javaArgs) (any, error) { return anys(m.keys), nil },
		"values": func(context.Context, javaArgs) (any, error) {
			list := make([]any, len(m.keys))
			for i, key := range m.keys {
				list[i] = m.values[key]
			}
			return list, nil
		},
		"remove": func(_ context.Context, a javaArgs) (any, error) {
			before := get(a)
			delete(m.values, a.text(0))
			m.keys = slices.DeleteFunc(m.keys, func(key string) bool { return key == a.text(0) })
			return before, nil
		},
		"clear": func(context.Context, javaArgs) (any, error) { m.keys, m.values = nil, nil; return undefined, nil },
	}[name]
	if !ok {
		return nil, false
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) { return f(ctx, args) }), true
}

func (m *javaMap) SetMember(_ context.Context, name string, v script.Value) error {
	m.put(name, v)
	return nil
}

func (m *javaMap) Members() []string { return m.keys }

func (m *javaMap) Export() any {
	o := data.NewObject()
	for _, key := range m.keys {
		o.Set(key, m.values[key].Export())
	}
	return o
}

func (m *javaMap) String() string { return data.JSON(m.Export()) }
