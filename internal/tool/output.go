package tool

import (
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"rove"
	"rove/perceive"
)

// outputs are the types of the data that tools answer with, where a program may
// want to know them beforehand.
var outputs = map[string]reflect.Type{
	"look": reflect.TypeFor[rove.LookResult](),
	"act":  reflect.TypeFor[rove.ActResult](),
	"go":   reflect.TypeFor[rove.GoResult](),
	"wait": reflect.TypeFor[rove.WaitResult](),
	"eval": reflect.TypeFor[rove.EvalResult](),

	"browser_navigate":          reflect.TypeFor[navigated](),
	"browser_snapshot":          reflect.TypeFor[rove.LookResult](),
	"browser_take_screenshot":   reflect.TypeFor[pictured](),
	"read_image":                reflect.TypeFor[pictured](),
	"browser_get_text":          reflect.TypeFor[texted](),
	"browser_eval":              reflect.TypeFor[rove.EvalResult](),
	"browser_click":             reflect.TypeFor[rove.ActResult](),
	"browser_type":              reflect.TypeFor[rove.ActResult](),
	"browser_key_press":         reflect.TypeFor[rove.ActResult](),
	"browser_select":            reflect.TypeFor[rove.ActResult](),
	"browser_hover":             reflect.TypeFor[rove.ActResult](),
	"browser_scroll":            reflect.TypeFor[rove.ActResult](),
	"browser_upload":            reflect.TypeFor[rove.ActResult](),
	"browser_handle_dialog":     reflect.TypeFor[rove.ActResult](),
	"browser_go_back":           reflect.TypeFor[rove.ActResult](),
	"browser_go_forward":        reflect.TypeFor[rove.ActResult](),
	"browser_reload":            reflect.TypeFor[rove.ActResult](),
	"browser_wait_for_selector": reflect.TypeFor[rove.FoundResult](),
	"browser_wait_for":          reflect.TypeFor[rove.WaitResult](),
	"browser_resize":            reflect.TypeFor[resized](),
	"browser_pdf":               reflect.TypeFor[rove.File](),
	"browser_files":             reflect.TypeFor[fileList](),

	"browse_navigate": reflect.TypeFor[perceive.Navigated](),
	"browse_click":    reflect.TypeFor[perceive.Clicked](),
	"browse_type":     reflect.TypeFor[perceive.Typed](),
	"browse_scroll":   reflect.TypeFor[perceive.Scrolled](),
	"browse_keypress": reflect.TypeFor[perceive.KeyPressed](),
	"browse_wait":     reflect.TypeFor[perceive.Waited](),
	"browse_observe":  reflect.TypeFor[perceive.Observed](),

	"derive_script": reflect.TypeFor[scripted](),
	"derive_api":    reflect.TypeFor[derivedAPI](),
	"replay":        reflect.TypeFor[rove.ReplayResult](),
}

// Output is the JSON schema of a tool's data, for doors that were asked for it: it
// costs more than all inputs together. It is nil where there is none.
func (t *Tool) Output() *jsonschema.Schema {
	typ := outputs[t.Name]
	if typ == nil {
		return nil
	}
	s, err := jsonschema.ForType(typ, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[rove.Actions](): {Type: "object", Description: "the operations that make sense now, by ref; those of the page are under _page"},
	}})
	if err != nil {
		panic(fmt.Sprintf("tool: output of %s: %v", t.Name, err)) // a mistake in the table, found by any test
	}
	looseSchema(s, 0)
	return s
}

// looseSchema keeps a schema to the names and kinds of what is there: versions may add
// to it, and below the first level the names are enough.
func looseSchema(s *jsonschema.Schema, depth int) {
	if s == nil {
		return
	}
	s.AdditionalProperties = nil
	if depth == 0 {
		s.Required = nil
	}
	for name, p := range s.Properties {
		if depth > 0 {
			s.Properties[name] = &jsonschema.Schema{Type: p.Type, Types: p.Types}
			continue
		}
		looseSchema(p, depth+1)
		looseSchema(p.Items, depth+1)
	}
}

// outputOf turns a verb's result into an output. Its picture goes out as one, not
// as text within the data.
func outputOf(r interface{ Text() string }, picture *[]byte) Output {
	out := Output{Data: r}
	if picture != nil && len(*picture) > 0 {
		out.Images = []Image{{"image/png", *picture}}
		*picture = nil
	}
	out.Text = r.Text()
	return out
}
