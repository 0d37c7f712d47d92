package chrome

import (
	"testing"

	"rove/driver/backend"
	"rove/internal/anypage"
)

func TestKeyCodes(t *testing.T) {
	for _, tt := range []struct {
		key  backend.Key
		want int64
	}{
		{backend.Key{Key: "a", Code: "KeyA"}, 65},
		{backend.Key{Key: "Z", Code: "KeyZ"}, 90},
		{backend.Key{Key: "0", Code: "Digit0"}, 48},
		{backend.Key{Key: "(", Code: "Digit9"}, 57},
		{backend.Key{Key: "Enter", Code: "Enter"}, 13},
		{backend.Key{Key: " ", Code: "Space"}, 32},
		{backend.Key{Key: "Shift", Code: "ShiftRight", Location: 2}, 16},
		{backend.Key{Key: "Meta", Code: "MetaRight", Location: 2}, 92},
		{backend.Key{Key: "F1", Code: "F1"}, 112},
		{backend.Key{Key: "F24", Code: "F24"}, 135},
		{backend.Key{Key: "?", Code: "Slash"}, 191},
		{backend.Key{Key: "`", Code: "Backquote"}, 192},
		{backend.Key{Key: "0", Code: "Numpad0", Location: keypad}, 96},
		{backend.Key{Key: "9", Code: "Numpad9", Location: keypad}, 105},
		{backend.Key{Key: "Enter", Code: "NumpadEnter", Location: keypad}, 13},
		{backend.Key{Key: "+", Code: "NumpadAdd", Location: keypad}, 107},
		{backend.Key{Key: "Clear", Code: "NumpadClear", Location: keypad}, 12},
		// The keypad without NumLock.
		{backend.Key{Key: "PageUp", Code: "Numpad9", Location: keypad}, 33},
		{backend.Key{Key: "Insert", Code: "Numpad0", Location: keypad}, 45},
		{backend.Key{Key: "Delete", Code: "NumpadDecimal", Location: keypad}, 46},
		{backend.Key{Key: "x", Code: ""}, 0},
	} {
		if got := keyCode(tt.key); got != tt.want {
			t.Errorf("%+v has %d, want %d", tt.key, got, tt.want)
		}
	}
}

func TestReasons(t *testing.T) {
	for word, want := range map[string]backend.Reason{
		"": "", "net::ERR_NAME_NOT_RESOLVED": backend.ReasonDNS, "net::ERR_CONNECTION_REFUSED": backend.ReasonRefused,
		"net::ERR_CONNECTION_TIMED_OUT": backend.ReasonTimeout, "net::ERR_CONNECTION_FAILED": backend.ReasonConnection,
		"net::ERR_CERT_DATE_INVALID": backend.ReasonCertificate, "net::ERR_SSL_PROTOCOL_ERROR": backend.ReasonTLS,
		"net::ERR_ABORTED": backend.ReasonAborted, "net::ERR_BLOCKED_BY_CLIENT": backend.ReasonBlocked, "net::ERR_FAILED": backend.ReasonOther,
	} {
		if got := anypage.ChromiumReason(word); got != want {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
	}
}
