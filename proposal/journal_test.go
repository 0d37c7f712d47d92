package proposal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rove/proposal"
)

func open(t *testing.T, path string) *proposal.Journal {
	t.Helper()
	j, err := proposal.OpenJournal(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

// TestJournalIsReplayed: a runtime that is opened over the journal of another has
// its state.
func TestJournalIsReplayed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	j := open(t, path)
	rt, _ := newRuntime(t, proposal.Options{Journal: j, State: map[string]any{"seed": []any{1.0}}})
	rt.Execute(t.Context(), of(call("a", "ok", makes("x")), call("b", "ok", makes("y"))))
	rt.Execute(t.Context(), of(call("c", "ok", makes("x")), call("d", "fail")))
	rt.Execute(t.Context(), of(call("bad", "ok", with("url", make(chan int)))))
	if err := rt.SetState(map[string]any{"z": 1}); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"seed": []any{1.0}, "x": "a", "y": "b", "z": 1.0}
	if diff := cmp.Diff(want, rt.State()); diff != "" {
		t.Fatal(diff)
	}
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := proposal.OpenJournal(soon, path); err == nil {
		t.Error("it was opened twice")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	j = open(t, path)
	rt, _ = newRuntime(t, proposal.Options{Journal: j})
	if diff := cmp.Diff(want, rt.State()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r := rt.Execute(t.Context(), of(call("e", "ok", needs("x"), makes("x")))); !r.Succeeded() || len(r.Warnings) > 0 {
		t.Errorf("%+v", r)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	replayed, err := proposal.Replay(bytes.NewReader(text))
	if err != nil || replayed.Torn || len(replayed.Unfinished) > 0 || replayed.Events != bytes.Count(text, []byte("\n")) {
		t.Errorf("%+v %v", replayed, err)
	}
	want["x"] = "e"
	if diff := cmp.Diff(want, replayed.State); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestJournalCutOff cuts a journal off at every byte. What is left can always be
// opened, and has either what a proposal made or nothing of it.
func TestJournalCutOff(t *testing.T) {
	var b strings.Builder
	rt, _ := newRuntime(t, proposal.Options{Journal: proposal.NewJournal(&b), State: map[string]any{"x": "old"}})
	rt.Execute(t.Context(), of(call("a", "ok", makes("x")), call("b", "ok", makes("y"))))
	whole := b.String()
	seen := map[string]int{}
	for n := range len(whole) + 1 {
		r, err := proposal.Replay(strings.NewReader(whole[:n]))
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if torn := n > 0 && whole[n-1] != '\n'; r.Torn != torn {
			t.Errorf("%d bytes: torn %v", n, r.Torn)
		}
		seen[fmt.Sprint(r.State)]++
	}
	want := map[string]bool{"map[]": true, "map[x:old]": true, "map[x:a y:b]": true}
	for s := range seen {
		if !want[s] {
			t.Errorf("half of a proposal: %s", s)
		}
	}
	if len(seen) != len(want) {
		t.Errorf("%v", seen)
	}

	// On disk the rest of a line is dropped, and what was not finished taken back
	// for good.
	path := filepath.Join(t.TempDir(), "j")
	cut := strings.Index(whole, `"action_id":"b"`)
	if err := os.WriteFile(path, []byte(whole[:cut]), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		j := open(t, path)
		rt, _ := newRuntime(t, proposal.Options{Journal: j})
		if diff := cmp.Diff("old", rt.State()["x"]); diff != "" {
			t.Error(diff)
		}
		if _, there := rt.State()["y"]; there {
			t.Error("y is there")
		}
		if r := rt.Execute(t.Context(), of(call("c", "ok", makes("z")))); !r.Succeeded() || len(r.Warnings) > 0 {
			t.Errorf("%+v", r)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "it had not ended when the journal was opened again"); n != 1 {
		t.Errorf("taken back %d times", n)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v %v", info.Mode(), err)
	}
}

func TestJournalThatIsBroken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	if err := os.WriteFile(path, []byte("{\"event\":\"state_set\",\"state\":{\"x\":1}}\nnot JSON\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := proposal.OpenJournal(t.Context(), path); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v", err)
	}
	if _, err := proposal.OpenJournal(t.Context(), t.TempDir()); err == nil {
		t.Error("a folder was taken for a journal")
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// full is a disk that is.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestJournalThatCannotBeWritten(t *testing.T) {
	rt, _ := newRuntime(t, proposal.Options{Journal: proposal.NewJournal(&full{300})})
	r := rt.Execute(t.Context(), of(call("a", "ok", makes("x"))))
	if !r.Succeeded() || len(r.Warnings) != 1 || r.Warnings[0] != "the journal is not complete: no space left" {
		t.Errorf("%+v", r)
	}
}

// TestJournalIsNoAlbum: a large answer is in the result, not in the journal.
func TestJournalIsNoAlbum(t *testing.T) {
	var b strings.Builder
	rt, _ := newRuntime(t, proposal.Options{Journal: proposal.NewJournal(&b)})
	r := rt.Execute(t.Context(), of(call("a", "ok", with("url", strings.Repeat("x", 100_000)))))
	if n := len(r.Results[0].Output.(map[string]any)["url"].(string)); n != 100_000 {
		t.Errorf("%d bytes in the result", n)
	}
	if !strings.Contains(b.String(), `"output":{"omitted_bytes":100`) {
		t.Errorf("%.300s", b.String())
	}
}

func FuzzReplay(f *testing.F) {
	f.Add("{\"event\":\"state_set\",\"state\":{\"x\":1}}\n{\"event\":\"proposal_started\",\"run\":\"a\"}\n{\"event\":\"action_finished\",\"run\":\"a\",\"result\":{\"state_changes\":{\"x\":2}}}\n")
	f.Add("{\"event\":\"proposal_started\",\"run\":\"a\"}\n{\"event\":\"state_rolled_back\",\"run\":\"a\"}\n{\"event\":\"proposal_finished\",\"run\":\"a\"}\n{")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := proposal.Replay(strings.NewReader(text))
		if err == nil && r.State == nil {
			t.Error("no state")
		}
	})
}
