package recording_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"rove/aria"
	"rove/recording"
)

func sample() *recording.Recording {
	empty, ada := "", "Ada"
	return &recording.Recording{
		Header: recording.Header{Rove: "recording", Version: 1, Browser: "Chrome"},
		Steps: []recording.Step{
			{N: 1, Verb: "go", Value: "http://a.example", OK: true, Page: &recording.Page{URL: "http://a.example/", Title: "A \u009b2J\u202e\u2028\x1b", Appeared: []recording.Line{{Role: "heading", Name: "A"}}}},
			{N: 2, Verb: "act", Op: "input", Ref: "e1", Value: "Ada", OK: true, Who: &recording.Identity{Role: "textbox", Name: "Name", Ways: []recording.Way{{By: "role"}, {By: "css", Query: "input"}}}, Effect: &recording.Effect{From: &empty, To: &ada}},
			{N: 3, Verb: "act", Op: "click", Ref: "e2", OK: false, Code: "stale"},
		},
		Requests: []recording.Request{{N: 2, Method: "POST", URL: "http://a.example/x", Status: 201}},
	}
}

func TestFileKeepsAll(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	want := sample()
	if err := want.Write(&b); err != nil {
		t.Fatal(err)
	}
	// Whoever passes it on writes out what nobody sees.
	got, err := recording.Read(strings.NewReader(aria.Reveal(b.String())))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%+v\n%+v", err, got, want)
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"":                                  "empty",
		"{}\n":                              "no recording",
		`{"rove":"flow","version":1}`:       "no recording",
		`{"rove":"recording","version":99}`: "newer",
		"{\"rove\":\"recording\",\"version\":1}\nnonsense":           "line 2",
		"{\"rove\":\"recording\",\"version\":1}\n{\"step\":{\"n\":1": "line 2 ends in the middle",
	} {
		if _, err := recording.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %s", text, err, why)
		}
	}
	if rec, err := recording.Read(strings.NewReader("{\"rove\":\"recording\",\"version\":1}\n{\"picture\":{}}\n")); err != nil || len(rec.Steps) > 0 {
		t.Errorf("a line of another kind: %v %+v", err, rec)
	}
}

// TestFlowsThatAreNone are refused, each with its reason: one that does nothing would pass.
func TestFlowsThatAreNone(t *testing.T) {
	t.Parallel()
	head := `{"rove":"flow","version":1,"base":"http://a.example"}` + "\n"
	for text, why := range map[string]string{"": "empty", "{}": "no flow", `{"rove":"flow","version":2}`: "newer", head: "without a step", head + `{"op":"go`: "line 2 ends in the middle"} {
		if _, err := recording.ReadFlow(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %s", text, err, why)
		}
	}
}

func TestCutAndMerge(t *testing.T) {
	t.Parallel()
	part := sample().Cut(2, 2)
	if len(part.Steps) != 1 || part.Steps[0].N != 2 || len(part.Requests) != 1 {
		t.Errorf("%+v", part)
	}
	both := recording.Merge(part, sample())
	var numbers []int
	for _, s := range both.Steps {
		numbers = append(numbers, s.N)
	}
	if !reflect.DeepEqual(numbers, []int{1, 2, 3, 4}) || len(both.Requests) != 2 || both.Requests[1].N != 3 {
		t.Errorf("%v %+v", numbers, both.Requests)
	}
}

func TestRingIsBounded(t *testing.T) {
	t.Parallel()
	var r recording.Ring
	for i := range 2500 {
		r.Add(recording.Step{N: i + 1, Verb: "look", OK: true})
	}
	rec := r.Recording()
	if len(rec.Steps) != 2000 || rec.Lost != 500 || rec.Steps[0].N != 501 {
		t.Errorf("%d steps, %d lost, the first is %d", len(rec.Steps), rec.Lost, rec.Steps[0].N)
	}
	long := strings.Repeat("x", 1<<20)
	for range 10 {
		r.Add(recording.Step{Verb: "eval", Value: long})
	}
	if n := len(r.Recording().Steps); n > 4 {
		t.Errorf("%d steps of a megabyte each are kept", n)
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := sample().Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"rove":"flow","version":1,"base":"http://a"}` + "\n" + `{"op":"click","who":{"ways":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if rec, err := recording.Read(bytes.NewReader(data)); err == nil {
			var out bytes.Buffer
			if err := rec.Write(&out); err != nil {
				t.Fatal(err)
			}
			if _, err := recording.Read(&out); err != nil {
				t.Fatalf("what was written cannot be read: %v", err)
			}
		}
		if flow, err := recording.ReadFlow(bytes.NewReader(data)); err == nil {
			_ = flow.Write(&bytes.Buffer{})
		}
	})
}

// TestVerdicts: a flow that passes where a save comes to nothing is not simply proved.
func TestVerdicts(t *testing.T) {
	sound := recording.Proof{Passed: 2, Runs: 2, Checks: 3, Fail: 3, Saves: 1, Caught: 1, Lost: 2, Noticed: 2, Reset: true}
	unnoticed, unanswered, failed := sound, sound, sound
	unnoticed.Noticed, unanswered.Caught, failed.Passed = 0, 0, 1
	named := unnoticed
	named.Unseen = []string{"step 2, PUT /a", "step 3, POST /b"}
	for want, p := range map[string]*recording.Proof{
		"proved: passed 2 of 2": &sound, "proved, but for what is stored": &unnoticed, "proved, but for what is stored (": &unanswered,
		"proved, but for what is stored (it passes where nothing comes of step 2, PUT /a; step 3, POST /b)": &named,
		"UNPROVED: passed 1 of 2": &failed, "UNPROVED: nobody": nil,
	} {
		if got := p.String(); !strings.HasPrefix(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// TestAsks tells requests of GraphQL that write from those that read: all go to one path.
func TestAsks(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"query":"mutation Save($n: Note!) { save(note: $n) { id } }"}`:         "mutation Save",
		`{"query":"{ notes { id } }"}`:                                           "query notes",
		`{"query":"# all of them\nquery { notes { id } }"}`:                      "query notes",
		`{"query":"mutation { add(text: \"query me\") { id } }"}`:                "mutation add",
		`{"query":"fragment F on Note { id }\nmutation Drop { drop { ...F } }"}`: "mutation Drop",
		`{"operationName":"B","query":"query A { a } mutation B { b }"}`:         "mutation B",
		`{"operationName":"A","query":"query A { a } mutation B { b }"}`:         "query A",
		`[{"query":"query A { a }"},{"query":"mutation B { b }"}]`:               "mutation B",
		`{"query":"milk"}`: "", `{"name":"Ada"}`: "", `name=Ada`: "", ``: "", `{`: "", `[1]`: "", `{"query":"subscription S { s }"}`: "subscription S",
	} {
		if got := recording.Asks([]byte(body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
