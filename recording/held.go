package recording

import (
	"strconv"
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

// keptFunction is a function in JavaScript: whether the application answers with a text
// when it is asked for an address of its own, whatever spaces stand between its words.
const keptFunction = `(function(p,t,there){var r=new XMLHttpRequest(),c=function(s){return s.replace(/\s+/g,'')};try{r.open('GET',p,false);r.send()}catch(e){return false}` +
	`return r.status<(there?400:500)&&(c(r.responseText).indexOf(c(t))>=0)==there})`

// KeptFunction is keptFunction as a check of this kind has it.
func KeptFunction(kind string) (before, after string) {
	return keptFunction + "(", "," + strconv.FormatBool(kind == "kept") + ")"
}

// Kept is a script that says whether a check of what is kept, or is no longer, is so. A
// flow may be anybody's: it asks for nothing but paths of the page's own site.
func Kept(kind, path, text string) string {
	p, err := wire.Marshal(path)
	t, err2 := wire.Marshal(text)
	if err != nil || err2 != nil || len(path) < 2 || path[0] != '/' || path[1] == '/' || path[1] == '\\' {
		return "false"
	}
	before, after := KeptFunction(kind)
	return before + string(p) + "," + string(t) + after
}

// InParts is where a text is whose words stand in boxes beside each other, with nothing
// between them in the markup; "" where that makes no difference.
func InParts(text string) string {
	said := strings.Join(strings.Fields(text), "")
	quote := "'"
	if strings.Contains(said, quote) {
		quote = `"`
	}
	if said == text || strings.Contains(said, quote) {
		return ""
	}
	has := "contains(translate(normalize-space(.),' ','')," + quote + said + quote + ")"
	return "//body/descendant-or-self::*[not(self::script or self::style)][" + has + " and not(*[" + has + "])]"
}
