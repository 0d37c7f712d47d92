package recording

import (
	"strings"

	"rove/internal/wire"
)

// HeldFunction is a function in JavaScript: what the field holds that a query leads to,
// as a person would say it: its text, the option that is chosen, whether it is ticked.
const HeldFunction = `(function(q){var e=/^[/(]/.test(q)?document.evaluate(q,document,null,9,null).singleNodeValue:document.querySelector(q);` +
	`return !e?null:e.type=='checkbox'||e.type=='radio'?String(e.checked):e.tagName=='SELECT'?(e.selectedOptions[0]||{text:''}).text.trim():e.isContentEditable?e.innerText.trim():e.value})`

// Held is a script that gives what the field holds that a query leads to.
func Held(query string) string {
	data, err := wire.Marshal(query)
	if err != nil {
		return "null"
	}
	return HeldFunction + "(" + string(data) + ")"
}

// Plain is the first way to an element that a page itself understands, CSS or XPath;
// "" for none.
func (who *Identity) Plain() string {
	for _, w := range who.Ways {
		if w.Query != "" && !strings.HasPrefix(w.Query, "{") {
			return w.Query
		}
	}
	return ""
}
