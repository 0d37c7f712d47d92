package network_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/network"
)

var tab = &chrome.Source{Source: backend.Source{Kind: "page", ID: "T", Tab: "T"}}

// told gives what takes protocol events for a log.
func told(l *network.Log) func(*chrome.Source, cdp.Event) {
	event, _ := chrome.Tell(backend.ObserveTraffic, l.Event)
	return event
}

// feed gives a log events in the order method, params, method, params …
func feed(l *network.Log, events ...string) {
	for i := 0; i+1 < len(events); i += 2 {
		told(l)(tab, cdp.Event{Method: "Network." + events[i], Params: []byte(events[i+1])})
	}
}

// load is the events of one request that is done.
func load(l *network.Log, n int) {
	feed(l,
		"requestWillBeSent", fmt.Sprintf(`{"requestId":"1.%d","request":{"url":"http://x.example/%d","method":"GET","headers":{}},"timestamp":%d,"wallTime":1794728900,"type":"Fetch","frameId":"T"}`, n, n, 100+n),
		"responseReceived", fmt.Sprintf(`{"requestId":"1.%d","timestamp":%d,"type":"Fetch","response":{"url":"http://x.example/%d","status":200,"headers":{},"mimeType":"text/plain","encodedDataLength":10,"remoteIPAddress":"192.0.2.1"}}`, n, 100+n, n),
		"dataReceived", fmt.Sprintf(`{"requestId":"1.%d","timestamp":%d,"dataLength":5,"encodedDataLength":5}`, n, 100+n),
		"loadingFinished", fmt.Sprintf(`{"requestId":"1.%d","timestamp":%d,"encodedDataLength":15}`, n, 100+n),
	)
}

func all(t testing.TB, l *network.Log, f network.Filter) []network.Request {
	t.Helper()
	found, err := l.Requests(f)
	if err != nil {
		t.Fatal(err)
	}
	return found.Requests
}

func numbers(list []network.Request) []int {
	var ns []int
	for _, q := range list {
		ns = append(ns, q.Number)
	}
	return ns
}

func TestRingIsBounded(t *testing.T) {
	l := network.New(network.Limits{Requests: 10})
	for n := range 25 {
		load(l, n)
	}
	found, err := l.Requests(network.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if got := numbers(found.Requests); !slices.Equal(got, []int{16, 17, 18, 19, 20, 21, 22, 23, 24, 25}) || found.Dropped != 15 {
		t.Errorf("kept %v, dropped %d", got, found.Dropped)
	}
	if _, err := l.Body(context.Background(), 3, 0); !errors.Is(err, network.ErrNoBody) || !strings.Contains(err.Error(), "cleared, or dropped") {
		t.Errorf("body of a dropped request: %v", err)
	}
}

func TestBytesAreBounded(t *testing.T) {
	l := network.New(network.Limits{Bytes: 4000})
	for n := range 50 {
		load(l, n)
	}
	got := numbers(all(t, l, network.Filter{}))
	if len(got) < 3 || len(got) > 20 || got[len(got)-1] != 50 {
		t.Errorf("kept %v", got)
	}
}

// A request that lasts is kept while those that are over go.
func TestOpenRequestsStay(t *testing.T) {
	l := network.New(network.Limits{Requests: 5})
	feed(l, "webSocketCreated", `{"requestId":"9.9","url":"ws://x.example/"}`)
	for n := range 20 {
		load(l, n)
	}
	if got := numbers(all(t, l, network.Filter{})); !slices.Equal(got, []int{1, 18, 19, 20, 21}) {
		t.Errorf("kept %v", got)
	}
	// Even so, requests that never end do not fill it up.
	for n := range 20 {
		feed(l, "webSocketCreated", fmt.Sprintf(`{"requestId":"8.%d","url":"ws://x.example/"}`, n))
	}
	if got := numbers(all(t, l, network.Filter{})); len(got) != 5 {
		t.Errorf("kept %v", got)
	}
}

func TestMessagesAreBounded(t *testing.T) {
	l := network.New(network.Limits{Messages: 3})
	feed(l, "webSocketCreated", `{"requestId":"1.1","url":"ws://x.example/"}`)
	for n := range 1000 {
		feed(l, "webSocketFrameReceived", fmt.Sprintf(`{"requestId":"1.1","timestamp":%d,"response":{"opcode":1,"payloadData":"m%d"}}`, n, n))
	}
	q := all(t, l, network.Filter{})[0]
	if len(q.Messages) != 3 || q.MessageCount != 1000 || q.Messages[2].Data != "m999" || q.Messages[0].Data != "m997" {
		t.Errorf("%d messages of %d: %+v", len(q.Messages), q.MessageCount, q.Messages)
	}
	feed(l, "webSocketFrameReceived", `{"requestId":"1.1","timestamp":1,"response":{"opcode":1,"payloadData":"`+strings.Repeat("é", 1<<20)+`"}}`)
	q = all(t, l, network.Filter{})[0]
	if n := len(q.Messages[len(q.Messages)-1].Data); n < 10_000 || n > 20_000 {
		t.Errorf("a message of 2 MiB is kept with %d bytes", n)
	}
}

// A huge body or header is cut before it is kept.
func TestLargeEventsAreCut(t *testing.T) {
	l := network.New(network.Limits{})
	big := strings.Repeat("x", 1<<20)
	feed(l, "requestWillBeSent", `{"requestId":"1.1","request":{"url":"http://x.example/?`+big+`","method":"POST","headers":{"A":"`+big+`"},"postData":"`+big+`","hasPostData":true},"timestamp":1,"wallTime":1794728900,"type":"Fetch",
		"initiator":{"type":"script","stack":{"callFrames":[{"functionName":"`+big+`","url":"http://x.example/a.js","lineNumber":3}],"parent":{"callFrames":[{"url":"`+big+`"}]}}}}`)
	q := all(t, l, network.Filter{})[0]
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 100_000 {
		t.Errorf("%d bytes are kept", len(text))
	}
	if q.Sent == nil || q.Sent.Size != 1<<20 || q.Sent.Note == "" || q.Initiator.Line != 4 {
		t.Errorf("sent %+v, initiator %+v", q.Sent, q.Initiator)
	}
}

func TestClear(t *testing.T) {
	l := network.New(network.Limits{})
	load(l, 1)
	feed(l, "requestWillBeSent", `{"requestId":"2.1","request":{"url":"http://x.example/open","method":"GET"},"timestamp":5,"wallTime":1794728900,"type":"Fetch"}`)
	if n := l.Clear(); n != 2 {
		t.Errorf("cleared %d, want 2", n)
	}
	// What comes of those that were cleared is not told.
	feed(l, "responseReceived", `{"requestId":"2.1","timestamp":6,"response":{"url":"http://x.example/open","status":200}}`,
		"responseReceivedExtraInfo", `{"requestId":"2.1","headers":{},"statusCode":200}`,
		"loadingFinished", `{"requestId":"2.1","timestamp":6}`)
	if got := all(t, l, network.Filter{}); len(got) != 0 {
		t.Errorf("there is %v", numbers(got))
	}
	load(l, 3)
	if got := numbers(all(t, l, network.Filter{})); !slices.Equal(got, []int{3}) {
		t.Errorf("numbers %v: one was used again", got)
	}
}

func TestMark(t *testing.T) {
	l := network.New(network.Limits{})
	load(l, 1)
	unmark := l.Mark("act 3")
	load(l, 2)
	again := l.Mark("go 4")
	unmark() // late: somebody else is at it
	load(l, 3)
	again()
	load(l, 4)
	var causes []string
	for _, q := range all(t, l, network.Filter{}) {
		causes = append(causes, q.Cause)
	}
	if !slices.Equal(causes, []string{"", "act 3", "go 4", ""}) {
		t.Errorf("%q", causes)
	}
}

func TestFilter(t *testing.T) {
	l := network.New(network.Limits{})
	for i, c := range []struct{ url, kind, status, end string }{
		{"http://x.example/", "Document", "200", ""},
		{"http://x.example/api/users", "Fetch", "404", ""},
		{"http://x.example/api/Items?a=b", "XHR", "500", ""},
		{"http://y.example/pic.png", "Image", "304", ""},
		{"http://z.invalid/", "Fetch", "", "net::ERR_NAME_NOT_RESOLVED"},
		{"http://x.example/gone", "Fetch", "", "net::ERR_ABORTED"},
		{"http://x.example/open", "Fetch", "", "-"},
	} {
		id := fmt.Sprintf("1.%d", i)
		feed(l, "requestWillBeSent", fmt.Sprintf(`{"requestId":%q,"request":{"url":%q,"method":"GET"},"timestamp":5,"wallTime":1794728900,"type":%q}`, id, c.url, c.kind))
		if c.status != "" {
			feed(l, "responseReceived", fmt.Sprintf(`{"requestId":%q,"timestamp":6,"type":%q,"response":{"url":%q,"status":%s,"remoteIPAddress":"192.0.2.1"}}`, id, c.kind, c.url, c.status))
		}
		if c.end == "" {
			feed(l, "loadingFinished", fmt.Sprintf(`{"requestId":%q,"timestamp":6,"encodedDataLength":5}`, id))
		} else if c.end != "-" {
			feed(l, "loadingFailed", fmt.Sprintf(`{"requestId":%q,"timestamp":6,"errorText":%q,"canceled":%v}`, id, c.end, strings.HasSuffix(c.end, "ABORTED")))
		}
	}
	for _, c := range []struct {
		f    network.Filter
		want []int
	}{
		{network.Filter{}, []int{1, 2, 3, 4, 5, 6, 7}},
		{network.Filter{URL: "/API/"}, []int{2, 3}},
		{network.Filter{URL: "*x.example/*"}, []int{1, 2, 3, 6, 7}},
		{network.Filter{URL: "http://x.example/api/*"}, []int{2, 3}},
		{network.Filter{URL: "api/*"}, nil}, // the whole address
		{network.Filter{URL: "?a="}, []int{3}},
		{network.Filter{Type: "fetch, XHR"}, []int{2, 3, 5, 6, 7}},
		{network.Filter{Status: "404"}, []int{2}},
		{network.Filter{Status: "4xx,5xx"}, []int{2, 3}},
		{network.Filter{Status: "ok"}, []int{1, 4}},
		{network.Filter{Status: "failed"}, []int{5}},
		{network.Filter{Status: "cancelled"}, []int{6}},
		{network.Filter{Status: "pending"}, []int{7}},
		{network.Filter{Status: "failed,4xx", Type: "fetch"}, []int{2, 5}},
		{network.Filter{Limit: 2}, []int{6, 7}},
		{network.Filter{Number: 3}, []int{3}},
		{network.Filter{After: 5}, []int{6, 7}},
		{network.Filter{Source: "Network"}, []int{1, 2, 3, 4}},
	} {
		if got := numbers(all(t, l, c.f)); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.f, got, c.want)
		}
	}
	for _, c := range []struct {
		f    network.Filter
		want string
	}{
		{network.Filter{Type: "fetsch"}, "there is no type \"fetsch\": say document, stylesheet"},
		{network.Filter{Status: "4x"}, "there is no status \"4x\": say a status such as 404"},
		{network.Filter{Status: "99999"}, "there is no status"},
		{network.Filter{Source: "cache"}, "there is no source \"cache\": say network, service worker"},
		{network.Filter{Limit: -1}, "limit is how many"},
	} {
		if _, err := l.Requests(c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.f, err, c.want)
		}
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct{ event, kind, text string }{
		{`"errorText":"net::ERR_NAME_NOT_RESOLVED"`, "dns", "no such host"},
		{`"errorText":"net::ERR_DNS_TIMED_OUT"`, "dns", "looked up"},
		{`"errorText":"net::ERR_CONNECTION_REFUSED"`, "refused", "nothing listens"},
		{`"errorText":"net::ERR_CONNECTION_RESET"`, "reset", "reset"},
		{`"errorText":"net::ERR_CERT_DATE_INVALID"`, "tls", "expired"},
		{`"errorText":"net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH"`, "tls", "secure connection"},
		{`"errorText":"net::ERR_CONNECTION_TIMED_OUT"`, "timeout", "timed out while connecting"},
		{`"errorText":"net::ERR_TIMED_OUT"`, "timeout", "timed out"},
		{`"errorText":"net::ERR_INTERNET_DISCONNECTED"`, "offline", "offline"},
		{`"errorText":"net::ERR_ABORTED","canceled":true`, "aborted", "aborted"},
		{`"errorText":"net::ERR_BLOCKED_BY_CLIENT","blockedReason":"inspector"`, "blocked", "interception"},
		{`"errorText":"","blockedReason":"csp"`, "csp", "Content-Security-Policy"},
		{`"errorText":"","blockedReason":"mixed-content"`, "mixed-content", "mixed content"},
		{`"errorText":"","blockedReason":"brand-new-reason"`, "blocked", "brand new reason"},
		{`"errorText":"net::ERR_FAILED","corsErrorStatus":{"corsError":"AllowOriginMismatch","failedParameter":"http://a.example"}`, "cors", `another origin: "http://a.example"`},
		{`"errorText":"net::ERR_FAILED","corsErrorStatus":{"corsError":"PreflightMissingAllowOriginHeader","failedParameter":""}`, "cors", "the preflight: the answer has no Access-Control-Allow-Origin"},
		{`"errorText":"net::ERR_FAILED","corsErrorStatus":{"corsError":"PreflightInvalidStatus","failedParameter":""}`, "cors", "not answered with success"},
		{`"errorText":"net::ERR_FAILED","corsErrorStatus":{"corsError":"BrandNewReason","failedParameter":"x"}`, "cors", `brand new reason: "x"`},
		{`"errorText":"net::ERR_SOMETHING_NEW"`, "other", "something new"},
		{`"errorText":""`, "other", "no reason"},
	} {
		l := network.New(network.Limits{})
		feed(l, "requestWillBeSent", `{"requestId":"1","request":{"url":"http://x.example/","method":"GET"},"timestamp":5,"wallTime":1794728900,"type":"Fetch"}`,
			"loadingFailed", `{"requestId":"1","timestamp":6,`+c.event+`}`)
		q := all(t, l, network.Filter{})[0]
		if q.Failure == nil || q.Failure.Kind != c.kind || !strings.Contains(q.Failure.Text, c.text) {
			t.Errorf("%s: %+v, want %s, %s", c.event, q.Failure, c.kind, c.text)
		}
		if want := map[bool]string{true: network.Cancelled, false: network.Failed}[c.kind == "aborted"]; q.State != want {
			t.Errorf("%s: %s, want %s", c.event, q.State, want)
		}
	}
}

func TestPolicyIsNamed(t *testing.T) {
	l := network.New(network.Limits{})
	l.Refuses = func(url string) error {
		if strings.Contains(url, "evil") {
			return errors.New("evil.example is not allowed")
		}
		return nil
	}
	for i, url := range []string{"http://evil.example/", "http://x.example/"} {
		feed(l, "requestWillBeSent", fmt.Sprintf(`{"requestId":"%d","request":{"url":%q,"method":"GET"},"timestamp":5,"wallTime":1794728900,"type":"Document"}`, i, url),
			"loadingFailed", fmt.Sprintf(`{"requestId":"%d","timestamp":6,"errorText":"net::ERR_ABORTED","canceled":true}`, i))
	}
	got := all(t, l, network.Filter{})
	if q := got[0]; q.State != network.Failed || q.Failure.Kind != "policy" || !strings.Contains(q.Failure.Text, "evil.example is not allowed") {
		t.Errorf("%s %+v", q.State, q.Failure)
	}
	if q := got[1]; q.State != network.Cancelled || q.Failure.Kind != "aborted" {
		t.Errorf("%s %+v", q.State, q.Failure)
	}
}

func TestBodyRefusals(t *testing.T) {
	l := network.New(network.Limits{})
	feed(l, "requestWillBeSent", `{"requestId":"1","request":{"url":"http://x.example/","method":"GET"},"timestamp":5,"type":"Fetch"}`,
		"requestWillBeSent", `{"requestId":"1","request":{"url":"http://x.example/2","method":"GET"},"timestamp":6,"type":"Fetch","redirectResponse":{"url":"http://x.example/","status":302}}`,
		"webSocketCreated", `{"requestId":"2","url":"ws://x.example/"}`)
	for n, want := range map[int]string{1: "redirected to 2", 2: "not been answered", 3: "a socket", 4: "there is no request 4; there are 1 to 3", -1: "there is no request"} {
		if _, err := l.Body(context.Background(), n, 0); !errors.Is(err, network.ErrNoBody) || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v, want %s", n, err, want)
		}
	}
}

// FuzzEvents holds that whatever a browser says, it is read without a panic and
// the archive of it is JSON.
func FuzzEvents(f *testing.F) {
	methods := []string{
		"requestWillBeSent", "requestWillBeSentExtraInfo", "requestServedFromCache", "responseReceived", "responseReceivedExtraInfo", "dataReceived", "loadingFinished", "loadingFailed",
		"eventSourceMessageReceived", "webSocketCreated", "webSocketWillSendHandshakeRequest", "webSocketHandshakeResponseReceived", "webSocketFrameSent", "webSocketFrameError", "webSocketClosed",
	}
	f.Add([]byte(`{"requestId":"1","request":{"url":"http://x.example/?a=b","method":"GET","headers":{"Cookie":"a=b; c"},"postData":"a=%ff","hasPostData":true},"timestamp":1e300,"wallTime":-5}`), byte(0), []byte(`{"requestId":"1","timestamp":-1e300,"response":{"status":200,"headers":{"Set-Cookie":"a=b; expires=x\nc"},"timing":{"requestTime":1e-300,"sendStart":1e308}},"hasExtraInfo":true}`), byte(3))
	f.Add([]byte(`{"requestId":"1","url":"ws://x"}`), byte(9), []byte(`{"requestId":"1","timestamp":5,"response":{"opcode":1e9,"payloadData":"\ud800"}}`), byte(12))
	f.Add([]byte(`{"requestId":"\u0031"}`), byte(1), []byte(`[]`), byte(7))
	f.Fuzz(func(t *testing.T, one []byte, first byte, two []byte, second byte) {
		l := network.New(network.Limits{Requests: 5, Bytes: 1 << 16})
		for range 2 {
			feed(l, methods[int(first)%len(methods)], string(one), methods[int(second)%len(methods)], string(two), "loadingFinished", `{"requestId":"1","timestamp":5}`)
		}
		found, err := l.Requests(network.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range found.Requests {
			if line := found.Requests[i].Line(); strings.ContainsAny(line, "\n\r\x1b") {
				t.Errorf("%q", line)
			}
		}
		var b bytes.Buffer
		if err := l.HAR(context.Background(), &b, network.HAROptions{}); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(b.Bytes()) {
			t.Errorf("not JSON: %q", b.String())
		}
	})
}

// What a page says cannot pass for a line of rove's, nor hide in one.
func TestLineIsOneLine(t *testing.T) {
	l := network.New(network.Limits{})
	feed(l, "requestWillBeSent", `{"requestId":"1","request":{"url":"http://x.example/\n99 GET 200 fetch","method":"GET"},"timestamp":5,"wallTime":1794728900,"type":"Fetch",
		"initiator":{"type":"script","stack":{"callFrames":[{"functionName":"f\" | all is well\n\u202e","url":"http://x.example/a.js\u200b","lineNumber":1}]}}}`,
		"loadingFailed", `{"requestId":"1","timestamp":6,"errorText":"net::ERR_FAILED","corsErrorStatus":{"corsError":"AllowOriginMismatch","failedParameter":"x\ny\u2028\" z"}}`)
	line := all(t, l, network.Filter{})[0].Line()
	if strings.ContainsAny(line, "\n\u2028\u200b\u202e") || !strings.Contains(line, `in "f\" | all is well`) || !strings.Contains(line, `: "x\ny`) {
		t.Errorf("%q", line)
	}
}

func BenchmarkEvents(b *testing.B) {
	l := network.New(network.Limits{})
	for n := range b.N {
		load(l, n)
	}
}

// bodies is a browser that gives every body, and counts how often it is asked.
type bodies struct {
	asked atomic.Int32
	hold  chan struct{} // until it is closed, none is there
}

func (b *bodies) Body(context.Context, string) ([]byte, error) { return []byte("12345"), nil }

func (b *bodies) StartBody(string) func(context.Context) ([]byte, error) {
	b.asked.Add(1)
	return func(ctx context.Context) ([]byte, error) {
		if b.hold != nil {
			<-b.hold
		}
		return b.Body(ctx, "")
	}
}

// Each answer is asked for once and as it comes, and of a flood of them only so many at a
// time.
func TestAnswersAreAskedForOnce(t *testing.T) {
	var b bodies
	tab.Bodies = &b
	defer func() { tab.Bodies = nil }()
	l := network.New(network.Limits{Answers: 1 << 20})
	for n := 1; n <= 3; n++ {
		load(l, n)
		load(l, n)
		if got := b.asked.Load(); got != int32(n) {
			t.Errorf("%d bodies were asked for, want %d", got, n)
		}
	}
	l.Stop()
	b.hold = make(chan struct{})
	b.asked.Store(0)
	l = network.New(network.Limits{Answers: 1 << 20})
	for n := range 500 {
		load(l, n)
	}
	if got := b.asked.Load(); got != 100 {
		t.Errorf("%d bodies were asked for at a time, want 100", got)
	}
	close(b.hold)
	l.Stop()
}
