package script

import (
	"context"
	"testing"

	"rove/internal/data"
)

// What is read without the engine is what the engine would have given.
func TestLiterals(t *testing.T) {
	for _, source := range []string{
		"200", " 7 ", "0", "007", "123456789012345", "1234567890123456789", "-1", "1.5", "1e3", "0x10", "1_000", "''", "'a'", `"it's"`, `'it\'s'`, `'a' + 'b'`, `"a\nb"`, "'é 日本'", "true", "false", "null", "'#[2]'",
	} {
		p, err := compile(Place{}, source, asExpression)
		if err != nil {
			if v := literal(source); v != nil {
				t.Errorf("%s is no JavaScript, but %v was read", source, v)
			}
			continue
		}
		rt := New(Options{})
		want, err := rt.Run(context.Background(), rt.NewScope(nil), p)
		if err != nil {
			t.Fatal(source, err)
		}
		got, err := rt.Eval(context.Background(), rt.NewScope(nil), source)
		if err != nil || !data.Equal(got.Export(), want.Export()) {
			t.Errorf("%s: %v, want %v (%v)", source, got.Export(), want.Export(), err)
		}
	}
}

// Data that goes around the engine is as it would have come out of it.
func TestPlainIsWhatScriptsGiveBack(t *testing.T) {
	rt := New(Options{})
	for _, text := range []string{`{"a":1.0,"b":[1e3,null,-0.0,2.5],"c":{"d":"x","e":true}}`, `[]`, `{}`, `[[1],[{"a":[]}]]`} {
		v, err := data.ParseJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Plain(v)
		if want := rt.Value(v).Export(); !ok || data.JSON(got) != data.JSON(want) || !data.Equal(got, want) {
			t.Errorf("%s: %s, want %s", text, data.JSON(got), data.JSON(want))
		}
	}
	if _, ok := Plain([]any{rt.Value("x")}); ok {
		t.Error("a value of a script is more than data")
	}
}
