package tool

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
	"rove/perceive"
)

// TestBrowseAsAPerson: what is told is what a person has of the page, and nothing
// that is only in its markup, its scripts or its traffic.
func TestBrowseAsAPerson(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := manage(t, session.Options{})
	b := browseIn(t, m)
	url := testkit.Serve(b.T, map[string]http.HandlerFunc{
		"/": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Answer", "unseen-header")
			http.SetCookie(w, &http.Cookie{Name: "c", Value: "unseen-cookie"})
			testkit.Page(`<!doctype html><title>Person</title><!-- unseen-comment --><h1>Seen</h1><button id=unseen-id class=unseen-class data-x=unseen-attribute>Press</button>
				<input type=hidden value=unseen-hidden><p style="display:none">unseen-none</p><p hidden>unseen-too</p><p aria-hidden=true style="opacity:0">unseen-aria</p>
				<input aria-label=Word type=password value=unseen-password><template>unseen-template</template>
				<script>var x = "unseen-script"; fetch("/unseen-request").then(r => r.text()); console.log("unseen-console")</script>`)(w, r)
		},
		"/unseen-request": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "unseen-answer") },
	})
	b.call("browse_navigate", map[string]any{"url": url})
	b.fails("browse_keypress", map[string]any{"key": "a", "modifiers": []string{"ctrl"}}, rove.CodeInvalid, `there is no modifier "ctrl": say shift, control, alt or meta`)
	data, out := b.call("browse_observe", nil)
	whole, err := json.Marshal(data)
	if err != nil {
		b.Fatal(err)
	}
	for _, text := range []string{string(whole), out.Text} {
		if !strings.Contains(text, "Seen") || !strings.Contains(text, "Press") {
			b.Errorf("what can be seen is not told:\n%s", text)
		}
		if i := strings.Index(text, "unseen"); i >= 0 {
			b.Errorf("what nobody sees is told: %.40s", text[i:])
		}
	}
	// What it is made of has no more than that either.
	had := []string{
		"AccessibilityTree", "Click", "ClickElement", "ElementExists", "FocusElement", "Keypress", "Navigate", "PageLoaded", "Screenshot", "Scroll", "Text", "Title", "TypeInto", "URL", "Viewport", "WaitUntil",
	}
	for m := range reflect.TypeFor[perceive.Backend]().Methods() {
		if !slices.Contains(had, m.Name) {
			b.Errorf("perceive.Backend has %s: does a person?", m.Name)
		}
	}
}
