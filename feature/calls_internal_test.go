package feature

import (
	"strings"
	"testing"

	"rove/internal/script"
)

// TestRowsComeToAnEnd: a function that never says null is a failure, not a suite without
// end.
func TestRowsComeToAnEnd(t *testing.T) {
	t.Parallel()
	rt := script.New(script.Options{})
	rt.Lock()
	defer rt.Unlock()
	f, err := rt.Eval(t.Context(), rt.NewScope(nil), "function(i){ return i < 200000 ? { i: i } : null }")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := generated(t.Context(), f.Func(), mostRows-1); err != nil || !v.IsObject() {
		t.Errorf("the last: %v, %v", v.Export(), err)
	}
	if _, err := generated(t.Context(), f.Func(), mostRows); err == nil || !strings.Contains(err.Error(), "100000 rows and no end") {
		t.Errorf("one more: %v", err)
	}
}
