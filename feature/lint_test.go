package feature_test

import (
	"strings"
	"testing"

	"rove/feature"
)

func TestLint(t *testing.T) {
	t.Parallel()
	dir := files(t,
		"karate-config.js", "function fn() { return { a: } }",
		"broken.feature", "Feature: x\nScenario: y\n* def a = 1\n  nonsense\n",
		"script.karate.js", "test('x', () => {\n  oops(\n})",
		"a.feature", `
Feature: a
Scenario: all wrong
* mtach x == 1
* def 1x = 2
* def x = 1 +
* match x
* configure hedders = {}
* assert x ==
* call read('nowhere.feature') { a: 1 }
* def ok = read('there.json')
* def json = { a: 1
* print 'a', (
Scenario Outline: columns
* match <a> == <b>
* def xml = <root><c>1</c></root>
Examples:
| a |
| 1 |
Scenario Outline: no setup
* def x = <y>
Examples:
| karate.setup().data |
`,
		"there.json", "{}",
		"fine.feature", "Feature: fine\nScenario: all\n* def x = call read('fine.feature') [{ a: 1 }]\n* match x == '#[1]'\n* if (x) karate.log(x)\n* def f =\n\"\"\"\nfunction(a){\n  return a\n}\n\"\"\"\n* click('#a')\n* match driver.title == 'x'\n",
	)
	problems, n, err := feature.Lint(feature.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{
		"karate-config.js:1: SyntaxError", "broken.feature:4: ", "script.karate.js:3: SyntaxError", `a.feature:3: no step-definition method match found for: mtach x == 1 (there is no keyword "mtach"; did you mean "match"?)`,
		"a.feature:4: invalid variable name: 1x", "a.feature:5: SyntaxError", "a.feature:6: syntax error, expected '=='", "a.feature:7: unexpected 'configure' key: 'hedders'; did you mean 'headers'?",
		"a.feature:8: SyntaxError", "a.feature:9: there is no file nowhere.feature", "a.feature:11: ", "a.feature:12: SyntaxError", "a.feature:14: <b> is no column of the examples",
		"a.feature:22: karate.setup() needs a scenario tagged @setup",
	} {
		if !strings.Contains("\n"+text, "\n"+want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(text, "fine.feature") || strings.Contains(text, "there.json") || n != 4 {
		t.Errorf("%d files", n)
	}
	if t.Failed() {
		t.Log(text)
	}
}
