package perceive

import (
	"slices"
	"strings"
)

// UiElement is something on the page that a person would point at.
type UiElement struct {
	ID         string        `json:"id"` // el_0, el_1, …: good for one observation
	Role       UiRole        `json:"role"`
	Name       string        `json:"name,omitempty"`
	Value      *string       `json:"value,omitempty"`
	Bounds     Bounds        `json:"bounds"`
	States     []UiState     `json:"states,omitempty"`
	Confidence float64       `json:"confidence"` // 0 to 1, that it is what it says
	Source     ElementSource `json:"source"`
	AXRef      string        `json:"ax_ref,omitempty"` // its accessibility id

	// Interactive: something can be done with it.
	Interactive bool `json:"interactive,omitempty"`
}

// Is says whether the element is in a state.
func (e *UiElement) Is(s UiState) bool { return slices.Contains(e.States, s) }

// UiRole is what an element is to a person: ARIA's many roles in few words.
type UiRole string

const (
	Button    UiRole = "Button"
	Link      UiRole = "Link"
	TextInput UiRole = "TextInput"
	Checkbox  UiRole = "Checkbox"
	Radio     UiRole = "Radio"
	Dropdown  UiRole = "Dropdown"
	Slider    UiRole = "Slider"
	Menu      UiRole = "Menu"
	MenuItem  UiRole = "MenuItem"
	Option    UiRole = "Option"
	Tab       UiRole = "Tab"
	TreeItem  UiRole = "TreeItem"
	Dialog    UiRole = "Dialog"
	Alert     UiRole = "Alert"
	Heading   UiRole = "Heading"
	Image     UiRole = "Image"
	Text      UiRole = "Text"
	Container UiRole = "Container"
	List      UiRole = "List"
	ListItem  UiRole = "ListItem"
	Table     UiRole = "Table"
	TableRow  UiRole = "TableRow"
	TableCell UiRole = "TableCell"
	Toolbar   UiRole = "Toolbar"
	Progress  UiRole = "Progress"
	Frame     UiRole = "Frame"
	Clickable UiRole = "Clickable" // it reacts to the pointer, and says nothing of what it is
)

var roles = map[string]UiRole{
	"button": Button, "togglebutton": Button, "popupbutton": Dropdown, "disclosuretriangle": Button,
	"link":    Link,
	"textbox": TextInput, "textfield": TextInput, "searchbox": TextInput, "searchfield": TextInput, "textarea": TextInput, "spinbutton": TextInput,
	"checkbox": Checkbox, "switch": Checkbox, "radio": Radio, "radiobutton": Radio,
	"combobox": Dropdown, "listbox": Dropdown, "select": Dropdown,
	"slider": Slider, "scrollbar": Slider,
	"menu": Menu, "menubar": Menu, "menuitem": MenuItem, "menuitemcheckbox": MenuItem, "menuitemradio": MenuItem,
	"option": Option, "tab": Tab, "treeitem": TreeItem,
	"dialog": Dialog, "alertdialog": Dialog,
	"alert": Alert, "status": Alert, "log": Alert,
	"heading": Heading, "img": Image, "image": Image, "canvas": Image, "video": "Video", "audio": "Audio",
	"text": Text, "statictext": Text, "paragraph": Text, "label": Text, "caption": Text, "legend": Text, "code": Text, "time": Text,
	"document": Container, "rootwebarea": Container, "generic": Container, "group": Container, "region": Container, "main": Container,
	"navigation": Container, "banner": Container, "contentinfo": Container, "complementary": Container, "form": Container,
	"search": Container, "article": Container, "section": Container, "none": Container, "presentation": Container,
	"tabpanel": Container, "radiogroup": Container, "application": Container, "figure": Container, "blockquote": Container,
	"rowgroup": Container, "feed": Container, "note": Container, "term": Container, "definition": Container,
	"list": List, "directory": List, "listitem": ListItem,
	"table": Table, "grid": Table, "treegrid": Table, "tree": "Tree", "row": TableRow,
	"cell": TableCell, "gridcell": TableCell, "columnheader": TableCell, "rowheader": TableCell,
	"toolbar": Toolbar, "tablist": Toolbar,
	"progressbar": Progress, "meter": "Meter",
	"iframe": Frame, "clickable": Clickable,
}

// RoleOf gives the role for a role of the accessibility tree. One that is not
// known keeps its name.
func RoleOf(role string) UiRole {
	role = strings.ToLower(strings.TrimSpace(role))
	if r, ok := roles[role]; ok {
		return r
	}
	if role == "" {
		return Container
	}
	return UiRole(strings.ToUpper(role[:1]) + role[1:])
}

// Interactive says whether people operate elements of the role.
func (r UiRole) Interactive() bool {
	switch r {
	case Button, Link, TextInput, Checkbox, Radio, Dropdown, Slider, MenuItem, Option, Tab, TreeItem, Clickable:
		return true
	}
	return false
}

// UiState is a state an element is in: a word of its row.
type UiState string

const (
	Focused     UiState = "focused"
	Disabled    UiState = "disabled"
	Checked     UiState = "checked"
	Mixed       UiState = "mixed"
	Expanded    UiState = "expanded"
	Collapsed   UiState = "collapsed"
	Selected    UiState = "selected"
	Pressed     UiState = "pressed"
	Required    UiState = "required"
	Invalid     UiState = "invalid"
	ReadOnly    UiState = "readonly"
	Current     UiState = "current"
	Modal       UiState = "modal"
	Busy        UiState = "busy"
	Masked      UiState = "masked"
	Offscreen   UiState = "offscreen" // to be scrolled to
	placeholder         = "placeholder"
)

// told are the states that elements have, in the order they are told. What else
// a backend says of a node is for the stages.
var told = []UiState{
	Focused, Disabled, Checked, Mixed, Expanded, Collapsed, Selected, Pressed, Required, Invalid, ReadOnly, Current, Modal, Busy, Masked, Offscreen,
}

// ElementSource is where an element, or its name, was seen.
type ElementSource string

const (
	FromAccessibility ElementSource = "accessibility"
	FromOCR           ElementSource = "ocr"    // text alone: an element is never made of it
	FromBoth          ElementSource = "merged" // the element from one, its name from the other
)
