package main

import (
	"slices"
	"strings"
	"testing"
)

const view = `http://127.0.0.1/miniwob/x.html — A Task
"Click on the \"ok | no\" button."
e3 scrollable
e4 clickable "Neille A sed."
 e13 clickable (trash)
"Year" | e5 textbox ="a \"b\" | c"
"Color | black"
img "vegan"
e7 button "Submit" disabled
e12…20 9 link "May 8" … "May 14", "June 1" … "June 2"
e1 canvas (click-canvas)
"Last reward: -"
can: button click`

func TestParse(t *testing.T) {
	p := &page{view: view, lines: parse(view)}
	if q := p.lines[0].name; q != `Click on the "ok | no" button.` {
		t.Errorf("the query is %q", q)
	}
	if got := p.fields(); len(got) != 1 || got[0].ref != "e5" || got[0].value != `a "b" | c` {
		t.Errorf("fields: %+v", got)
	}
	if got := p.one("button", "Submit"); got != "e7" {
		t.Errorf("Submit is %q", got)
	}
	if got := p.all("clickable", mentions("trash")); len(got) != 1 || got[0].ref != "e13" || got[0].depth != 1 {
		t.Errorf("trash: %+v", got)
	}
	if got := p.texts(); !slices.Equal(got, []string{"Year", "Color | black"}) {
		t.Errorf("texts: %q", got)
	}
	if got := p.cell("Color"); got != "black" {
		t.Errorf("Color is %q", got)
	}
	if got := p.one("link", "May 10"); got != "e14" {
		t.Errorf("the tenth is %q", got)
	}
	if err := p.attempt(func() { p.one("link", "Nothing") }); err == nil || !strings.Contains(err.Error(), `no link "Nothing"`) {
		t.Errorf("what is not there: %v", err)
	}
}

func TestAsksFor(t *testing.T) {
	small := shape{kind: "circle", colour: "red", small: true}
	letter := shape{kind: "letter", colour: "blue", text: "K"}
	for query, want := range map[string][2]bool{
		"Click on a small red circle":        {true, false},
		"How many large items are there?":    {false, true},
		"How many blue Ks are there?":        {false, true},
		"How many shapes are there?":         {true, false},
		"How many blue letters are there?":   {false, true},
		"How many green circles are there?":  {false, false},
		"Click on a letter":                  {false, true},
		"How many small red items are there": {true, false},
	} {
		if got := [2]bool{asksFor(query, small), asksFor(query, letter)}; got != want {
			t.Errorf("%s: %v", query, got)
		}
	}
}

func TestTicTacToe(t *testing.T) {
	for _, c := range []struct {
		b    board
		want int
	}{
		{board{1, 1, 0, -1, -1, 0, 0, 0, 0}, 2}, // it wins
		{board{-1, -1, 0, 1, 0, 0, 0, 0, 1}, 2}, // it prevents
		{board{0, 0, 0, 0, -1, 0, -1, 1, 0}, 2}, // the diagonal
	} {
		best, pick := -100.0, -1
		for i := range c.b {
			if v := c.b.after(i, 1); c.b[i] == 0 && v > best {
				best, pick = v, i
			}
		}
		if pick != c.want {
			t.Errorf("%v: %d, not %d", c.b, pick, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	r := row{task: "click-test", unfair: 1}
	r.add(episode{calls: 2, tokens: 100})
	r.add(episode{calls: 3, tokens: 101, byEval: true})
	tab := table{seeds: 2, rows: []row{r, {task: "b", tries: 2, solved: 1}}}
	if md := tab.markdown(); !strings.Contains(md, "| click-test | 2 of 2 | 3 | 101 | 0 | yes | 1 |") || !strings.Contains(md, "0 of 1 tasks") || !strings.Contains(md, "and 1 of 1 more") {
		t.Error(md)
	}
}
