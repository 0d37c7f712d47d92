package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"rove"
)

// TestFailuresKeepTheirShape: programs read these names at every door, and an error
// is the same on both sides of the daemon's socket.
func TestFailuresKeepTheirShape(t *testing.T) {
	covered := &rove.Error{Code: rove.CodeCovered, Op: "click e3", Message: "covered", Hint: "close it", Log: []string{"tried"}}
	for _, tt := range []struct {
		err        error
		json, text string
	}{
		{covered, `{"ok":false,"code":"covered","op":"click e3","error":"covered","hint":"close it","log":["tried"]}`, covered.Error()},
		{fmt.Errorf("meanwhile: %w", covered), `{"ok":false,"code":"covered","op":"click e3","error":"covered","hint":"close it","log":["tried"]}`, covered.Error()},
		{errors.New("the disk is full"), `{"ok":false,"error":"the disk is full"}`, "the disk is full"},
	} {
		wire, err := json.Marshal(NewFailure(tt.err))
		if err != nil || string(wire) != tt.json {
			t.Errorf("%v: %s, %v, want %s", tt.err, wire, err, tt.json)
		}
		var f Failure
		if err := json.Unmarshal(wire, &f); err != nil {
			t.Fatal(err)
		}
		if is := f.Err(); is.Error() != tt.text || NewFailure(is).Code != f.Code {
			t.Errorf("%v became %v", tt.err, is)
		}
	}
	if NewFailure(nil) != nil || (*Failure)(nil).Err() != nil {
		t.Error("nothing became a failure")
	}
}
