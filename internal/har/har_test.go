package har_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"rove/internal/har"
	"rove/internal/testkit"
)

const schema = "testdata/har-1.2.schema.json"

func TestWrite(t *testing.T) {
	at := har.Time(time.Date(2026, 3, 4, 5, 6, 7, 8_900_000, time.FixedZone("", 3600)))
	full := &har.Entry{
		Page: "page_1", Started: at, Time: 12.3456789, ServerIPAddress: "127.0.0.1", Connection: "17",
		Request: har.Request{
			Method: "POST", URL: "http://x.example/?a=1", HTTPVersion: "http/1.1",
			Cookies: []har.Cookie{{Name: "a", Value: "b", Expires: &at}}, Headers: []har.Pair{{"A", "b"}}, QueryString: []har.Pair{{"a", "1"}},
			PostData: &har.PostData{MIMEType: "text/plain", Text: "half a pair: \xff"}, HeadersSize: -1, BodySize: 3,
		},
		Response: har.Response{Status: 200, Content: har.Content{Size: 2, MIMEType: "text/plain", Text: "ok"}, HeadersSize: -1, BodySize: 2},
		Timings:  har.Timings{Blocked: -1, DNS: -1, Connect: -1, Send: 1, Wait: 10, Receive: 1, TLS: -1},

		WebSocketMessages: []har.SocketMessage{{Type: "send", Time: 1794728982.874358, Opcode: 1, Data: "hi"}},
	}
	odd := &har.Entry{Started: har.Time(time.Unix(1<<60, 0)), Timings: har.Timings{Send: -1, Wait: har.Millis(math.Inf(1)), Receive: har.Millis(math.NaN())}}
	pages := []har.Page{{Started: at, ID: "page_1", Title: "One", Timings: har.PageTimings{OnContentLoad: 5, OnLoad: -1}}, {Started: at, ID: "page_2"}}

	for name, c := range map[string]struct {
		log     har.Log
		entries []*har.Entry
		want    []string
	}{
		"empty":   {want: []string{`"pages":[]`, `"entries":[`, `"version":"1.2"`}},
		"full":    {har.Log{Browser: har.Name{Name: "b", Version: "1"}, Pages: pages, Comment: "c"}, []*har.Entry{full}, []string{`"startedDateTime":"2026-03-04T04:06:07.008Z"`, `"time":12.345679`, "1794728982.874358", "\ufffd", `"pageref":"page_1"`}},
		"several": {har.Log{Pages: pages[:1]}, []*har.Entry{full, full, odd}, []string{`"wait":-1`, "1970-01-01"}},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := har.Write(&b, c.log, slices.Values(c.entries)); err != nil {
				t.Fatal(err)
			}
			v := testkit.CheckHAR(t, schema, b.Bytes())
			if n := len(v["log"].(map[string]any)["entries"].([]any)); n != len(c.entries) {
				t.Errorf("%d entries, want %d", n, len(c.entries))
			}
			for _, want := range c.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("no %s in %s", want, b.String())
				}
			}
		})
	}
}

// The schema must be able to say no, or the tests above say nothing.
func TestSchemaRefuses(t *testing.T) {
	var b bytes.Buffer
	if err := har.Write(&b, har.Log{}, slices.Values([]*har.Entry{{Time: 5}})); err != nil {
		t.Fatal(err)
	}
	inner := &testing.T{}
	done := make(chan bool)
	go func() {
		defer close(done)
		testkit.CheckHAR(inner, schema, bytes.Replace(b.Bytes(), []byte(`"timings"`), []byte(`"timing"`), 1))
	}()
	<-done
	if !inner.Failed() {
		t.Error("an entry without timings passed")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteFails(t *testing.T) {
	big := &har.Entry{Comment: strings.Repeat("x", 10000)}
	if err := har.Write(broken{}, har.Log{}, slices.Values([]*har.Entry{big})); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("got %v", err)
	}
}

func TestTotal(t *testing.T) {
	if got := (har.Timings{Blocked: 1, DNS: -1, Connect: 4, TLS: 3, Send: 1, Wait: 2, Receive: 3}).Total(); got != 11 {
		t.Errorf("got %v, want 11: TLS is a part of connect, -1 is nothing", got)
	}
}

func FuzzWrite(f *testing.F) {
	f.Add("GET", "http://x.example/", "text", int64(5), 1.5)
	f.Add("\xff", "\u2028</script>", `{"a":"\ud800"}`, int64(-1), math.Inf(-1))
	f.Fuzz(func(t *testing.T, method, url, text string, n int64, ms float64) {
		e := &har.Entry{
			Started: har.Time(time.Unix(n, n)), Time: har.Millis(ms),
			Request:  har.Request{Method: method, URL: url, Headers: []har.Pair{{method, text}}, PostData: &har.PostData{MIMEType: url, Text: text}},
			Response: har.Response{Status: int(n), StatusText: text, Content: har.Content{Size: n, Text: text}},

			EventSourceMessages: []har.EventMessage{{Time: har.Seconds(ms), Event: method, Data: text}},
		}
		var b bytes.Buffer
		if err := har.Write(&b, har.Log{Comment: text, Pages: []har.Page{{Title: text, ID: url}}}, slices.Values([]*har.Entry{e, e})); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(b.Bytes()) {
			t.Fatalf("not JSON: %q", b.String())
		}
	})
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"as Chrome writes it", `{"log":{"version":"1.2","pages":[],"entries":[{"_initiator":{"type":"script","stack":{"callFrames":[]}},"_priority":"High","_resourceType":"fetch","cache":{},"request":{"method":"POST","url":"http://a/b","headers":[{"name":"X","value":"1"}],"postData":{"mimeType":"multipart/form-data; boundary=x","params":[{"name":"f","fileName":"a.txt","contentType":"text/plain"}]}},"response":{"status":201,"cookies":[{"name":"s","value":"1","expires":""}],"content":{"size":2,"mimeType":"application/json","text":"{}"}},"startedDateTime":"2026-01-02T03:04:05.678+01:00","time":12.5}]}}`, "POST http://a/b fetch 201 {} 1 f a.txt"},
		{"numbers in quotes, what is missing is null", `{"log":{"entries":[{"startedDateTime":null,"time":null,"request":{"method":"get","url":"http://a/","headers":null,"cookies":{}},"response":{"status":"200","headers":"none","content":null}}]}}`, "GET http://a/  200  0"},
		{"with a mark at the beginning", "\xef\xbb\xbf" + `{"log":{"entries":[{"request":{"url":"http://a/"},"response":{}}]}}`, " http://a/  0  0"},
	} {
		entries, err := har.Read(strings.NewReader(c.text))
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: %d entries, %v", c.name, len(entries), err)
			continue
		}
		e := entries[0]
		got := fmt.Sprint(e.Request.Method, " ", e.Request.URL, " ", e.ResourceType, " ", e.Response.Status, " ", e.Response.Content.Text, " ", len(e.Response.Cookies))
		if p := e.Request.PostData; p != nil {
			got += " " + p.Params[0].Name + " " + p.Params[0].FileName
		}
		if got != c.want {
			t.Errorf("%s: %q, expected %q", c.name, got, c.want)
		}
	}
	for _, text := range []string{"", "[]", "{}", `{"log":{}}`, `{"log":{"entries":[{"request":{}}]}}`, `{"log":{"entries":[1]}}`} {
		if _, err := har.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "HAR") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzRead reads anything, and what it read can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"log":{"entries":[{"request":{"method":"GET","url":"http://a/"},"response":{"status":200}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := har.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := har.Write(&b, har.Log{}, slices.Values(entries)); err != nil {
			t.Fatal(err)
		}
		again, err := har.Read(&b)
		if err != nil || len(again) != len(entries) {
			t.Errorf("%d entries, %d when read again: %v", len(entries), len(again), err)
		}
	})
}
