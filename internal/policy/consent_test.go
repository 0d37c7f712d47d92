package policy_test

import (
	"strings"
	"testing"

	"rove/internal/policy"
)

func TestCaps(t *testing.T) {
	cases := []struct {
		list    []string
		off, on string // names that are
		wrong   string // in the error
	}{
		{nil, "", "eval upload download file pdf screenshot console network", ""},
		{[]string{"all"}, "", "eval network", ""},
		{[]string{"none"}, "eval upload download file pdf screenshot console network", "", ""},
		{[]string{"-eval"}, "eval", "upload pdf", ""},
		{[]string{" -Eval ", "-pdf", "-eval"}, "eval pdf", "upload", ""},
		{[]string{"eval", "pdf"}, "upload download network", "eval pdf", ""},
		{[]string{"evil"}, "", "", "there are eval, upload"},
		{[]string{"-evil"}, "", "", "there are eval, upload"},
		{[]string{"eval", "-pdf"}, "", "", "not both"},
		{[]string{"none", "eval"}, "", "", "no capability"},
	}
	for _, c := range cases {
		caps, err := policy.ParseCaps(c.list)
		if (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%q: %v", c.list, err)
			continue
		}
		for _, name := range strings.Fields(c.off) {
			if err := caps.Check(name); !caps.Off(name) || err == nil || !strings.Contains(err.Error(), "--caps") {
				t.Errorf("%q: %s is on: %v", c.list, name, err)
			}
		}
		for _, name := range strings.Fields(c.on) {
			if caps.Off(name) || caps.Check(name) != nil {
				t.Errorf("%q: %s is off", c.list, name)
			}
		}
	}
	caps, _ := policy.ParseCaps([]string{"-eval", "-pdf"})
	if err := caps.Check("eval"); !strings.HasSuffix(err.Error(), "--caps -pdf") {
		t.Errorf("how to allow it: %v", err)
	}
}

// TestConfirm has what falls under a rule, and what only looks like it.
func TestConfirm(t *testing.T) {
	const shop = "https://shop.example/cart"
	op := func(op, how, name, url string) policy.Operation {
		return policy.Operation{Op: op, Name: name, Known: true, URL: url, Sets: how == "sets", Asked: how == "asked"}
	}
	shows := func(o policy.Operation, words string) policy.Operation { o.Words = words; return o }
	unknown := func(o policy.Operation) policy.Operation {
		o.Known = false
		return o
	}
	cases := []struct {
		rule string
		op   policy.Operation
		asks bool
	}{
		{"upload", op("upload", "", "File", shop), true},
		{"upload", op("click", "sets", "upload", shop), false},
		{"click:Buy", op("click", "", "Buy now", shop), true},
		{"click:buy", op("click", "", "BUY", shop), true},
		{"click:Buy", op("click", "", "Look", shop), false},
		{"click:Buy", op("click", "", "B\u00adu\u200by", shop), true},
		{"click:Buy now", op("click", "", "Ｂｕｙ\u00a0\u2003𝐧𝐨𝐰", shop), true},
		{"click:/^buy$/i", op("click", "", "B\u2060uy", shop), true},
		{"click:Buy", op("click", "", "B u\u00a0y now", shop), true},
		{"click:Buy", op("click", "", "B.u-y!", shop), true},
		{"click:Buy now", op("click", "", "Buy-now", shop), true},
		{"click:Sign in", op("click", "", "Designing", shop), false},
		{"click:Buy", op("click", "", "Club, uyuni", shop), false},
		{"click:Buy", op("click", "", "B\u0332u\u0332y\u0332", shop), true},
		{"click:Buy", op("click", "", "Búÿ", shop), true},
		{"click:Löschen", op("click", "", "LO\u0308SCHEN", shop), true},
		{"click:Buy", op("click", "", "Вuу", shop), true}, // Cyrillic
		{"click:Buy", op("click", "", "ΒυΥ", shop), true}, // Greek
		{"click:Buy", op("click", "", "ʙᴜʏ", shop), true},
		{"click:Buy", op("click", "", "🅱🅤🇾", shop), true},
		{"click:Buy", op("click", "", "8uy", shop), true},
		{"click:Buy", op("click", "", "ßuʎ", shop), true},
		{"click:Buy", op("click", "", "ᗷᑌ¥", shop), true},
		{"click:Buy", op("click", "", "₿µy", shop), true},
		{"click:Buy", op("click", "", "Ⲃ𐌖Ɏ", shop), true},
		{"click:Buy", op("click", "", "\u202eyuB\u202c now", shop), true},
		{"click:Buy now", op("click", "", "Buy \u202ewon", shop), true},
		{"click:/^buy/i", op("click", "", "\u202eyuB", shop), true},
		{"click:/^buy/i", op("click", "", "8uy", shop), true},
		{"click:Delete", op("click", "", "DЕLEТЕ", shop), true},
		{"click:/Return 10/", op("click", "", "Rеturn 10", shop), true},
		{"click:Confirm", op("click", "", "Coni\ufb01rrn", shop), false},
		{"click:Confirm", op("click", "", "Con\ufb01rrn", shop), true},
		{"click:Pay", op("click", "", "P4y", shop), true},
		{"click:Login", op("click", "", "1ogin", shop), true},
		{"click:LOGIN", op("click", "", "IogIn", shop), true},
		{"click:Pay 10", op("click", "", "Pay 10", shop), true},
		{"click:Pay 10", op("click", "", "Pay 20", shop), false},
		{"click:Buy", op("dialog", "sets", "Buy it now?", shop), true},
		{"click:Buy", op("dialog", "", "Buy it now?", shop), false},
		{"dialog:Buy", op("dialog", "", "Buy it now?", shop), true},
		{"click:Вход", op("click", "", "вход", shop), true},
		{"click:/^buy/i", op("click", "", "B u y it", shop), true},
		{"click:/^buy/i", op("click", "", "Вuу it", shop), true},
		{"click:", op("click", "", "", shop), true},
		{"click:Buy", shows(op("click", "", "Continue", shop), "Buy"), true},
		{"click:Buy", shows(op("click", "", "Continue", shop), "Look\nBuy it"), true},
		{"click:Buy", shows(op("click", "", "Continue", shop), "Look"), false},
		{"click:Buy", op("dblclick", "sets", "Buy", shop), true},
		{"click:Buy", op("check", "sets", "Buy it monthly", shop), true},
		{"click:Buy", op("press", "sets", "Buy", shop), true},
		{"click:Buy", op("drag", "sets", "Buy", shop), true},
		{"click:Buy", op("mark", "sets", "Buy", shop), true},
		{"click:Buy", op("press", "", "Buy", shop), false},
		{"click:Buy", op("press", "asked", "Buy", shop), false},
		{"click:Buy", op("hover", "", "Buy", shop), false},
		{"click:Buy", unknown(op("click", "", "", shop)), true},
		{"click:Buy", unknown(op("hover", "", "", shop)), false},
		{"click:/^(buy|pay)\\b/i", op("click", "", "Pay", shop), true},
		{"click:/^(buy|pay)\\b/i", op("click", "", "Payment", shop), false},
		{"click:/a@b/", op("click", "", "to a@b", shop), true},
		{"*", op("input", "", "Name", shop), true},
		{"*", op("input", "asked", "Name", shop), false},
		{"*", op("go", "", "", shop), true},
		{"*", op("scroll", "", "", shop), false},
		{"*@shop.example", op("click", "", "x", shop), true},
		{"*@shop.example", op("click", "", "x", "https://shop.example:8443/"), true},
		{"*@shop.example", op("click", "", "x", "https://other.example/"), false},
		{"*@shop.example", op("click", "", "x", "about:blank"), false},
		{"go@*.bank.example", op("go", "", "", "https://www.bank.example/"), true},
		{"go@*.bank.example", op("go", "", "", "https://bank.example.evil/"), false},
		{"click:Delete@https://shop.example", op("click", "", "Delete all", shop), true},
		{"click:Delete@https://shop.example", op("click", "", "Delete all", "http://shop.example/"), false},
		{"eval", op("eval", "", "", shop), true},
	}
	ops := []string{"upload", "click", "go", "eval", "dialog"}
	for _, c := range cases {
		rules, err := policy.ParseConfirm([]string{c.rule}, ops)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		if got := rules.Asks(c.op); (got == c.rule) != c.asks {
			t.Errorf("%s: %+v: %q", c.rule, c.op, got)
		}
	}
	for rule, why := range map[string]string{
		"": "no operation", "clik": "there are upload, click", "click:/(": "regular expression", "click:/(/": "parsing", "click@a b": "pattern", "click:/x/g": "/…/i",
	} {
		if _, err := policy.ParseConfirm([]string{rule}, ops); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", rule, err)
		}
	}
}
