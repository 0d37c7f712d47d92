package match

import "testing"

func TestParseStep(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Spec{
		"foo == 1":                                 {Actual: "foo", Op: Equals, Expected: "1"},
		"each foo contains deep { a: 1 }":          {Each: true, Actual: "foo", Op: ContainsDeep, Expected: "{ a: 1 }"},
		"state.tries >= 2 == true":                 {Actual: "state.tries >= 2", Op: Equals, Expected: "true"},
		"foo /a/b[@c='x == y'] != 'z'":             {Actual: "foo", Path: "/a/b[@c='x == y']", Op: NotEquals, Expected: "'z'"},
		"foo $.a[?(@.b == 1)].c contains only [1]": {Actual: "foo", Path: "$.a[?(@.b == 1)].c", Op: ContainsOnly, Expected: "[1]"},
		"header Content-Type contains 'json'":      {Actual: "header", Path: "Content-Type", Op: Contains, Expected: "'json'"},
		"foo !contains only":                       {Actual: "foo", Op: NotContains, Expected: "only"},
		"a === b == true":                          {Actual: "a === b", Op: Equals, Expected: "true"},
		"foo count(/a/b) == 2":                     {Actual: "foo", Path: "count(/a/b)", Op: Equals, Expected: "2"},
		"it's == 1":                                {Actual: "it's", Op: Equals, Expected: "1"},
		"foo ==":                                   {Actual: "foo", Op: Equals},
		"x !within [1, 2]":                         {Actual: "x", Op: NotWithin, Expected: "[1, 2]"},
		"eachOne == 1":                             {Actual: "eachOne", Op: Equals, Expected: "1"},
	} {
		got, err := ParseStep(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v, expected %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"foo", "", "== 1", "foo(a == b)"} {
		if s, err := ParseStep(text); err == nil {
			t.Errorf("%s: %+v, expected an error", text, s)
		}
	}
}
