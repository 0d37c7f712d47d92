package driver

import "testing"

func TestIsFunction(t *testing.T) {
	for js, want := range map[string]bool{
		"() => 5": true, " x => x + 1": true, "async () => 1": true, "async x => x": true, "(a, b = f(')')) => a": true,
		"function() { return 1 }": true, "function named(a) { return a }": true, "async function () {}": true, "(() => 5)": true, "((x) => x)": true,
		"({a}) => a": true, "([a, b]) => a": true, "$ => $": true, "el => !el.disabled": true,
		"": false, "1 + 1": false, "f": false, "a.b": false, "asyncThing": false, "async": false, "(x => x)(1)": false, "(() => 1)()": false,
		"[1].map(x => x)": false, "b.onclick = e => 1": false, "'x => y'": false, "function() { return 1 }()": false, "functional": false,
		"function(q) { return /^[/(]/.test(q) ? /\\)/ : a / (b / c) }": true, "function() { // don't (\n }": true, "function() { /* it's ( */ }": true, "function() { return 1 / 2 } /(/": false,
		"function() { return /(/ }()": false, "function() { // }": false, "function() { /* }": false, "function() { /[ }": false,
		"return x => x": false, "(": false, "(a": false, "function": false, "f(x => x)": false, "const f = () => 1; return f()": false,
	} {
		if got := isFunction(js); got != want {
			t.Errorf("%s: %v, want %v", js, got, want)
		}
	}
}

func FuzzIsFunction(f *testing.F) {
	for _, js := range []string{"() => 5", "(a", "function(){", "async(", "'\\", "(`)=>", "(/[", "(//", "(/*"} {
		f.Add(js)
	}
	f.Fuzz(func(_ *testing.T, js string) { isFunction(js) })
}
