package driver_test

import (
	"strings"
	"testing"
	"time"

	"rove/driver"
)

func TestFind(t *testing.T) {
	a := open(t, map[string]string{
		"/": `<!doctype html><title>Find</title><button>One</button><button id=two>Two</button>
			<p id=none style="display:none">x</p><p id=clear style="opacity:0">x</p><p id=blind style="visibility:hidden">x</p><p id=flat style="height:0;overflow:hidden">x</p>
			<div id=fixed style="position:fixed;top:0">fixed</div><div id=far style="position:absolute;top:5000px">far</div>
			<iframe src=THERE/inner></iframe>
			<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<i id=late style="opacity:0">late</i>'), 200); setTimeout(() => late.style.opacity = 1, 500)</script>`,
		"/inner": `<button id=inside>In</button><script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<b id=lateinside>late</b>'), 300)</script>`,
	})
	ctx, d := a.ctx, a.Driver
	seconds := 5 * time.Second
	tests := []struct {
		locator string
		opts    driver.FindOptions
		count   int
		prefix  string
		code    driver.Code
		words   string
	}{
		{"button", driver.FindOptions{}, 2, "e", "", ""},
		{"{button}Two", driver.FindOptions{}, 1, "e", "", ""},
		{"//button[2]", driver.FindOptions{}, 1, "e", "", ""},
		{"(document.querySelectorAll('button'))", driver.FindOptions{Visible: true}, 2, "e", "", ""},
		{"#inside", driver.FindOptions{}, 1, "f", "", ""},
		{"#late", driver.FindOptions{Within: seconds}, 1, "e", "", ""},
		{"#late", driver.FindOptions{Within: seconds, Visible: true}, 1, "e", "", ""},
		{"#lateinside", driver.FindOptions{Within: seconds}, 1, "f", "", ""},
		{"#fixed", driver.FindOptions{Visible: true}, 1, "e", "", ""},
		{"#far", driver.FindOptions{Visible: true}, 1, "e", "", ""},
		{"#none", driver.FindOptions{}, 1, "e", "", ""},
		{"#none", driver.FindOptions{Visible: true}, 0, "", driver.CodeHidden, "there, but not visible"},
		{"#clear", driver.FindOptions{Visible: true}, 0, "", driver.CodeHidden, "not visible"},
		{"#blind", driver.FindOptions{Visible: true}, 0, "", driver.CodeHidden, "not visible"},
		{"#flat", driver.FindOptions{Visible: true, Within: 50 * time.Millisecond}, 0, "", driver.CodeTimeout, "there, but not visible"},
		{"#nope", driver.FindOptions{}, 0, "", driver.CodeNotFound, "element not found: #nope"},
		{"#nope", driver.FindOptions{Within: 50 * time.Millisecond}, 0, "", driver.CodeTimeout, "waited"},
		{"a[", driver.FindOptions{Within: seconds}, 0, "", driver.CodeInvalid, "not a valid CSS selector"},
		{"//[", driver.FindOptions{Within: seconds}, 0, "", driver.CodeInvalid, "not a valid XPath"},
		{" ", driver.FindOptions{}, 0, "", driver.CodeInvalid, "empty"},
		{"e999", driver.FindOptions{}, 0, "", driver.CodeNotFound, "never was"},
	}
	for _, tt := range tests {
		start := time.Now()
		refs, err := d.Tab().Find(ctx, tt.locator, tt.opts)
		if len(refs) != tt.count || err != nil && driver.CodeOf(err) != tt.code || (err == nil) != (tt.code == "") || err != nil && !strings.Contains(err.Error(), tt.words) {
			t.Errorf("%s %+v: %v, %v", tt.locator, tt.opts, refs, err)
		}
		if err == nil && !strings.HasPrefix(string(refs[0]), tt.prefix) {
			t.Errorf("%s: %v", tt.locator, refs)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s took %v", tt.locator, took)
		}
	}
	refs, err := d.Tab().Find(ctx, "#two", driver.FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := d.Tab().Find(ctx, string(refs[0]), driver.FindOptions{Visible: true})
	if err != nil || len(again) != 1 || again[0] != refs[0] {
		t.Errorf("a ref: %v, %v", again, err)
	}
}
