package cli

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"rove"
	"rove/internal/daemon"
	"rove/recording"
)

// says answers every call with a text.
type says string

func (s says) call(context.Context, string, map[string]any) (*daemon.Answer, error) {
	return &daemon.Answer{Text: string(s)}, nil
}

func (s says) close() error { return nil }

// TestRecorded: of a session that ended it is said that it did, and not that its recording is none.
func TestRecorded(t *testing.T) {
	t.Parallel()
	const empty = `{"rove":"recording","version":1}` + "\n"
	const ended = "the session ended after 30m0s without a call; this is a new session, without its pages, cookies and refs"
	if _, err := recorded(t.Context(), says(empty)); err != nil {
		t.Error(err)
	}
	if _, err := recorded(t.Context(), says("note: "+ended+"\n"+empty)); err == nil || err.Error() != ended {
		t.Errorf("%v, want %s", err, ended)
	}
}

// answers answers every call with data.
type answers struct{ value any }

func (a answers) call(context.Context, string, map[string]any) (*daemon.Answer, error) {
	data, err := json.Marshal(a.value)
	return &daemon.Answer{Data: data}, err
}

func (a answers) close() error { return nil }

// TestThroughTool: all that a replay found out comes through, so that a proof that is made by
// a daemon does with it what one in the same process does.
func TestThroughTool(t *testing.T) {
	t.Parallel()
	var want rove.ReplayResult
	fillIn(reflect.ValueOf(&want).Elem())
	got, err := throughTool(answers{want})(t.Context(), &recording.Flow{}, rove.ReplayOptions{})
	if err != nil || !reflect.DeepEqual(*got, want) {
		t.Errorf("%v\n%+v, want\n%+v", err, *got, want)
	}
}

// fillIn gives every field of a value something else than nothing.
func fillIn(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillIn(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillIn(v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fillIn(key)
		fillIn(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	}
}

// TestHowToRun: what was written is run by a command that can be copied, where rove runs it.
func TestHowToRun(t *testing.T) {
	t.Parallel()
	var flow recording.Flow
	flow.Params = []recording.Param{{Name: "password", Kind: recording.Secret}, {Name: "day", Kind: recording.Fresh}}
	for _, c := range []struct{ format, path, want string }{
		{"feature", "a.feature", "rove run a.feature --browser chrome -D password=…"},
		{"js", "my a.js", `rove run "my a.js" --browser chrome -D password=…`},
		{"flow", "a.flow", "rove replay a.flow --param password=…"},
		{"playwright", "a.spec.ts", ""},
		{"feature", "-", ""},
	} {
		if got := howToRun(&flow, c.format, c.path); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.format, c.path, got, c.want)
		}
	}
}
