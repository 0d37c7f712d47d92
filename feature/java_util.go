package feature

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"rove/internal/data"
	"rove/internal/script"
)

func init() {
	for _, name := range []string{"java.util.ArrayList", "java.util.LinkedList"} {
		javaClasses[name] = class(name, newJavaList, nil)
	}
	for _, name := range []string{"java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap"} {
		javaClasses[name] = class(name, newJavaMap, nil)
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
		"equals": func(_ context.Context, a javaArgs) (any, error) {
			return len(a) == 2 && data.Equal(a[0].Export(), a[1].Export()), nil
		},
	})
	javaClasses["java.net.URLEncoder"] = static("java.net.URLEncoder", nil, map[string]method{
		"encode": func(_ context.Context, a javaArgs) (any, error) { return url.QueryEscape(a.text(0)), nil },
	})
	javaClasses["java.net.URLDecoder"] = static("java.net.URLDecoder", nil, map[string]method{
		"decode": func(_ context.Context, a javaArgs) (any, error) { return url.QueryUnescape(a.text(0)) },
	})
	javaClasses["java.util.Collections"] = static("java.util.Collections", nil, map[string]method{
		"emptyList": func(context.Context, javaArgs) (any, error) { return &javaList{}, nil },
		"emptyMap":  func(context.Context, javaArgs) (any, error) { return &javaMap{}, nil },
	})
	javaClasses["java.nio.charset.StandardCharsets"] = static("java.nio.charset.StandardCharsets", map[string]any{"UTF_8": "UTF-8", "US_ASCII": "US-ASCII", "ISO_8859_1": "ISO-8859-1"}, nil)
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
