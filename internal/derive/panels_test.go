package derive_test

import (
	"testing"

	"rove/internal/derive"
	"rove/recording"
)

// TestWhatIsUsedNext: of what a step made come, that is looked for in which the next one
// is done: toolbars come and go with the mouse.
func TestWhatIsUsedNext(t *testing.T) {
	t.Parallel()
	publish := who("button", "Publish", "#really")
	publish.Near = "Are you ready to publish?"
	page := &recording.Page{URL: "http://a.example/new"}
	f, err := derive.Flow(&recording.Recording{Steps: []recording.Step{
		{N: 1, Verb: "go", Value: page.URL, OK: true, Page: page},
		{N: 2, Verb: "act", Ref: "e1", Op: "click", Who: who("button", "Publish", "#publish"), OK: true, Effect: &recording.Effect{}, Page: &recording.Page{URL: page.URL, Appeared: []recording.Line{
			{Role: "text", Name: "Change text alignment"}, {Role: "text", Name: "Displays more tools"}, {Role: "text", Name: publish.Near}, {Role: "text", Name: "Double-check your settings"},
		}}},
		{N: 3, Verb: "act", Ref: "e2", Op: "click", Who: publish, OK: true, Effect: &recording.Effect{}, Page: page},
	}}, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Steps[1].Checks; len(c) != 1 || c[0].Text != publish.Near {
		t.Errorf("looked for: %v, want %q alone", c, publish.Near)
	}
}

// TestWhatAFormSaves: what the page to which a form leads sends by itself was not saved by
// the form.
func TestWhatAFormSaves(t *testing.T) {
	t.Parallel()
	form := recording.Request{Method: "POST", URL: "http://a.example/login", Status: 302, Type: "Document"}
	news := recording.Request{Method: "POST", URL: "http://a.example/news", Status: 200, Type: "XHR"}
	later := recording.Request{N: 2, Method: "POST", URL: "http://a.example/heartbeat", Status: 200, Type: "Fetch"}
	f, err := derive.Flow(&recording.Recording{Requests: []recording.Request{later}, Steps: []recording.Step{
		{N: 1, Verb: "go", Value: "http://a.example/login", OK: true, Page: &recording.Page{URL: "http://a.example/login"}},
		{N: 2, Verb: "act", Ref: "e1", Op: "click", Who: who("button", "Log in", "#in"), OK: true, Effect: &recording.Effect{Navigated: true, Requests: []recording.Request{form, news}}, Page: &recording.Page{URL: "http://a.example/home"}},
	}}, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := f.Steps[1].Writes(); len(w) != 1 || w[0].URL != form.URL {
		t.Errorf("saved: %v, want the form alone", w)
	}
}

// TestKeysThatAPageMadeUp: what is called by a key that a page makes up each time is not
// looked for.
func TestKeysThatAPageMadeUp(t *testing.T) {
	t.Parallel()
	page := &recording.Page{URL: "http://a.example/new"}
	f, err := derive.Flow(&recording.Recording{Steps: []recording.Step{
		{N: 1, Verb: "go", Value: page.URL, OK: true, Page: page},
		{N: 2, Verb: "act", Ref: "e1", Op: "click", Who: who("button", "Show", "#show"), OK: true, Effect: &recording.Effect{}, Page: &recording.Page{URL: page.URL, Appeared: []recording.Line{
			{Role: "link", Name: "t7m-jumi3Sj6nMfWY6_o1"}, {Role: "text", Name: "Key VWVccoW5tak4-ACZNZCZJ"}, {Role: "link", Name: "Internationalization2"},
		}}},
	}}, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Steps[1].Checks; len(c) != 1 || c[0].Text != "Internationalization2" {
		t.Errorf("looked for: %v", c)
	}
}

// TestWhatFollowsALogin: what an application sends by itself once somebody is signed in was
// not saved by the login.
func TestWhatFollowsALogin(t *testing.T) {
	t.Parallel()
	login := recording.Request{Method: "POST", URL: "http://a.example/auth/login", Status: 200, Type: "Fetch"}
	seen := recording.Request{Method: "PATCH", URL: "http://a.example/users/me/seen", Status: 204, Type: "XHR"}
	password := who("textbox", "Password", "#password")
	password.Secret = true
	f, err := derive.Flow(&recording.Recording{Steps: []recording.Step{
		{N: 1, Verb: "go", Value: "http://a.example/login", OK: true, Page: &recording.Page{URL: "http://a.example/login"}},
		{N: 2, Verb: "act", Ref: "e1", Op: "input", Param: "password", Who: password, OK: true, Effect: &recording.Effect{}, Page: &recording.Page{URL: "http://a.example/login"}},
		{N: 3, Verb: "act", Ref: "e2", Op: "click", Who: who("button", "Log in", "#in"), OK: true, Effect: &recording.Effect{URL: "http://a.example/home", Requests: []recording.Request{login, seen}}, Page: &recording.Page{URL: "http://a.example/home"}},
	}}, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := f.Steps[2].Writes(); len(w) != 1 || w[0].URL != login.URL {
		t.Errorf("saved: %v, want the login alone", w)
	}
}
