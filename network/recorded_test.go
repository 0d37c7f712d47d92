package network_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/internal/har"
	"rove/internal/testkit"
	"rove/network"
)

var update = flag.Bool("update", false, "write what is found as what is wanted")

const schema = "../internal/har/testdata/har-1.2.schema.json"

// heard is an event of a recording: who told it, and what.
type heard struct {
	who, method string
	params      []byte
}

// sources are the targets of a recording, by name.
type sources map[string]*chrome.Source

func sourcesOf(events []heard) sources {
	s := sources{}
	for _, e := range events {
		if s[e.who] != nil {
			continue
		}
		kind, _, _ := strings.Cut(e.who, "/")
		src := &chrome.Source{Source: backend.Source{Kind: kind, ID: mainFrame, Tab: mainFrame}}
		if kind == "iframe" {
			src.Kind = "frame"
		}
		if kind != "page" { // the request for a worker's script has the worker's id
			_, rest, _ := bytes.Cut(e.params, []byte(`"requestId":"`))
			id, _, _ := bytes.Cut(rest, []byte(`"`))
			src.ID, src.URL = string(id), "http://127.0.0.1:44831/"+e.who
		}
		s[e.who] = src
	}
	return s
}

const mainFrame = "335F43691914F877602FEDCA55E7D220" // of all recordings

// recording reads the events of a recorded case.
func recording(t testing.TB, a *txtar.Archive) []heard {
	t.Helper()
	var list []heard
	for line := range strings.Lines(string(a.Files[0].Data)) {
		who, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		method, params, ok := strings.Cut(rest, " ")
		if !ok {
			t.Fatalf("not an event: %s", line)
		}
		list = append(list, heard{who, method, []byte(params)})
	}
	return list
}

// play feeds events to a log.
func play(l *network.Log, s sources, events []heard) {
	for _, e := range events {
		told(l)(s[e.who], cdp.Event{Method: e.method, Params: e.params})
	}
}

func lines(t testing.TB, l *network.Log) string {
	t.Helper()
	found, err := l.Requests(network.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range found.Requests {
		q := &found.Requests[i]
		fmt.Fprintln(&b, q.Line())
		start := q.Start.UTC().Format("15:04:05.000")
		if time.Since(q.Start) < time.Minute {
			start = "now" // the browser does not tell
		}
		fmt.Fprintf(&b, "  %s %s %s", start, q.Protocol, q.Remote)
		if p := q.Phases; p != nil {
			fmt.Fprintf(&b, " blocked %.1f dns %.1f connect %.1f send %.1f wait %.1f receive %.1f", p.Blocked, p.DNS, p.Connect, p.Send, p.Wait, p.Receive)
		}
		fmt.Fprintf(&b, " headers %d %d\n", len(q.RequestHeaders), len(q.ResponseHeaders))
		if q.Sent != nil {
			fmt.Fprintf(&b, "  sent %+v\n", *q.Sent)
		}
		for _, m := range q.Messages {
			fmt.Fprintf(&b, "  message %v %d %q %q %q\n", m.Sent, m.Opcode, m.Event, m.ID, m.Data)
		}
	}
	return b.String()
}

// TestRecorded reads what a real browser reported, case by case.
func TestRecorded(t *testing.T) {
	paths, err := filepath.Glob("testdata/recorded/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, len(paths))
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			events := recording(t, a)
			l := network.New(network.Limits{})
			play(l, sourcesOf(events), events)
			got := lines(t, l)
			if *update {
				a.Files[1].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want := string(a.Files[1].Data)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			var out bytes.Buffer
			if err := l.HAR(context.Background(), &out, network.HAROptions{Creator: har.Name{Name: "test", Version: "1"}}); err != nil {
				t.Fatal(err)
			}
			testkit.CheckHAR(t, schema, out.Bytes())

			// Whatever two sessions tell is told once.
			twice := network.New(network.Limits{})
			first, second := sourcesOf(events), sourcesOf(events)
			for _, e := range events {
				play(twice, first, []heard{e})
				play(twice, second, []heard{e})
			}
			if d := cmp.Diff(want, lines(t, twice)); d != "" {
				t.Errorf("told twice (-want +got)\n%s", d)
			}

			// The headers that really left and came may be told early or late.
			for seed := range uint64(20) {
				mixed := network.New(network.Limits{})
				play(mixed, sourcesOf(events), shuffled(events, seed))
				if d := cmp.Diff(want, lines(t, mixed)); d != "" {
					t.Fatalf("seed %d: headers told at another time (-want +got)\n%s", seed, d)
				}
			}
		})
	}
}

// shuffled has the extra events somewhere else, each kind in its order.
func shuffled(events []heard, seed uint64) []heard {
	r := rand.New(rand.NewPCG(seed, 1))
	var out []heard
	var extra []heard
	for _, e := range events {
		if strings.HasSuffix(e.method, "ExtraInfo") {
			extra = append(extra, e)
		} else {
			out = append(out, e)
		}
	}
	at := 0
	for _, e := range extra {
		at += r.IntN(len(out) - at + 1)
		out = slices.Insert(out, at, e)
		at++
	}
	return out
}
