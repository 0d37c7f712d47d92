package aria

// kind says how a role reads.
type kind uint8

const (
	wrapper  kind = 1 << iota // without a name its line would say nothing
	item                      // a wrapper whose parts belong together
	landmark                  // worth a line even without a name, if it holds enough
	labelled                  // a field that is named by a text beside it
	absorbs                   // reads on one line with the only thing in it
	idle                      // nothing to say when nameless and empty
	cell                      // a cell of a row
	key                       // matters though nothing can be done with it
)

var kinds = map[string]kind{
	"generic": wrapper, "none": wrapper, "presentation": wrapper, "group": wrapper, "list": wrapper,
	"listitem": wrapper | item, "article": wrapper | item, "paragraph": wrapper, "rowgroup": wrapper,
	"section": wrapper, "figure": wrapper, "document": wrapper, "application": wrapper, "main": wrapper,
	"banner": wrapper, "form": wrapper, "region": wrapper, "blockquote": wrapper, "code": wrapper,
	"emphasis": wrapper, "strong": wrapper, "subscript": wrapper, "superscript": wrapper, "time": wrapper,
	"mark": wrapper, "deletion": wrapper, "insertion": wrapper, "suggestion": wrapper, "term": wrapper,
	"definition": wrapper, "caption": wrapper, "directory": wrapper, "feed": wrapper, "table": wrapper,
	"grid": wrapper, "treegrid": wrapper, "tree": wrapper, "tablist": wrapper, "menu": wrapper,
	"menubar": wrapper, "toolbar": wrapper, "radiogroup": wrapper, "label": wrapper, "legend": wrapper,
	"tabpanel": wrapper, "note": wrapper, "comment": wrapper, "sectionheader": wrapper, "sectionfooter": wrapper,
	"row":  wrapper | item,
	"cell": wrapper | cell, "gridcell": wrapper | cell, "columnheader": wrapper | cell, "rowheader": wrapper | cell,

	"navigation": landmark, "complementary": landmark, "contentinfo": landmark, "search": landmark,

	"textbox": labelled, "searchbox": labelled, "checkbox": labelled, "radio": labelled, "switch": labelled,
	"combobox": labelled, "listbox": labelled, "slider": labelled, "spinbutton": labelled,

	"heading": absorbs | idle | key, "alert": absorbs | idle | key, "status": absorbs | idle | key, "log": absorbs | idle,
	"tooltip": absorbs | idle, "marquee": absorbs | idle,
	"dialog": key, "alertdialog": key,
	"separator": idle, "img": idle, "image": idle, "math": idle, "graphics-symbol": idle,
	"graphics-object": idle, "graphics-document": idle, "scrollbar": idle,
}

func kindOf(n *Node) kind { return kinds[n.Role] }

// matters says whether a node is more than plain text.
func matters(n *Node) bool { return n.State&Operable != 0 || kindOf(n)&key != 0 }
