package cli

import (
	"reflect"
	"strings"
	"testing"
)

func TestStepsOf(t *testing.T) {
	for line, want := range map[string][][]string{
		"":                                 {nil},
		"e1 click":                         {{"e1", "click"}},
		"e1 input x then e2 click":         {{"e1", "input", "x"}, {"e2", "click"}},
		"e1 click then e2 click":           {{"e1", "click"}, {"e2", "click"}},
		"e1 input then":                    {{"e1", "input", "then"}},
		"e1 input then then e2 click":      {{"e1", "input", "then"}, {"e2", "click"}},
		"e1 input x then e2":               {{"e1", "input", "x"}, {"e2"}},
		"then e2 click":                    {nil, {"e2", "click"}},
		"e1 input x then":                  {{"e1", "input", "x"}, nil},
		"e1 input then x":                  {{"e1", "input"}, {"x"}},
		"_page press Tab then _page press": {{"_page", "press", "Tab"}, {"_page", "press"}},
	} {
		if got := stepsOf(strings.Fields(line)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
