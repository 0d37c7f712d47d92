package tool

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
)

// TestOddCalls: what random calls of all tools once found wanting.
func TestOddCalls(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := session.NewManager(session.Options{})
	defer m.Close()
	talk := m.Conversation("")
	url := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(`<textarea id=note></textarea>`)})
	run := func(name, input string) (Output, error) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		tl, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		call, err := tl.Prepare(talk, []byte(input), Defaults{})
		if err != nil {
			return Output{}, err
		}
		return call.Run(ctx)
	}
	good := func(name, input string) string {
		t.Helper()
		out, err := run(name, input)
		if err != nil {
			t.Fatalf("%s %.100s: %v", name, input, err)
		}
		return out.Text
	}
	good("go", `{"url":"`+url+`"}`)
	huge := strings.Repeat("x", 100_000)

	t.Run("a huge input is not told again", func(t *testing.T) {
		for name, input := range map[string]string{
			"go":             `{"url":"` + huge + `"}`,
			"act":            `{"ref":"_page","op":"` + huge + `"}`,
			"browser_scroll": `{"to":"` + huge + `"}`,
			"look":           `{"ref":"` + huge + `"}`,
			"eval":           `{"js":")` + huge + `"}`,
			"browse_wait":    `{"condition":"` + huge + `"}`,
		} {
			out, err := run(name, input)
			if err == nil || len(err.Error()) > 3*mostLine || len(out.Text) > 3*mostLine {
				t.Errorf("%s: an error of %d bytes, %d of text", name, len(err.Error()), len(out.Text))
			}
		}
	})
	t.Run("a huge text is entered at once", func(t *testing.T) {
		start := time.Now()
		good("act", `{"ref":"#note","op":"input","value":"`+huge+`"}`)
		if got := good("eval", `{"js":"note.value.length"}`); got != "100000" {
			t.Errorf("the field has %s characters", got)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
		good("act", `{"ref":"#note","op":"clear"}`)
	})
	t.Run("pages that there are not", func(t *testing.T) {
		for _, pages := range []string{"x", "7-9", "3-1", "0"} {
			if _, err := run("browser_pdf", `{"pages":"`+pages+`"}`); rove.CodeOf(err) != rove.CodeInvalid || !strings.Contains(err.Error(), "such as 1-3, 8") {
				t.Errorf("%s: %v", pages, err)
			}
		}
	})
	t.Run("offline behind a dialog", func(t *testing.T) {
		good("eval", `{"js":"setTimeout(() => alert(1))"}`)
		testkit.Eventually(t, "the alert is open", func() bool {
			out, _ := run("browser_tabs", `{}`)
			return strings.Contains(out.Text, "alert")
		})
		start := time.Now()
		good("browser_set_offline", `{"offline":true}`)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
		good("browser_handle_dialog", `{"accept":true}`)
		if got := good("eval", `{"js":"navigator.onLine"}`); got != "false" {
			t.Errorf("on line: %s", got)
		}
	})
}
