package script_test

import (
	"testing"

	"rove/internal/script"
)

type switched bool

func (s switched) Member(name string) (any, bool) { return bool(s), name == "enabled" }
func (switched) Members() []string                { return nil }

// TestFacts: what is true or false is read and called, and is false where it is false.
func TestFacts(t *testing.T) {
	t.Parallel()
	rt, scope := fresh(t)
	scope.Set("on", script.Host(switched(true)))
	scope.Set("off", script.Host(switched(false)))
	for source, want := range map[string]any{
		"on.enabled":                             true,
		"on.enabled()":                           true,
		"off.enabled ? 1 : 2":                    int64(2),
		"off.enabled() ? 1 : 2":                  int64(2),
		"!off.enabled() && on.enabled()":         true,
		"[on, off].map(x => x.enabled()).join()": "true,false",
		"(function(){ if (off.enabled()) return 1; return `${on.enabled()}` })()": "true",
		"({ enabled: function(){ return this.n }, n: 7 }).enabled()":              int64(7),
		"({ enabled: n => n }).enabled(5)":                                        int64(5),
		"'x.enabled()'":                                                           "x.enabled()",
		"try { ({}).enabled() } catch (e) { '' + e }":                             "TypeError: enabled is not a function",
		"try { ({ present: () => { throw 'own' } }).present() } catch (e) { e }":  "own",
	} {
		v, err := rt.Eval(t.Context(), scope, source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got := v.Export(); got != want {
			t.Errorf("%s: %v, not %v", source, got, want)
		}
	}
}
