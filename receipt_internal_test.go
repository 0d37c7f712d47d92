package rove

import (
	"testing"

	"rove/aria"
	"rove/driver"
)

func TestReceiptsInFewWords(t *testing.T) {
	done := func(op, ref string, requests ...driver.Request) Receipt {
		return Receipt{Step: Step{Ref: ref, Op: op}, Effect: driver.Effect{Ref: "e1", Changes: 1, Requests: requests}}
	}
	sent := func(method, url string, status int) driver.Request {
		return driver.Request{Method: method, URL: "http://a.test" + url, Status: status, Type: "Fetch"}
	}
	gone := Receipt{Step: Step{Ref: "e1", Op: "click"}, Effect: driver.Effect{Ref: "e1", Name: "Go", Navigated: true, URL: "http://a.test/next?x=1#y", Requests: []driver.Request{sent("POST", "/in", 200)}}}
	for _, c := range []struct {
		done        []Receipt
		from, title string
		want        string
	}{
		{[]Receipt{done("click", "e1"), done("check", "e2")}, "", "", "ok click e1 check e1\n"},
		{[]Receipt{done("click", "e1"), done("click", "e1"), done("click", "e1"), done("click", "e1")}, "", "", "ok 4 steps as asked\n"},
		{[]Receipt{done("click", "e1", sent("POST", "/api/t", 201)), done("click", "e1", sent("PATCH", "/api/t/5", 200))}, "", "", "ok click e1 e1 (POST, PATCH /api/t 2xx)\n"},
		{[]Receipt{done("click", "e1", sent("POST", "/api/t", 201)), done("click", "e1", sent("PATCH", "/api/t/5", 500))}, "", "", "ok click e1 e1 (POST /api/t 201, PATCH /api/t/5 500)\n"},
		{[]Receipt{done("click", "e1", sent("POST", "/a", 201)), done("click", "e1", sent("POST", "/b", 201))}, "", "", "ok click e1 e1 (POST /a 201, POST /b 201)\n"},
		{[]Receipt{gone}, "http://a.test/here", "Next", "ok click e1 \"Go\" → /next?x=1#y (POST /in 200) — Next\n"},
		{[]Receipt{gone}, "https://a.test/here", "", "ok click e1 \"Go\" → http://a.test/next?x=1#y (POST /in 200)\n"},
		{[]Receipt{gone}, "http://b.test/here", "", "ok click e1 \"Go\" → http://a.test/next?x=1#y (POST /in 200)\n"},
	} {
		if got := receipts(c.done, c.from, c.title, nil); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// What every page asks for, or complains of, is told once, writes each time; what another host was asked has its name.
func TestUsualRequestsAreToldOnce(t *testing.T) {
	var m memory
	visit := func() string {
		asked := func(method, url string, status int) driver.Request {
			return driver.Request{Method: method, URL: url, Status: status, Type: "Fetch"}
		}
		done := []Receipt{{Step: Step{Ref: "e1", Op: "click"}, Effect: driver.Effect{
			Ref: "e1", Name: "Go", Navigated: true, URL: "http://a.test/next",
			Requests: []driver.Request{asked("GET", "http://a.test/sprite", 200), asked("GET", "http://b.test/avatar", 404), asked("POST", "http://a.test/save", 302)},
			Console:  []string{"TypeError: no table"},
		}}}
		m.asUsual(done)
		return receipts(done, "http://a.test/here", "", nil)
	}
	if got, want := visit(), "ok click e1 \"Go\" → /next (GET /sprite 200, GET b.test/avatar 404, POST /save 302)\nconsole error: TypeError: no table\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := visit(), "ok click e1 \"Go\" → /next (POST /save 302)\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// An address that a page gave itself between two answers is told like its title.
func TestAddressesBetweenAnswersAreTold(t *testing.T) {
	before, after := &aria.Tree{URL: "http://a.test/new", Title: "New"}, &aria.Tree{URL: "http://a.test/6/edit", Title: "New"}
	if got := unlined(before, after, nil); len(got) != 1 || got[0].Text != "address → /6/edit" {
		t.Error(got)
	}
	if got := unlined(before, after, []Receipt{{Effect: driver.Effect{URL: after.URL}}}); len(got) != 0 {
		t.Errorf("told twice: %v", got)
	}
}
