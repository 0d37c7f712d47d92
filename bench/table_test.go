package main

import (
	"strings"
	"testing"
	"time"

	"rove/bench/token"
)

func TestChoose(t *testing.T) {
	if got, err := choose("login, 1k"); err != nil || len(got) != 2 || got[1].name != "1k" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := choose("nothing"); err == nil || !strings.Contains(err.Error(), "dashboard") {
		t.Errorf("a page that is not there: %v", err)
	}
}

func TestTable(t *testing.T) {
	a := row{Page: "1k", What: "walk", Bytes: 1234567, Tokens: 12}
	a.time([]time.Duration{3 * time.Millisecond, time.Millisecond, 2 * time.Millisecond})
	b := row{Page: "1k", What: "look", Slower: 1.25, Dearer: 1.1, Writes: 1, Replies: 1.5, Note: "µ"}
	b.time([]time.Duration{1500 * time.Millisecond, 500 * time.Millisecond})
	var out strings.Builder
	if err := (&report{Rows: []row{a, b}}).print(&out); err != nil {
		t.Fatal(err)
	}
	const want = `| page | what |    ms | × walk |     bytes | tokens | × floor | writes | replies | note |
|------|------|------:|-------:|----------:|-------:|--------:|-------:|--------:|------|
| 1k   | walk |  2.00 |        | 1,234,567 |     12 |         |        |         |      |
|      | look | 1,000 |   1.25 |           |        |    1.10 |      1 |     1.5 | µ    |
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestMedianRatio(t *testing.T) {
	a := []time.Duration{10, 900, 12}
	b := []time.Duration{10, 600, 10}
	if got := medianRatio(a, b); got != 1.2 {
		t.Errorf("got %v", got)
	}
	if got := medianRatio(nil, b); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestTokens(t *testing.T) {
	if n, err := token.Count("hello world"); err != nil || n != 2 {
		t.Errorf("hello world: %d tokens, %v", n, err)
	}
}
