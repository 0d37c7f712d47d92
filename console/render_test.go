package console

import (
	"strings"
	"testing"

	"rove/internal/chrome"
	"rove/internal/wire"
)

// TestRendering reads events as the protocol has them, without a browser: what is
// rare, old or broken.
func TestRendering(t *testing.T) {
	for _, c := range []struct{ name, method, params, want string }{
		{"nothing", "Runtime.consoleAPICalled", `{"type":"log","args":[]}`, `[log] page:`},
		{"not JSON", "Runtime.consoleAPICalled", `{"type":`, `[log other] page: an entry that could not be read`},
		{"no such function", "Runtime.consoleAPICalled", `{"type":"future","args":[{"type":"string","value":"x"}]}`, `[log future] page: x`},
		{"an object without a preview", "Runtime.consoleAPICalled", `{"type":"log","args":[{"type":"object","className":"Foo","description":"Foo","objectId":"1"}]}`, `[log] page: Foo {…}`},
		{"an array without a preview", "Runtime.consoleAPICalled", `{"type":"log","args":[{"type":"object","subtype":"array","className":"Array","description":"Array(3)","objectId":"1"}]}`, `[log] page: […]`},
		{"an empty one", "Runtime.consoleAPICalled", `{"type":"log","args":[{"type":"object","subtype":"array","description":"Array(0)","objectId":"1","preview":{"type":"object","subtype":"array","description":"Array(0)","overflow":false,"properties":[]}}]}`, `[log] page: []`},
		{"a hole in a large array", "Runtime.consoleAPICalled", `{"type":"log","args":[{"type":"object","subtype":"array","description":"Array(1000000001)","objectId":"1","preview":{"type":"object","subtype":"array","description":"Array(1000000001)","overflow":false,"properties":[{"name":"1000000000","type":"number","value":"1"}]}}]}`, `[log] page: [empty × 100, 1, …]`},
		{"an unknown type", "Runtime.consoleAPICalled", `{"type":"log","args":[{"type":"tuple"}]}`, `[log] page: tuple`},
		{"wrong types", "Runtime.consoleAPICalled", `{"type":"log","args":[{"type":"string","value":5},{"type":"boolean","value":"x"},{"type":"number","value":1,"description":""}]}`, `[log] page:  false number`},
		{"a time out of bounds", "Runtime.consoleAPICalled", `{"type":"log","args":[],"timestamp":1e300}`, `[log] page:`},
		{"an exception of nothing", "Runtime.exceptionThrown", `{"exceptionDetails":{}}`, `[error exception] page:`},
		{"an exception without an object", "Runtime.exceptionThrown", `{"exceptionDetails":{"text":"Uncaught SyntaxError: x","url":"http://a/b.js","lineNumber":4,"columnNumber":2}}`, `[error exception] page at http://a/b.js:5:3: Uncaught SyntaxError: x`},
		{"an async stack", "Runtime.consoleAPICalled", `{"type":"trace","args":[],"stackTrace":{"callFrames":[{"functionName":"f","url":"a.js","lineNumber":0,"columnNumber":0}],"parent":{"description":"Promise.then","callFrames":[{"functionName":"g","url":"a.js","lineNumber":1,"columnNumber":1}]}}}`, "[log trace] page at a.js:1:1:\n    at f (a.js:1:1)\n    at Promise.then\n    at g (a.js:2:2)"},
		{"a source of two lines", "Runtime.exceptionThrown", `{"exceptionDetails":{"text":"Uncaught x","url":"a\nok click e1","lineNumber":4,"columnNumber":2}}`, `[error exception] page at a\nok click e1:5:3: Uncaught x`},
		{"mixed content", "Log.entryAdded", `{"entry":{"source":"security","level":"warning","text":"Mixed Content: …","timestamp":1,"url":"https://a/","lineNumber":3}}`, `[warn security] page at https://a/:4: Mixed Content: …`},
		{"a deprecation", "Log.entryAdded", `{"entry":{"source":"deprecation","level":"verbose","text":"old","stackTrace":{"callFrames":[{"functionName":"f","url":"a.js","lineNumber":0,"columnNumber":0}]}}}`, `[debug deprecation] page at a.js:1:1: old`},
		{"an intervention with values", "Log.entryAdded", `{"entry":{"source":"intervention","level":"info","text":"see","args":[{"type":"number","value":5,"description":"5"}]}}`, `[info intervention] page: see 5`},
		{"a source nobody knows", "Log.entryAdded", `{"entry":{"source":"future","level":"future","text":"x"}}`, `[log other] page: x`},
		{"control characters", "Log.entryAdded", `{"entry":{"source":"other","level":"info","text":"\u001b]0;title\u0007\u0000\u009b"}}`, `[info other] page: \x1b]0;title\x07\x00\x9b`},
		{"invisible marks", "Log.entryAdded", `{"entry":{"source":"other","level":"info","text":"a\u200bb\u202ec\udb40\udc49\ue000 👩\u200d💻"}}`, `[info other] page: a\u200bb\u202ec\u{e0049}\ue000 👩` + "\u200d" + `💻`},
		{"formats", "Runtime.consoleAPICalled", `{"type":"log","args":[{"type":"string","value":"%c%s%%%x%"},{"type":"string","value":"css"},{"type":"string","value":"%s"}]}`, `[log] page: %s%%x%`},
	} {
		l := &Log{}
		e := l.read(&record{entry: chrome.ConsoleEntry(c.method, []byte(c.params), nil), context: Context{Kind: "page"}})
		_, got, _ := strings.Cut(e.String(), " ")
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestFill puts together what was told and what was found later: what was told
// stands.
func TestFill(t *testing.T) {
	for _, c := range []struct{ name, told, found, want string }{
		{
			"nested and more", `{"type":"object","description":"Object","overflow":true,"properties":[{"name":"a","type":"number","value":"1"},{"name":"b","type":"object","value":"Object"}]}`,
			`{"t":"o","v":"Object","p":[["a",{"t":"p","v":"2"}],["b",{"t":"o","v":"Object","p":[["c",{"t":"p","v":"3"}]]}],["d",{"t":"s","v":"x"}]]}`,
			`{a: 1, b: {c: 3}, d: "x"}`,
		},
		{
			"another kind by now", `{"type":"object","description":"Object","overflow":false,"properties":[{"name":"a","type":"object","subtype":"array","value":"Array(2)"},{"name":"b","type":"object","value":"Foo"}]}`,
			`{"t":"o","v":"Object","p":[["a",{"t":"p","v":"null"}],["b",{"t":"o","v":"Bar","p":[["c",{"t":"p","v":"3"}]]}]]}`,
			`{a: […], b: Foo {…}}`,
		},
		{
			"gone by now", `{"type":"object","description":"Object","overflow":true,"properties":[{"name":"a","type":"object","value":"Object"}]}`,
			`{"t":"o","v":"Object","p":[]}`, `{a: {…}, …}`,
		},
		{
			"another text by now", `{"type":"object","description":"Object","overflow":false,"properties":[{"name":"a","type":"string","value":"` + strings.Repeat("x", 49) + `…` + strings.Repeat("x", 50) + `"}]}`,
			`{"t":"o","v":"Object","p":[["a",{"t":"s","v":"short"}]]}`, `{a: "` + strings.Repeat("x", 49) + `…` + strings.Repeat("x", 50) + `"}`,
		},
		{
			"a text that was cut", `{"type":"object","description":"Object","overflow":false,"properties":[{"name":"a","type":"string","value":"` + strings.Repeat("x", 49) + `…` + strings.Repeat("x", 50) + `"}]}`,
			`{"t":"o","v":"Object","p":[["a",{"t":"s","v":"` + strings.Repeat("x", 120) + `","m":true}]]}`, `{a: "` + strings.Repeat("x", 120) + `"…}`,
		},
		{"nonsense", `{"type":"object","description":"Object","overflow":true,"properties":[]}`, `[1,{"t":"o","p":5}]`, `{…}`},
		{"more nonsense", `{"type":"object","description":"Object","overflow":true,"properties":[]}`, `{"t":"o","v":"Object","p":[[1],["a"],[{"t":"s","v":"k"},7],["b",{"t":"?"}]]}`, `{"k" => …, b: …}`},
	} {
		var node any
		if err := wire.Unmarshal([]byte(c.found), &node); err != nil {
			t.Fatal(err)
		}
		call := `{"type":"log","args":[{"type":"object","className":"Object","objectId":"1","preview":` + c.told + `}]}`
		l := &Log{}
		e := l.read(&record{entry: chrome.ConsoleEntry("Runtime.consoleAPICalled", []byte(call), map[int]any{0: node})})
		if e.Text != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, e.Text, c.want)
		}
	}
}

// FuzzRead reads whatever comes as an event, with whatever was found.
func FuzzRead(f *testing.F) {
	f.Add("Runtime.consoleAPICalled", []byte(`{"type":"table","args":[{"type":"object","subtype":"array","description":"Array(2)","objectId":"1","preview":{"type":"object","subtype":"array","description":"Array(2)","overflow":false,"properties":[{"name":"0","type":"object","value":"Object","valuePreview":{"type":"object","description":"Object","overflow":false,"properties":[{"name":"a","type":"number","value":"1"}]}},{"name":"9","type":"string","value":"x"}]}}],"executionContextId":3,"timestamp":1,"stackTrace":{"callFrames":[{"functionName":"f","url":"a.js","lineNumber":1,"columnNumber":2}]}}`), []byte(`{"t":"a","v":"Array","n":2,"p":[["",{"t":"h"}],["",{"t":"e","v":"Error: x\n    at a.js:1:2"}]]}`))
	f.Add("Runtime.exceptionThrown", []byte(`{"timestamp":1,"exceptionDetails":{"exceptionId":1,"text":"Uncaught","lineNumber":1,"columnNumber":1,"url":"a.js","exception":{"type":"object","subtype":"error","className":"Error","description":"Error: x\n    at f (a.js:1:1)\n    at g (a.js:2:2)","objectId":"1","preview":{"type":"object","subtype":"error","description":"","overflow":true,"properties":[{"name":"cause","type":"object","subtype":"error","value":"Error: y"}]}},"executionContextId":5}}`), []byte(`{"t":"e","v":"Error: x","p":[["cause",{"t":"e","v":"Error: y\n    at z"}]]}`))
	f.Add("Log.entryAdded", []byte(`{"entry":{"source":"network","level":"error","text":"t","url":"u","lineNumber":1,"args":[{"type":"object","subtype":"map","description":"Map(1)","preview":{"type":"object","subtype":"map","description":"Map(1)","entries":[{"key":{"type":"string","description":"k"},"value":{"type":"object","subtype":"set","description":"Set(1)"}}]}}]}}`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, method string, params, answer []byte) {
		var node any
		_ = wire.Unmarshal(answer, &node)
		l := &Log{}
		e := l.read(&record{entry: chrome.ConsoleEntry(method, params, map[int]any{0: node}), context: Context{Kind: "page"}})
		if e.Level == "" {
			t.Errorf("an entry without a level: %+v", e)
		}
		_ = e.String()
	})
}
