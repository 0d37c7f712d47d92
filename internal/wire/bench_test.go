package wire

import (
	stdjson "encoding/json"
	"fmt"
	"strings"
	"testing"
)

// replies that matter: a tree of small objects (an accessibility tree, 300 KB)
// and one long string (a page's text or source).
func treeReply(size int) []byte {
	var b strings.Builder
	b.WriteString(`{"id":12,"result":{"nodes":[`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"nodeId":"%d","ignored":false,"role":{"type":"role","value":"link"},"name":{"type":"computedString","value":"Read \"chapter\" %d \u003C","sources":[]},"childIds":["%d","%d"],"backendDOMNodeId":%d}`, i, i, i+1, i+2, i)
	}
	b.WriteString(`]},"sessionId":"7E3CB5AD4C6A5016AB4C20CB00C0FE1E"}`)
	return []byte(b.String())
}

func stringReply(size int) []byte {
	const html = `\u003Cdiv class=\"row item\" id=\"r12\">Some words of text, as pages have them.\u003C/div>\n`
	return []byte(`{"id":12,"result":{"result":{"type":"string","value":"` + strings.Repeat(html, size/len(html)) + `"}},"sessionId":"7E3CB5AD4C6A5016AB4C20CB00C0FE1E"}`)
}

type axTree struct {
	Nodes []struct {
		NodeID   string   `json:"nodeId"`
		Ignored  bool     `json:"ignored"`
		Role     value    `json:"role"`
		Name     value    `json:"name"`
		ChildIDs []string `json:"childIds"`
		Backend  int64    `json:"backendDOMNodeId"`
	} `json:"nodes"`
}

type value struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type evaluated struct {
	Result value `json:"result"`
}

func BenchmarkSplit(b *testing.B) {
	for _, c := range []struct {
		name string
		msg  []byte
	}{
		{"event", []byte(`{"method":"Network.loadingFinished","params":{"requestId":"1.2","timestamp":1234.5,"encodedDataLength":100},"sessionId":"7E3CB5AD4C6A5016AB4C20CB00C0FE1E"}`)},
		{"tree300K", treeReply(300 << 10)},
		{"string300K", stringReply(300 << 10)},
		{"string5M", stringReply(5 << 20)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.msg)))
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := splitFast(c.msg); !ok {
					b.Fatal("not the fast way")
				}
			}
		})
	}
}

// BenchmarkReply is the whole way from message to result, beside the same in
// encoding/json, where the envelope is parsed and then the body.
func BenchmarkReply(b *testing.B) {
	for _, c := range []struct {
		name string
		msg  []byte
		out  func() any
	}{
		{"tree300K", treeReply(300 << 10), func() any { return new(axTree) }},
		{"string300K", stringReply(300 << 10), func() any { return new(evaluated) }},
		{"string5M", stringReply(5 << 20), func() any { return new(evaluated) }},
	} {
		b.Run(c.name+"/wire", func(b *testing.B) {
			b.SetBytes(int64(len(c.msg)))
			b.ReportAllocs()
			for b.Loop() {
				e, err := Split(c.msg)
				if err != nil {
					b.Fatal(err)
				}
				if err := Unmarshal(e.Body, c.out()); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/std", func(b *testing.B) {
			b.SetBytes(int64(len(c.msg)))
			b.ReportAllocs()
			for b.Loop() {
				var e struct {
					ID      int64              `json:"id"`
					Session string             `json:"sessionId"`
					Result  stdjson.RawMessage `json:"result"`
				}
				if err := stdjson.Unmarshal(c.msg, &e); err != nil {
					b.Fatal(err)
				}
				if err := stdjson.Unmarshal(e.Result, c.out()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
