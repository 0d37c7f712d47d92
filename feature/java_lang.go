package feature

import (
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"rove/internal/data"
	"rove/internal/script"
)

// method is a function of a class or an object of Java.
type method func(ctx context.Context, a javaArgs) (any, error)

// javaArgs are what a method is called with.
type javaArgs []script.Value

func (a javaArgs) text(i int) string {
	if i >= len(a) {
		return ""
	}
	return data.Text(a[i].Export())
}

func (a javaArgs) int(i int) int64 {
	if i >= len(a) {
		return 0
	}
	switch n := a[i].Export().(type) {
	case int64:
		return n
	case float64:
		return int64(n)
	case string:
		v, _ := strconv.ParseInt(n, 10, 64)
		return v
	}
	return 0
}

func (a javaArgs) float(i int) float64 {
	if i >= len(a) {
		return math.NaN()
	}
	switch n := a[i].Export().(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	}
	return math.NaN()
}

func (a javaArgs) bytes(i int) []byte {
	if i >= len(a) {
		return nil
	}
	if b, ok := a[i].Export().([]byte); ok {
		return b
	}
	return []byte(a.text(i))
}

func (a javaArgs) host(i int) script.Host {
	if i >= len(a) {
		return nil
	}
	return a[i].Host()
}

// javaThing is a class's static side, or an object, by a table of members.
type javaThing struct {
	name    string
	values  map[string]any
	methods map[string]method
	text    func() string
	export  func() any
}

func (t *javaThing) Member(name string) (any, bool) {
	if v, ok := t.values[name]; ok {
		return v, true
	}
	m, ok := t.methods[name]
	if !ok {
		if v, ok := bean(t.methods, name); ok {
			return v, true
		}
		switch name {
		case "toString":
			m = func(context.Context, javaArgs) (any, error) { return t.String(), nil }
		case "equals":
			m = func(_ context.Context, a javaArgs) (any, error) { return a.text(0) == t.String(), nil }
		case "hashCode":
			m = func(context.Context, javaArgs) (any, error) { return int64(len(t.String())), nil }
		default:
			return nil, false
		}
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) { return m(ctx, args) }), true
}

func (t *javaThing) Members() []string {
	var names []string
	for name := range t.values {
		names = append(names, name)
	}
	for name := range t.methods {
		names = append(names, name)
		if property, ok := strings.CutPrefix(name, "get"); ok && property != "" && property != strings.ToLower(property[:1])+property[1:] {
			names = append(names, strings.ToLower(property[:1])+property[1:])
		}
	}
	return names
}

// bean gives a property that has a getter: x.name is x.getName(), x.empty is
// x.isEmpty().
func bean(methods map[string]method, name string) (any, bool) {
	if name == "" {
		return nil, false
	}
	for _, prefix := range []string{"get", "is"} {
		m, ok := methods[prefix+strings.ToUpper(name[:1])+name[1:]]
		if !ok {
			continue
		}
		v, err := m(context.Background(), nil)
		return v, err == nil
	}
	return nil, false
}

func (t *javaThing) String() string {
	if t.text != nil {
		return t.text()
	}
	return t.name
}

func (t *javaThing) Export() any {
	if t.export != nil {
		return t.export()
	}
	return t.String()
}

// static is a class that has only functions of its own.
func static(name string, values map[string]any, methods map[string]method) func(*root) any {
	return func(*root) any {
		return &script.Class{Name: name, Static: &javaThing{name: name, values: values, methods: methods}}
	}
}

// class is one that can be made with new, too.
func class(name string, make method, methods map[string]method) func(*root) any {
	return func(*root) any {
		return &script.Class{
			Name: name, Static: &javaThing{name: name, methods: methods},
			New: func(ctx context.Context, args []script.Value) (any, error) { return make(ctx, args) },
		}
	}
}

func init() {
	javaClasses["java.util.UUID"] = static("java.util.UUID", nil, map[string]method{
		"randomUUID": func(context.Context, javaArgs) (any, error) { return javaText(randomUUID()), nil },
		"fromString": func(_ context.Context, a javaArgs) (any, error) { return javaText(a.text(0)), nil },
	})
	javaClasses["java.lang.System"] = func(r *root) any {
		print := &javaThing{name: "out", methods: map[string]method{
			"println": func(_ context.Context, a javaArgs) (any, error) { r.current.print(a.text(0)); return undefined, nil },
			"print":   func(_ context.Context, a javaArgs) (any, error) { r.current.print(a.text(0)); return undefined, nil },
		}}
		return &script.Class{Name: "java.lang.System", Static: &javaThing{name: "java.lang.System", values: map[string]any{"out": print, "err": print}, methods: systemMethods(r)}}
	}
	javaClasses["java.lang.Thread"] = func(r *root) any {
		return &script.Class{Name: "java.lang.Thread", Static: &javaThing{name: "java.lang.Thread", methods: map[string]method{
			"sleep": func(ctx context.Context, a javaArgs) (any, error) {
				return undefined, r.current.sleep(ctx, time.Duration(a.int(0))*time.Millisecond)
			},
			"currentThread": func(context.Context, javaArgs) (any, error) {
				name := fmt.Sprintf("thread-%d", r.current.result.Thread)
				return &javaThing{name: name, values: map[string]any{"name": name}, methods: map[string]method{
					"getName": func(context.Context, javaArgs) (any, error) { return name, nil },
				}}, nil
			},
		}}}
	}
	javaClasses["java.lang.Math"] = static("java.lang.Math", map[string]any{"PI": math.Pi, "E": math.E}, mathMethods())
	javaClasses["java.lang.String"] = class("java.lang.String", func(_ context.Context, a javaArgs) (any, error) { return javaText(a.text(0)), nil }, map[string]method{
		"valueOf": func(_ context.Context, a javaArgs) (any, error) { return a.text(0), nil },
		"format":  func(_ context.Context, a javaArgs) (any, error) { return javaFormat(a) },
		"join": func(_ context.Context, a javaArgs) (any, error) {
			var parts []string
			for i := 1; i < len(a); i++ {
				if list, ok := a[i].Export().([]any); ok {
					for _, e := range list {
						parts = append(parts, data.Text(e))
					}
					continue
				}
				parts = append(parts, a.text(i))
			}
			return strings.Join(parts, a.text(0)), nil
		},
	})
	integer := map[string]method{
		"parseInt": parseJavaInt, "valueOf": parseJavaInt, "parseLong": parseJavaInt,
		"toString":    func(_ context.Context, a javaArgs) (any, error) { return a.text(0), nil },
		"toHexString": func(_ context.Context, a javaArgs) (any, error) { return strconv.FormatInt(a.int(0), 16), nil },
		"compare": func(_ context.Context, a javaArgs) (any, error) {
			return int64(strings.Compare(fmt.Sprintf("%020d", a.int(0)), fmt.Sprintf("%020d", a.int(1)))), nil
		},
	}
	javaClasses["java.lang.Integer"] = static("java.lang.Integer", map[string]any{"MAX_VALUE": int64(math.MaxInt32), "MIN_VALUE": int64(math.MinInt32)}, integer)
	javaClasses["java.lang.Long"] = static("java.lang.Long", map[string]any{"MAX_VALUE": int64(math.MaxInt64), "MIN_VALUE": int64(math.MinInt64)}, integer)
	double := map[string]method{"parseDouble": parseJavaDouble, "valueOf": parseJavaDouble}
	javaClasses["java.lang.Double"] = static("java.lang.Double", map[string]any{"MAX_VALUE": math.MaxFloat64}, double)
	javaClasses["java.lang.Boolean"] = static("java.lang.Boolean", nil, map[string]method{
		"parseBoolean": func(_ context.Context, a javaArgs) (any, error) { return strings.EqualFold(a.text(0), "true"), nil },
		"valueOf":      func(_ context.Context, a javaArgs) (any, error) { return strings.EqualFold(a.text(0), "true"), nil },
	})
	javaClasses["java.util.Base64"] = static("java.util.Base64", nil, base64Methods())
	javaClasses["java.util.Random"] = class("java.util.Random", func(context.Context, javaArgs) (any, error) {
		return &javaThing{name: "java.util.Random", methods: map[string]method{
			"nextInt": func(_ context.Context, a javaArgs) (any, error) {
				switch {
				case len(a) == 0:
					return int64(int32(rand.Uint32())), nil
				case len(a) > 1 && a.int(1) > a.int(0):
					return a.int(0) + rand.Int64N(a.int(1)-a.int(0)), nil
				case a.int(0) <= 0:
					return nil, fmt.Errorf("bound must be positive")
				}
				return rand.Int64N(a.int(0)), nil
			},
			"nextDouble":  func(context.Context, javaArgs) (any, error) { return rand.Float64(), nil },
			"nextBoolean": func(context.Context, javaArgs) (any, error) { return rand.IntN(2) == 1, nil },
			"nextLong":    func(context.Context, javaArgs) (any, error) { return rand.Int64(), nil },
		}}, nil
	}, nil)
	for name, instead := range map[string]string{
		"java.text.DecimalFormat": "use Number(x).toFixed(2)", "java.util.regex.Pattern": "use a regular expression: /a+/.test(text)",
		"java.security.MessageDigest": "hashes are not there yet: compute them with karate.exec",
		"java.lang.Runtime":           "use karate.exec or karate.fork", "java.lang.ProcessBuilder": "use karate.exec or karate.fork", "java.math.BigDecimal": "use numbers, or BigInt('…') for large integers",
		"java.math.BigInteger": "use BigInt('…')", "java.util.concurrent.TimeUnit": "use karate.pause(milliseconds)",
		"com.intuit.karate.Runner": "run features with karate.call or rove run",
	} {
		javaInstead[name] = instead
	}
}

func parseJavaInt(_ context.Context, a javaArgs) (any, error) {
	base := 10
	if len(a) > 1 {
		base = int(a.int(1))
	}
	n, err := strconv.ParseInt(a.text(0), base, 64)
	if err != nil {
		return nil, fmt.Errorf("NumberFormatException: For input string: %q", a.text(0))
	}
	return n, nil
}

func parseJavaDouble(_ context.Context, a javaArgs) (any, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(a.text(0)), 64)
	if err != nil {
		return nil, fmt.Errorf("NumberFormatException: For input string: %q", a.text(0))
	}
	return f, nil
}

// javaText is a string that also has Java's own methods.
func javaText(s string) any {
	return &javaThing{name: s, text: func() string { return s }, methods: textMethods(s)}
}

func textMethods(s string) map[string]method {
	return map[string]method{
		"length":      func(context.Context, javaArgs) (any, error) { return int64(len([]rune(s))), nil },
		"getBytes":    func(context.Context, javaArgs) (any, error) { return []byte(s), nil },
		"contains":    func(_ context.Context, a javaArgs) (any, error) { return strings.Contains(s, a.text(0)), nil },
		"startsWith":  func(_ context.Context, a javaArgs) (any, error) { return strings.HasPrefix(s, a.text(0)), nil },
		"endsWith":    func(_ context.Context, a javaArgs) (any, error) { return strings.HasSuffix(s, a.text(0)), nil },
		"toUpperCase": func(context.Context, javaArgs) (any, error) { return strings.ToUpper(s), nil },
		"toLowerCase": func(context.Context, javaArgs) (any, error) { return strings.ToLower(s), nil },
		"trim":        func(context.Context, javaArgs) (any, error) { return strings.TrimSpace(s), nil },
		"replace": func(_ context.Context, a javaArgs) (any, error) {
			return strings.ReplaceAll(s, a.text(0), a.text(1)), nil
		},
		"replaceAll": func(_ context.Context, a javaArgs) (any, error) {
			return strings.ReplaceAll(s, a.text(0), a.text(1)), nil
		},
		"indexOf": func(_ context.Context, a javaArgs) (any, error) { return int64(strings.Index(s, a.text(0))), nil },
		"substring": func(_ context.Context, a javaArgs) (any, error) {
			r := []rune(s)
			from, to := int(a.int(0)), len(r)
			if len(a) > 1 {
				to = int(a.int(1))
			}
			if from < 0 || to > len(r) || from > to {
				return nil, fmt.Errorf("StringIndexOutOfBoundsException: begin %d, end %d, length %d", from, to, len(r))
			}
			return string(r[from:to]), nil
		},
	}
}

func systemMethods(r *root) map[string]method {
	start := time.Now()
	return map[string]method{
		"currentTimeMillis": func(context.Context, javaArgs) (any, error) { return time.Now().UnixMilli(), nil },
		"nanoTime":          func(context.Context, javaArgs) (any, error) { return int64(time.Since(start)), nil },
		"lineSeparator":     func(context.Context, javaArgs) (any, error) { return "\n", nil },
		"getenv": func(_ context.Context, a javaArgs) (any, error) {
			if v, ok := os.LookupEnv(a.text(0)); ok {
				return v, nil
			}
			return nil, nil
		},
		"getProperty": func(_ context.Context, a javaArgs) (any, error) {
			if v, ok := r.current.suite.properties[a.text(0)]; ok {
				return v, nil
			}
			switch a.text(0) {
			case "user.dir":
				return r.current.suite.dir, nil
			case "os.name":
				return map[string]string{"linux": "Linux", "darwin": "Mac OS X", "windows": "Windows"}[runtime.GOOS], nil
			case "java.io.tmpdir":
				return os.TempDir(), nil
			case "line.separator":
				return "\n", nil
			case "file.separator":
				return string(os.PathSeparator), nil
			case "user.home":
				home, _ := os.UserHomeDir()
				return home, nil
			}
			if len(a) > 1 {
				return a.text(1), nil
			}
			return nil, nil
		},
		"setProperty": func(_ context.Context, a javaArgs) (any, error) {
			return nil, fmt.Errorf("properties are given with -D %s=…; they are the same for all scenarios", a.text(0))
		},
	}
}

func mathMethods() map[string]method {
	one := func(f func(float64) float64) method {
		return func(_ context.Context, a javaArgs) (any, error) { return f(a.float(0)), nil }
	}
	two := func(f func(x, y float64) float64) method {
		return func(_ context.Context, a javaArgs) (any, error) { return f(a.float(0), a.float(1)), nil }
	}
	return map[string]method{
		"abs": one(math.Abs), "ceil": one(math.Ceil), "floor": one(math.Floor), "sqrt": one(math.Sqrt), "log": one(math.Log), "round": one(func(x float64) float64 { return math.Floor(x + 0.5) }),
		"max": two(math.Max), "min": two(math.Min), "pow": two(math.Pow),
		"random": func(context.Context, javaArgs) (any, error) { return rand.Float64(), nil },
	}
}

func base64Methods() map[string]method {
	coder := func(enc *base64.Encoding) method {
		return func(context.Context, javaArgs) (any, error) {
			return &javaThing{name: "Base64", methods: map[string]method{
				"encodeToString": func(_ context.Context, a javaArgs) (any, error) { return enc.EncodeToString(a.bytes(0)), nil },
				"encode":         func(_ context.Context, a javaArgs) (any, error) { return []byte(enc.EncodeToString(a.bytes(0))), nil },
				"decode": func(_ context.Context, a javaArgs) (any, error) {
					text := strings.TrimRight(a.text(0), "=")
					raw := base64.RawStdEncoding
					if enc == base64.URLEncoding {
						raw = base64.RawURLEncoding
					}
					b, err := raw.DecodeString(text)
					if err != nil {
						return nil, fmt.Errorf("IllegalArgumentException: %w", err)
					}
					return b, nil
				},
				"withoutPadding": func(context.Context, javaArgs) (any, error) {
					return &javaThing{name: "Base64", methods: map[string]method{
						"encodeToString": func(_ context.Context, a javaArgs) (any, error) {
							return strings.TrimRight(enc.EncodeToString(a.bytes(0)), "="), nil
						},
					}}, nil
				},
			}}, nil
		}
	}
	return map[string]method{
		"getEncoder": coder(base64.StdEncoding), "getDecoder": coder(base64.StdEncoding), "getUrlEncoder": coder(base64.URLEncoding), "getUrlDecoder": coder(base64.URLEncoding),
		"getMimeEncoder": coder(base64.StdEncoding), "getMimeDecoder": coder(base64.StdEncoding),
	}
}
