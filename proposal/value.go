package proposal

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rove/internal/strict"
)

// State, parameters and outputs are plain values: what JSON can say.

// plain makes of any value what its JSON says: nil, bool, float64, string, []any
// and map[string]any. The result shares no memory with the value.
func plain(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out any
	return out, json.Unmarshal(text, &out)
}

func plainMap(m map[string]any) (map[string]any, error) {
	if len(m) == 0 {
		return map[string]any{}, nil
	}
	v, err := plain(m)
	if err != nil {
		return nil, err
	}
	return v.(map[string]any), nil
}

// clone copies a plain value.
func clone(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	case map[string]any:
		return cloneMap(v)
	}
	return v
}

func cloneMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = clone(v)
	}
	return out
}

// brief is a value in words, short enough to be read.
func brief(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%T", v)
	}
	return strict.Brief(text)
}

// words lists names for a message.
func words[S ~string](names []S) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = string(n)
	}
	return strings.Join(list, ", ")
}

// sorted lists the keys of a map in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
