package wire

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/google/go-cmp/cmp"
)

// messages are well-formed; fast says which of them Chrome would write.
var messages = []struct {
	name string
	msg  string
	fast bool
	want Envelope
}{
	{"reply", `{"id":7,"result":{"a":[1,{"b":"}"}]}}`, true, Envelope{ID: 7, Body: []byte(`{"a":[1,{"b":"}"}]}`)}},
	{"empty reply", `{"id":7,"result":{}}`, true, Envelope{ID: 7, Body: []byte(`{}`)}},
	{"reply of a session", `{"id":123456789012345678,"result":{},"sessionId":"7E3CB5AD"}`, true, Envelope{ID: 123456789012345678, Session: "7E3CB5AD", Body: []byte(`{}`)}},
	{"largest id", `{"id":9223372036854775807,"result":{}}`, false, Envelope{ID: math.MaxInt64, Body: []byte(`{}`)}},
	{"failure", `{"id":5,"error":{"code":-32601,"message":"'Foo.enable' wasn't found"},"sessionId":"A"}`, true, Envelope{ID: 5, Session: "A", Failed: true, Body: []byte(`{"code":-32601,"message":"'Foo.enable' wasn't found"}`)}},
	{"failure without id", `{"error":{"code":-32700,"message":"JSON"}}`, false, Envelope{Failed: true, Body: []byte(`{"code":-32700,"message":"JSON"}`)}},
	{"event", `{"method":"Page.frameNavigated","params":{"frame":{}},"sessionId":"A"}`, true, Envelope{Method: "Page.frameNavigated", Session: "A", Body: []byte(`{"frame":{}}`)}},
	{"event that names a session", `{"method":"Target.attachedToTarget","params":{"waiting":{},"sessionId":"INNER"}}`, true, Envelope{Method: "Target.attachedToTarget", Body: []byte(`{"waiting":{},"sessionId":"INNER"}`)}},
	{"event without params", `{"method":"Inspector.detached"}`, false, Envelope{Method: "Inspector.detached"}},
	{"reply without result", `{"id":3}`, false, Envelope{ID: 3}},
	{"session first", `{"sessionId":"A","id":3,"result":{}}`, false, Envelope{ID: 3, Session: "A", Body: []byte(`{}`)}},
	{"session in the middle", `{"id":3,"sessionId":"A","result":{}}`, false, Envelope{ID: 3, Session: "A", Body: []byte(`{}`)}},
	{"result before id", `{"result":{"x":1},"id":3}`, false, Envelope{ID: 3, Body: []byte(`{"x":1}`)}},
	{"member after the session", `{"method":"A.b","params":{},"sessionId":"S","extra":{}}`, false, Envelope{Method: "A.b", Session: "S", Body: []byte(`{}`)}},
	{"member before the session", `{"id":3,"result":{},"extra":{},"sessionId":"S"}`, false, Envelope{ID: 3, Session: "S", Body: []byte(`{}`)}},
	{"spaces", " { \"id\" : 3 , \"result\" : { } }\n", false, Envelope{ID: 3, Body: []byte(`{ }`)}},
	{"space in the body", `{"id":3,"result":{ "a" : "\\" }}`, true, Envelope{ID: 3, Body: []byte(`{ "a" : "\\" }`)}},
	{"escaped session", `{"id":3,"result":{},"sessionId":"\u0041"}`, false, Envelope{ID: 3, Session: "A", Body: []byte(`{}`)}},
	{"escaped method", `{"method":"A\u002eb","params":{}}`, false, Envelope{Method: "A.b", Body: []byte(`{}`)}},
	{"null session", `{"id":3,"result":{},"sessionId":null}`, false, Envelope{ID: 3, Body: []byte(`{}`)}},
	{"result that is no object", `{"id":3,"result":[1]}`, false, Envelope{ID: 3, Body: []byte(`[1]`)}},
	{"quotes and backslashes", `{"id":3,"result":{"a":"\\\"}{","b\\":"\\\\"},"sessionId":"S"}`, true, Envelope{ID: 3, Session: "S", Body: []byte(`{"a":"\\\"}{","b\\":"\\\\"}`)}},
	{"half surrogate", `{"id":3,"result":{"a":"\ud83d"}}`, true, Envelope{ID: 3, Body: []byte(`{"a":"\ud83d"}`)}},
	{"invalid UTF-8", "{\"method\":\"A.b\",\"params\":{\"a\":\"\xff\"}}", true, Envelope{Method: "A.b", Body: []byte("{\"a\":\"\xff\"}")}},
}

var malformed = []string{
	``, ` `, `{`, `}`, `{}`, `[]`, `null`, `1`, `"id"`, `{"id":}`, `{"id":1`, `{"id":1,`, `{"id":1,"result":{`,
	`{"id":1,"result":{}`, `{"id":1,"result":{}}}`, `{"id":1,"result":{}}{}`, `{"id":1,"result":{}} x`,
	`{"id":0,"result":{}}`, `{"id":-1,"result":{}}`, `{"id":01,"result":{}}`, `{"id":1.5,"result":{}}`,
	`{"id":1e2,"result":{}}`, `{"id":"1","result":{}}`, `{"id":9223372036854775808,"result":{}}`,
	`{"id":1,"id":2,"result":{}}`, `{"id":1,"method":"A.b","params":{}}`, `{"method":""}`, `{"method":7}`,
	`{"method":"A.b","params":{},"sessionId":7}`, `{"method":"A.b","params":{},"sessionId":"A}`,
	`{"method":"A.b","params":{},"sessionId":"A"`, `{"sessionId":"A"}`, `{"params":{}}`,
	`{"id":1,"result":{"a":"}}`, `{"id":1,"result":{"a":"\"}}`, `HTTP/1.1 400 Bad Request`, "\x00",
}

func TestSplit(t *testing.T) {
	for _, c := range messages {
		t.Run(c.name, func(t *testing.T) {
			got, err := Split([]byte(c.msg))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			slow, err := splitSlow([]byte(c.msg))
			if err != nil {
				t.Fatal("slow:", err)
			}
			if diff := cmp.Diff(c.want, slow); diff != "" {
				t.Error("slow:", diff)
			}
			if _, fast := splitFast([]byte(c.msg)); fast != c.fast {
				t.Errorf("taken the fast way: %v, want %v", fast, c.fast)
			}
		})
	}
}

func TestSplitMalformed(t *testing.T) {
	for _, msg := range malformed {
		got, err := Split([]byte(msg))
		if err == nil {
			t.Errorf("%q: split into %+v", msg, got)
			continue
		}
		if !strings.HasPrefix(err.Error(), "wire: malformed message ") {
			t.Errorf("%q: %v", msg, err)
		}
		if len(err.Error()) > 400 {
			t.Errorf("%q: an error of %d bytes", msg, len(err.Error()))
		}
	}
	long := `{"id":` + strings.Repeat("x", 1<<20)
	if _, err := Split([]byte(long)); err == nil || len(err.Error()) > 400 {
		t.Errorf("a long malformed message: an error of %d bytes", len(err.Error()))
	}
}

// The body must not let a handler write over the rest of the message.
func TestSplitBodyCapacity(t *testing.T) {
	for _, c := range messages {
		got, err := Split([]byte(c.msg))
		if err == nil && len(got.Body) != cap(got.Body) {
			t.Errorf("%s: body has spare capacity", c.name)
		}
	}
}

// FuzzSplit holds the fast way against the slow one. They must agree on every
// message the slow way accepts; a message that only the fast way accepts must
// have a body that fails to decode.
func FuzzSplit(f *testing.F) {
	for _, c := range messages {
		f.Add([]byte(c.msg))
	}
	for _, msg := range malformed {
		f.Add([]byte(msg))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		fast, ok := splitFast(msg)
		slow, err := splitSlow(msg)
		if !ok {
			return
		}
		if err == nil {
			if diff := cmp.Diff(slow, fast); diff != "" {
				t.Fatalf("%q:\n%s", msg, diff)
			}
			return
		}
		var v any
		if Unmarshal(fast.Body, &v) == nil {
			t.Fatalf("%q: only the fast way accepts it (%v), and the body decodes", msg, err)
		}
	})
}

func TestAppendCommand(t *testing.T) {
	type point struct {
		X int      `json:"x"`
		L []string `json:"l"`
	}
	yes := true
	for _, c := range []struct {
		name    string
		method  string
		params  any
		session string
		want    string
	}{
		{"bare", "Page.enable", nil, "", `{"id":4,"method":"Page.enable"}`},
		{"session", "Page.enable", nil, "AB", `{"id":4,"method":"Page.enable","sessionId":"AB"}`},
		{"struct", "A.b", point{X: 1}, "AB", `{"id":4,"method":"A.b","params":{"x":1,"l":[]},"sessionId":"AB"}`},
		{"pointer", "A.b", &point{X: 1, L: []string{"<\xff"}}, "", `{"id":4,"method":"A.b","params":{"x":1,"l":["<` + "\ufffd" + `"]}}`},
		{"nil pointer", "A.b", (*point)(nil), "", `{"id":4,"method":"A.b"}`},
		{"map", "A.b", map[string]any{"b": 1, "a": "x"}, "", `{"id":4,"method":"A.b","params":{"a":"x","b":1}}`},
		{"raw", "A.b", json.RawMessage(`{"a":1}`), "", `{"id":4,"method":"A.b","params":{"a":1}}`},
		{"cdproto", "Runtime.evaluate", &runtime.EvaluateParams{Expression: "1", ReturnByValue: &yes}, "", `{"id":4,"method":"Runtime.evaluate","params":{"expression":"1","returnByValue":true}}`},
		{"odd names", "A\"b", nil, "a\\b", `{"id":4,"method":"A\"b","sessionId":"a\\b"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := AppendCommand([]byte("x"), 4, c.method, c.params, c.session)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != "x"+c.want {
				t.Errorf("got  %s\nwant x%s", got, c.want)
			}
		})
	}
	for _, bad := range []any{1, "x", []int{1}, func() {}, make(chan int), json.RawMessage(`{`), map[string]any{"a": math.NaN()}} {
		if got, err := AppendCommand(nil, 1, "A.b", bad, ""); err == nil {
			t.Errorf("%T encoded as %s", bad, got)
		}
	}
}
