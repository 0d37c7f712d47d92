package testkit

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// CheckHAR fails the test if a text is no HAR 1.2, and gives what it says. The
// schema is internal/har/testdata/har-1.2.schema.json, wherever that is from
// here.
func CheckHAR(t testing.TB, schema string, text []byte) map[string]any {
	t.Helper()
	rules, err := os.ReadFile(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(rules, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("not JSON: %v\n%.2000s", err, text)
	}
	if err := resolved.Validate(v); err != nil {
		t.Fatalf("not HAR 1.2: %v", err)
	}
	return v
}
