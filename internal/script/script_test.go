package script_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"rove/internal/data"
	"rove/internal/script"
)

func fresh(t *testing.T) (*script.Runtime, *script.Scope) {
	t.Helper()
	rt := script.New(script.Options{Limit: 300 * time.Millisecond})
	rt.Lock()
	t.Cleanup(rt.Unlock)
	timers := rt.Timers()
	return rt, rt.NewScope(func(name string, firmly bool) (any, bool) {
		if f, ok := timers[name]; ok && !firmly {
			return f, true
		}
		return nil, false
	})
}

func eval(t *testing.T, scope *script.Scope, source string) any {
	t.Helper()
	v, err := scope.Runtime().Eval(t.Context(), scope, source)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return v.Export()
}

func TestValuesKeepWhatTheyAre(t *testing.T) {
	t.Parallel()
	_, scope := fresh(t)
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	moment := time.Date(2024, 2, 29, 12, 30, 0, 5e6, time.UTC)
	for name, x := range map[string]any{
		"null": nil, "undefined": data.Undefined, "bool": true, "int": int64(42), "negative": int64(-7), "float": 1.5,
		"long": int64(9007199254740993), "huge": huge, "string": "grüße 🚀", "bytes": []byte{0, 255, 7}, "date": moment,
		"list": []any{int64(1), "two", nil, []any{}}, "object": data.NewObject("z", int64(1), "a", data.NewObject("b", nil), "__proto__", "plain"),
	} {
		scope.Set("x", x)
		got, _ := scope.Get("x")
		if back := got.Export(); !data.Equal(back, x) || fmt.Sprintf("%T", back) != fmt.Sprintf("%T", x) {
			t.Errorf("%s: %T %v came back as %T %v", name, x, data.JSON(x), back, data.JSON(back))
		}
	}
	scope.Set("o", data.NewObject("z", int64(1), "a", int64(2)))
	if got := data.JSON(eval(t, scope, "o.m = 3; o")); got != `{"z":1,"a":2,"m":3}` {
		t.Errorf("the order of keys: %s", got)
	}
}

func TestExpressionsAndStatements(t *testing.T) {
	t.Parallel()
	_, scope := fresh(t)
	scope.Set("n", int64(20))
	for source, want := range map[string]string{
		"n + 1": "21", "{ a: n }": `{"a":20}`, "function(){ return 1 }()": "1", "var q = 3; q * n": "60", "let a1 = 1, [b1, c1] = [2, 3]; a1 + b1 + c1": "6",
		"function twice(x){ return x * 2 }\ntwice(4)": "8", "const { k, ...rest } = { k: 1, l: 2 }; rest": `{"l":2}`, "if (n > 3) 'big'; else 'small'": `"big"`,
		"[1,2,3].map(x => x * n)": "[20,40,60]", "class P { v() { return 5 } }; new P().v()": "5", "`${n}`": `"20"`,
		"n // a comment at the end": "20",
	} {
		if got := data.JSON(eval(t, scope, source)); got != want {
			t.Errorf("%s = %s, want %s", source, got, want)
		}
	}
	// What one text declares, the next one sees; it is no variable.
	if got := eval(t, scope, "q + twice(1)"); got != int64(5) {
		t.Errorf("declared names are gone: %v", got)
	}
	if names := scope.Names(); len(names) != 1 {
		t.Errorf("variables %v, want n alone", names)
	}
	// An assignment reaches the variable.
	eval(t, scope, "n = 21")
	if v, _ := scope.Get("n"); v.Export() != int64(21) {
		t.Error("assignment to a variable is lost")
	}
}

func TestScopesAreApart(t *testing.T) {
	t.Parallel()
	rt, one := fresh(t)
	two := rt.NewScope(nil)
	one.Set("who", "one")
	two.Set("who", "two")
	two.Set("other", "only here")
	eval(t, one, "var mine = 1")
	fn, _ := rt.Eval(t.Context(), one, "function(){ return who + ' ' + other }")
	two.Set("fn", fn)
	if got := eval(t, two, "fn()"); got != "one only here" {
		t.Errorf("a function finds %q: its own names first, then its caller's", got)
	}
	if got := eval(t, two, "typeof mine"); got != "undefined" {
		t.Errorf("what another scope declared is seen: %v", got)
	}
	// Objects are the same in both.
	v, _ := rt.Eval(t.Context(), one, "var box = { n: 1 }; box")
	two.Set("box", v)
	eval(t, two, "box.n = 2")
	if got := eval(t, one, "box.n"); got != int64(2) {
		t.Errorf("an object lost its identity: %v", got)
	}
}

func TestInheritedNamesGiveWay(t *testing.T) {
	t.Parallel()
	rt := script.New(script.Options{})
	rt.Lock()
	defer rt.Unlock()
	bound := func(name string, firmly bool) (any, bool) {
		switch {
		case name == "text":
			return script.Function(func(context.Context, []script.Value) (any, error) { return "the driver's", nil }), true
		case name == "soft" && !firmly:
			return "bound", true
		}
		return nil, false
	}
	scope := rt.NewScope(bound)
	scope.Inherit("text", "a caller's")
	scope.Inherit("soft", "a caller's")
	if got := eval(t, scope, "text() + ', ' + soft"); got != "the driver's, a caller's" {
		t.Errorf("got %q", got)
	}
	scope.Set("text", "mine")
	if got := eval(t, scope, "text"); got != "mine" {
		t.Errorf("a variable does not shadow what is bound: %v", got)
	}
}

func TestErrorsHaveTheirPlace(t *testing.T) {
	t.Parallel()
	rt, scope := fresh(t)
	for source, want := range map[string]string{
		"1 +":                             "login.feature:12",
		"var a = 1;\nvar b = ;":           "login.feature:13",
		"missing.x":                       "login.feature:12:1",
		"var a = 1;\n  a.b.c":             "login.feature:13",
		"(function(){\n\nthrow 'no' })()": "login.feature:14",
	} {
		p, err := script.Compile(script.Place{Name: "login.feature", Line: 12}, source)
		if err == nil {
			_, err = rt.Run(t.Context(), scope, p)
		}
		var e *script.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Where(), want) {
			t.Errorf("%q: %v at %v, want %s", source, err, e, want)
		}
	}
}

func TestErrorsOfGoComeThrough(t *testing.T) {
	t.Parallel()
	rt, scope := fresh(t)
	cause := errors.New("no such element")
	scope.Hide("fail", script.Function(func(context.Context, []script.Value) (any, error) { return nil, cause }))
	if _, err := rt.Eval(t.Context(), scope, "fail()"); !errors.Is(err, cause) || err.Error() != "no such element" {
		t.Errorf("got %v", err)
	}
	if got := eval(t, scope, "try { fail() } catch (e) { e.message }"); got != "no such element" {
		t.Errorf("a script catches %v", got)
	}
	// Through a callback and back.
	scope.Hide("each", script.Function(func(ctx context.Context, args []script.Value) (any, error) {
		return args[0].Func().Do(ctx, int64(1))
	}))
	if _, err := rt.Eval(t.Context(), scope, "each(x => fail())"); !errors.Is(err, cause) {
		t.Errorf("through a callback: %v", err)
	}
	if got := eval(t, scope, "try { each(x => { throw { code: x } }) } catch (e) { e.code }"); got != int64(1) {
		t.Errorf("what a callback threw: %v", got)
	}
}

func TestScriptsWithoutEndAreEnded(t *testing.T) {
	t.Parallel()
	rt, scope := fresh(t)
	start := time.Now()
	_, err := rt.Eval(t.Context(), scope, "while (true) {}")
	if !errors.Is(err, script.ErrTooLong) || !strings.Contains(err.Error(), "did not end within 300ms") {
		t.Errorf("got %v", err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("it took %s", d)
	}
	// It works on afterwards, and time in Go does not count.
	scope.Hide("slow", script.Function(func(context.Context, []script.Value) (any, error) {
		<-time.After(400 * time.Millisecond)
		return "done", nil
	}))
	if got := eval(t, scope, "slow()"); got != "done" {
		t.Errorf("got %v", got)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stopped by hand")
	time.AfterFunc(20*time.Millisecond, func() { cancel(stop) })
	if _, err := rt.Eval(ctx, scope, "while (true) {}"); !errors.Is(err, stop) {
		t.Errorf("an interrupted script: %v", err)
	}
	if got := eval(t, scope, "1 + 1"); got != int64(2) {
		t.Errorf("after an interruption: %v", got)
	}
	if _, err := rt.Eval(t.Context(), scope, "function f(){ return f() }; f()"); err == nil || !strings.Contains(err.Error(), "recursion") {
		t.Errorf("endless recursion: %v", err)
	}
}

func TestPromisesAreAwaited(t *testing.T) {
	t.Parallel()
	rt, scope := fresh(t)
	for source, want := range map[string]string{
		"(async () => 5)()": "5",
		"new Promise(done => setTimeout(() => done('late'), 5))":                        `"late"`,
		"await Promise.resolve(7)":                                                      "7",
		"var x9 = 1; await new Promise(d => setTimeout(d, 1)); x9 + 1":                  "null",
		"(async function(){ let n = 0; while (n < 3) { await null; n++ } return n })()": "3",
	} {
		if got := data.JSON(eval(t, scope, source)); got != want {
			t.Errorf("%s = %s, want %s", source, got, want)
		}
	}
	if _, err := rt.Eval(t.Context(), scope, "Promise.reject(new Error('refused'))"); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("a rejected promise: %v", err)
	}
	if _, err := rt.Eval(t.Context(), scope, "new Promise(() => {})"); err == nil || !strings.Contains(err.Error(), "never settled") {
		t.Errorf("a promise that nothing settles: %v", err)
	}
}

func TestFunctionsGoToOtherRuntimes(t *testing.T) {
	t.Parallel()
	rt, scope := fresh(t)
	v, err := rt.Eval(t.Context(), scope, "{ add: (a, b) => a + b, deep: [function(){ return who }] }")
	if err != nil {
		t.Fatal(err)
	}
	kept := v.Detach()
	_, other := fresh(t)
	other.Set("who", "other")
	other.Set("kit", kept)
	if got := eval(t, other, "kit.add(2, 3) + kit.deep[0]()"); got != "5other" {
		t.Errorf("got %v", got)
	}
}

type counter struct{ n int64 }

func (c *counter) Member(name string) (any, bool) {
	switch name {
	case "count":
		return c.n, true
	case "up":
		return script.Function(func(_ context.Context, args []script.Value) (any, error) {
			c.n += args[0].Export().(int64)
			return c, nil
		}), true
	}
	return nil, false
}
func (c *counter) Members() []string { return []string{"count"} }
func (c *counter) String() string    { return "a counter" }
func (c *counter) Export() any       { return data.NewObject("count", c.n) }
func (c *counter) SetMember(_ context.Context, name string, v script.Value) error {
	if name != "count" {
		return fmt.Errorf("no property %s", name)
	}
	c.n = v.Export().(int64)
	return nil
}

func TestHostsAreLive(t *testing.T) {
	t.Parallel()
	rt, scope := fresh(t)
	c := &counter{}
	scope.Set("c", c)
	for source, want := range map[string]string{
		"c.count = 5; c.up(2).up(3).count": "10", "c.up(0) === c": "true", "JSON.stringify(c)": `"{\"count\":10}"`, "'' + c": `"a counter"`,
		"Object.keys(c)": `["count"]`, "c.nothing": "null", "c": `{"count":10}`,
	} {
		if source != "c.count = 5; c.up(2).up(3).count" {
			c.n = 10
		}
		if got := data.JSON(eval(t, scope, source)); got != want {
			t.Errorf("%s = %s, want %s", source, got, want)
		}
	}
	if _, err := rt.Eval(t.Context(), scope, "c.other = 1"); err == nil || !strings.Contains(err.Error(), "no property other") {
		t.Errorf("got %v", err)
	}
}

func TestAssignKeepsIdentity(t *testing.T) {
	t.Parallel()
	rt, scope := fresh(t)
	v, _ := rt.Eval(t.Context(), scope, "{ a: { b: 1 }, list: [1, 2, { c: 3 }], f: () => 7 }")
	scope.Set("x", v)
	eval(t, scope, "var inner = x.a, item = x.list[2]")
	changed := v.Export().(*data.Object)
	a, _ := changed.Get("a")
	a.(*data.Object).Set("b", int64(9))
	list, _ := changed.Get("list")
	changed.Set("list", append(list.([]any), "new"))
	if !v.Assign(changed) {
		t.Fatal("not assigned")
	}
	if got := data.JSON(eval(t, scope, "[inner.b, x.a === inner, x.list.length, x.list[2] === item, x.f()]")); got != "[9,true,4,true,7]" {
		t.Errorf("got %s", got)
	}
}

func TestNothingBreaksTheEngine(t *testing.T) {
	t.Parallel()
	_, scope := fresh(t)
	for source, want := range map[string]string{
		"var loop = {}; loop.self = loop; loop":          `{"self":"[Circular]"}`,
		"({ get x() { throw 'no' } })":                   "not readable",
		"new Map([['a', 1]])":                            `{"a":1}`,
		"new Set([1, 2])":                                "[1,2]",
		"[undefined, () => 1, NaN]":                      "",
		"new Proxy({}, { ownKeys() { throw 'proxy' } })": "not readable",
	} {
		if got := data.JSON(eval(t, scope, source)); want != "" && !strings.Contains(got, want) {
			t.Errorf("%s = %s, want %s", source, got, want)
		}
	}
}

func BenchmarkRuntime(b *testing.B) {
	p, _ := script.Compile(script.Place{}, "function fn(){ return { a: 1 } }")
	for b.Loop() {
		rt := script.New(script.Options{})
		rt.Lock()
		scope := rt.NewScope(nil)
		scope.Set("x", int64(1))
		if _, err := rt.Run(context.Background(), scope, p); err != nil {
			b.Fatal(err)
		}
		rt.Unlock()
	}
}
