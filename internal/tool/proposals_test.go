package tool

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOutcomes: an action has the tool's data as its output, or its text, and the
// pictures beside it, whatever the data is.
func TestOutcomes(t *testing.T) {
	type object = map[string]any
	picture := []Image{{"image/png", []byte("x")}}
	for name, tt := range map[string]struct {
		out      Output
		pictures any
		want     any
	}{
		"nothing":               {Output{}, nil, nil},
		"a text":                {Output{Text: "done"}, nil, object{"text": "done"}},
		"data":                  {Output{Text: "done", Data: Spilled{File: "f"}}, nil, Spilled{File: "f"}},
		"a picture":             {Output{Images: picture}, []string{"a.png"}, object{"text": "", "images": []string{"a.png"}}},
		"a picture kept back":   {Output{Images: picture}, nil, object{"text": ""}},
		"data and a picture":    {Output{Data: Spilled{File: "f"}, Images: picture}, "p", object{"file": "f", "size": 0.0, "preview": "", "images": "p"}},
		"a list and a picture":  {Output{Data: []int{1}, Images: picture}, "p", object{"data": []int{1}, "images": "p"}},
		"nothing and a picture": {Output{Data: (*Spilled)(nil), Images: picture}, "p", object{"data": (*Spilled)(nil), "images": "p"}},
	} {
		if diff := cmp.Diff(tt.want, tt.out.Outcome(tt.pictures)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
