package apitest

import (
	"testing"

	"github.com/dop251/goja"
)

// TestValuesInText: tokens that scripts of a page hold are found by the word before them,
// and by what stands before that where other values have the same word.
func TestValuesInText(t *testing.T) {
	t.Parallel()
	page := `<body data-state="{&quot;csrf&quot;:&quot;5e1f0c77aa&quot;}"><script>
var newsData = {"nonce":"aa11bb22cc","cache":false};
api.use( api.createNonceMiddleware( "92f9f7a0b1" ) ); window.token = '7d7d7d7d01';
settings = {"nonce":"dd44ee55ff"};
tokens.set({"csrfToken":"b1b2b3b4b5+\\","path":"x"}); key = "a9\/c8d7e6";
"0102030405abcd"
</script>`
	for value, name := range map[string]string{"5e1f0c77aa": "csrf", "aa11bb22cc": "nonce", "92f9f7a0b1": "createNonceMiddleware", "7d7d7d7d01": "token", "dd44ee55ff": "nonce", "0102030405abcd": "", "not in there": "", `b1b2b3b4b5+\`: "csrfToken", "a9/c8d7e6": "key", "aa11bb": ""} {
		c := &Call{Answer: Answer{Text: page}}
		f, ok := c.inText(value)
		if ok != (name != "") || ok && f.key != name {
			t.Errorf("%s: %q %v, want %q", value, f.key, ok, name)
		} else if ok {
			if got, _ := c.Answer.lookup(f.source); got != value {
				t.Errorf("%s: %s leads to %q", value, f.source.Pattern, got)
			}
		}
	}
}

// TestMadeByMachines tells values that nobody types from those that people send.
func TestMadeByMachines(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"0cc175b9c0f1b6a831c399e26977266168f1+\\": true, "eyJhbGciOi.eyJzdWIi.c2ln": true, "3f2a9c41d0b7": true, "a1b2c3d4": true,
		"/2zvNljEoioD7/eV0ui3v/mNpl9sf5OrO7QCK8f4UBzCB9o84/yVSXeKIEqIv+Y==": true, "/api/v2/harbours/surveys/of/2026": false,
		"Lighthouse_keeping": false, "/login/next": false, "2026-12-18": false, "20261218": false, "Water the fern": false, `C:\notes`: false,
	} {
		if got := opaque(value); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

// TestPlainMarkup: what stands in an attribute may be written by the number of its sign.
func TestPlainMarkup(t *testing.T) {
	t.Parallel()
	value, err := goja.New().RunString("'&#x2713; &#43;&#X2F;&amp;#1;'" + plainMarkup)
	if err != nil || value.String() != "\u2713 +/&#1;" {
		t.Error(value, err)
	}
}
