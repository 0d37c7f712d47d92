package tool

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
)

// TestCancelledIsSaidInPlainWords: whichever verb is given up, and however deep in it.
func TestCancelledIsSaidInPlainWords(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := session.NewManager(session.Options{})
	defer m.Close()
	talk := m.Conversation("")
	run := func(ctx context.Context, name, input string) (Output, error) {
		t.Helper()
		tl, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		call, err := tl.Prepare(talk, []byte(input), Defaults{})
		if err != nil {
			t.Fatal(err)
		}
		return call.Run(ctx)
	}
	if _, err := run(t.Context(), "eval", `{"js":"1"}`); err != nil {
		t.Fatal(err)
	}
	for name, input := range map[string]string{
		"wait": `{"for":"text:never"}`,
		"eval": `{"js":"new Promise(() => {})"}`,
		"act":  `{"ref":"#never","op":"click"}`,
	} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		out, err := run(ctx, name, input)
		cancel()
		if !errors.Is(err, context.Canceled) || rove.CodeOf(err) != rove.CodeTimeout || !strings.Contains(err.Error(), "it was cancelled") || strings.Contains(err.Error()+out.Text, "context canceled") {
			t.Errorf("%s: %q, %v", name, out.Text, err)
		}
	}
}
