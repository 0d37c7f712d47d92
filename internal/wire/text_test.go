package wire

import (
	"strings"
	"testing"
)

func wrapText(s string) string { return `{"result":{"type":"string","value":"` + s + `"}}` }

// textCases are contents of a JSON string; quick says that Text takes them.
var textCases = []struct {
	in    string
	quick bool
}{
	{``, true},
	{`plain`, true},
	{`\u003Cdiv class=\"a\">\n\t\r\b\f\/\\`, true},
	{`\u65e5\u672C`, true},
	{"日本 \U0001F600", true},
	{`\ud83d\ude00`, true},
	{`\uD83D\uDE00x`, true},
	{`\u0000\u007f\u0080\u07ff\u0800\uffff`, true},
	{`\\\\\"`, true},
	{`\ud83d`, false},
	{`\ude00\ud83d`, false},
	{`\ud83dx`, false},
	{`\ud83d\n`, false},
	{`\ud83d\u0041`, false},
	{"\xff", false},
	{"a\xe6\x97", false},
}

func TestText(t *testing.T) {
	for _, c := range textCases {
		got, ok := Text([]byte(wrapText(c.in)))
		if ok != c.quick {
			t.Errorf("%q: taken the quick way: %v", c.in, ok)
		}
		var want evaluated
		if err := Unmarshal([]byte(wrapText(c.in)), &want); err != nil {
			t.Errorf("%q: %v", c.in, err)
		}
		if ok && got != want.Result.Value {
			t.Errorf("%q: %q, want %q", c.in, got, want.Result.Value)
		}
	}
	for _, body := range []string{
		``, `{}`, `{"result":{"type":"undefined"}}`, `{"result":{"type":"number","value":1}}`,
		`{"result":{"type":"string","value":"a","x":1}}`, `{"result":{"type":"string","value":"a"},"exceptionDetails":{}}`,
		`{"result":{"type":"string","value":"a"}`, `{"result":{"type":"string","value":"a}}`, wrapText(`\`), wrapText(`\x`),
		wrapText(`\u12`), wrapText(`\u12g4`), wrapText(`\ud83d\u12`), wrapText(`a"b`), `{"result":{"type":"string","value":"`,
	} {
		if got, ok := Text([]byte(body)); ok {
			t.Errorf("%s: %q", body, got)
		}
	}
}

// FuzzText: whatever Unmarshal accepts, Text decodes to the same or declines.
func FuzzText(f *testing.F) {
	for _, c := range textCases {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		body := []byte(wrapText(in))
		got, ok := Text(body)
		var want evaluated
		if err := Unmarshal(body, &want); ok && err == nil && got != want.Result.Value {
			t.Fatalf("%q: %q, want %q", in, got, want.Result.Value)
		}
	})
}

func BenchmarkText(b *testing.B) {
	html := string(stringReply(300 << 10))
	html = html[strings.Index(html, `{"result":{"type"`):strings.Index(html, `,"sessionId"`)]
	for name, body := range map[string][]byte{
		"html300K":     []byte(html),
		"japanese300K": []byte(wrapText(strings.Repeat(`\u65e5\u672c\u8a9e`, 300<<10/18))),
	} {
		b.Run(name+"/Text", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := Text(body); !ok {
					b.Fatal("declined")
				}
			}
		})
		b.Run(name+"/Unmarshal", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if err := Unmarshal(body, new(evaluated)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
