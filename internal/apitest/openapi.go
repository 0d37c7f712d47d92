package apitest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/internal/data"
	"rove/internal/outlet"
)

// OpenAPI writes a description of the API, OpenAPI 3.1, of what was seen of it.
func (s *Suite) OpenAPI() []File {
	d := &describer{suite: s, schemes: data.NewObject()}
	paths := data.NewObject()
	for _, op := range d.operations() {
		one, ok := paths.Get(op.path)
		if !ok {
			one = data.NewObject()
			paths.Set(op.path, one)
		}
		one.(*data.Object).Set(strings.ToLower(op.calls[0].Method), d.operation(op))
	}
	servers := []any{}
	for _, origin := range s.Origins {
		servers = append(servers, data.NewObject("url", origin))
	}
	about := "What was seen of the API in recorded traffic; what was not seen is not here."
	alike(paths)
	root := data.NewObject("openapi", "3.1.0",
		"info", data.NewObject("title", "API of "+s.recorded[0], "version", "recorded", "description", strings.Join(append([]string{about}, s.Notes...), "\n")),
		"servers", servers, "paths", paths)
	if d.schemes.Len() > 0 {
		root.Set("components", data.NewObject("securitySchemes", d.schemes))
	}
	return s.clean([]File{{"openapi.json", data.Pretty(root) + "\n"}})
}

// operationCalls are the calls of one operation.
type operationCalls struct {
	path  string
	names []string // of what varies in the path
	calls []*Call
}

type describer struct {
	suite   *Suite
	schemes *data.Object
	ids     map[string]bool
}

func (d *describer) operations() (list []*operationCalls) {
	for _, c := range d.suite.Calls {
		if c.document || c.Origin != 0 {
			continue
		}
		path, names := c.openPath()
		i := slices.IndexFunc(list, func(o *operationCalls) bool { return o.path == path && o.calls[0].Method == c.Method })
		if i < 0 {
			list = append(list, &operationCalls{path: path, names: names})
			i = len(list) - 1
		}
		list[i].calls = append(list[i].calls, c)
	}
	return list
}

// openPath is the path with what varies between braces, named after what it is an
// id of, so that the same path has the same names in all calls.
func (c *Call) openPath() (string, []string) {
	var b strings.Builder
	var names []string
	for i, segment := range c.Path {
		text := segment.plain()
		b.WriteByte('/')
		if len(segment.variables()) == 0 && !idLike(text) {
			b.WriteString(text)
			continue
		}
		name := "id"
		if i > 0 {
			if of := identifierOf(singular(c.Path[i-1].plain())); of != "" && len(c.Path[i-1].variables()) == 0 {
				name = of + "Id"
			}
		}
		base := name
		for n := 2; slices.Contains(names, name); n++ {
			name = base + strconv.Itoa(n)
		}
		names = append(names, name)
		b.WriteString("{" + name + "}")
	}
	return b.String(), names
}

func (d *describer) operation(op *operationCalls) *data.Object {
	first := op.calls[0]
	o := data.NewObject("operationId", d.operationID(op), "summary", first.Method+" "+op.path)
	params := []any{}
	for _, name := range op.names {
		params = append(params, data.NewObject("name", name, "in", "path", "required", true, "schema", data.NewObject("type", pathType(op, name))))
	}
	params = append(params, d.fields(op, "query", func(c *Call) []*Field { return c.Query })...)
	params = append(params, d.fields(op, "header", func(c *Call) []*Field {
		return slices.DeleteFunc(slices.Clone(c.Headers), func(f *Field) bool {
			return credential(f) || strings.EqualFold(f.Name, "Accept") || strings.EqualFold(f.Name, "Authorization")
		})
	})...)
	if len(params) > 0 {
		o.Set("parameters", params)
	}
	if body := d.body(op); body != nil {
		o.Set("requestBody", body)
	}
	o.Set("responses", d.responses(op))
	if security := d.security(op); len(security) > 0 {
		o.Set("security", security)
	}
	return o
}

// pathType is integer where all that stood there were numbers.
func pathType(op *operationCalls, name string) string {
	for _, c := range op.calls {
		n := 0
		for _, segment := range c.Path {
			text := segment.plain()
			if len(segment.variables()) == 0 && !idLike(text) {
				continue
			}
			if op.names[n] == name && !digits().MatchString(text) {
				return "string"
			}
			n++
		}
	}
	return "integer"
}

func (d *describer) operationID(op *operationCalls) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(op.calls[0].Method))
	for part := range strings.FieldsFuncSeq(op.path, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	if d.ids == nil {
		d.ids = map[string]bool{}
	}
	id := b.String()
	for i := 2; d.ids[id]; i++ {
		id = b.String() + strconv.Itoa(i)
	}
	d.ids[id] = true
	return id
}

// fields are the parameters of one kind; one that some calls did without is not
// required.
func (d *describer) fields(op *operationCalls, in string, of func(*Call) []*Field) (list []any) {
	var names []string
	count := map[string]int{}
	repeated := map[string]bool{}
	for _, c := range op.calls {
		own, all := named(of(c))
		for _, name := range own {
			if count[name] == 0 {
				names = append(names, name)
			}
			count[name]++
			repeated[name] = repeated[name] || len(all[name]) > 1
		}
	}
	for _, name := range names {
		schema := data.NewObject("type", "string")
		if repeated[name] {
			schema = data.NewObject("type", "array", "items", schema)
		}
		list = append(list, data.NewObject("name", name, "in", in, "required", count[name] == len(op.calls) && in != "query", "schema", schema))
	}
	return list
}

func (d *describer) body(op *operationCalls) *data.Object {
	content := data.NewObject()
	samples := map[string][]any{}
	always := true
	for _, c := range op.calls {
		if c.Body == nil {
			always = false
			continue
		}
		kind, _, _ := strings.Cut(c.Body.Type, ";")
		if kind = strings.TrimSpace(kind); kind == "" {
			kind = "application/json"
		}
		switch c.Body.Kind {
		case "json":
			samples[kind] = append(samples[kind], sample(c.Body.JSON))
		case "form", "multipart":
			o := data.NewObject()
			for _, f := range c.Body.Fields {
				o.Set(f.Name, shown(f.Value))
			}
			samples[kind] = append(samples[kind], o)
		default:
			samples[kind] = append(samples[kind], "")
		}
		schema := jsonSchema(merge(samples[kind]))
		for _, f := range c.Body.Fields {
			if props, ok := schema.Get("properties"); ok && f.File {
				props.(*data.Object).Set(f.Name, data.NewObject("type", "string", "contentMediaType", "application/octet-stream"))
			}
		}
		content.Set(kind, data.NewObject("schema", schema))
	}
	if content.Len() == 0 {
		return nil
	}
	return data.NewObject("required", always, "content", content)
}

func (d *describer) responses(op *operationCalls) *data.Object {
	all := data.NewObject()
	byStatus := map[int][]*Call{}
	var order []int
	for _, c := range op.calls {
		if byStatus[c.Answer.Status] == nil {
			order = append(order, c.Answer.Status)
		}
		byStatus[c.Answer.Status] = append(byStatus[c.Answer.Status], c)
	}
	slices.Sort(order)
	for _, status := range order {
		r := data.NewObject("description", describeStatus(status))
		var samples []any
		kind := ""
		for _, c := range byStatus[status] {
			for _, one := range append(append([]*Call{c}, c.folded...), c.twins...) {
				if one != nil && one.Answer.Status == status && one.Answer.IsJSON {
					samples = append(samples, one.Answer.JSON)
				}
			}
			if c.Answer.Text != "" || c.Answer.IsJSON {
				kind = c.Answer.Type
			}
		}
		if kind != "" {
			media := data.NewObject("schema", data.NewObject("type", "string"))
			if len(samples) > 0 {
				media.Set("schema", jsonSchema(merge(samples)))
				if example := redacted(samples[0], ""); len(data.JSON(example)) < 4000 && !strings.Contains(data.JSON(example), outlet.Mask) {
					media.Set("example", example)
				}
			}
			r.Set("content", data.NewObject(kind, media))
		}
		all.Set(strconv.Itoa(status), r)
	}
	for _, sc := range d.suite.Scenarios {
		if n := sc.Negative; n != nil && slices.Contains(op.calls, n.Call) && n.Status > 0 {
			if _, ok := all.Get(strconv.Itoa(n.Status)); !ok {
				all.Set(strconv.Itoa(n.Status), data.NewObject("description", describeStatus(n.Status)))
			}
		}
	}
	return all
}

func describeStatus(status int) string { return fmt.Sprintf("as answered with %d", status) }

// security are the ways in which the calls proved who makes them.
func (d *describer) security(op *operationCalls) (list []any) {
	add := func(name string, scheme *data.Object) {
		if _, ok := d.schemes.Get(name); !ok {
			d.schemes.Set(name, scheme)
		}
		for _, one := range list {
			if _, ok := one.(*data.Object).Get(name); ok {
				return
			}
		}
		list = append(list, data.NewObject(name, []any{}))
	}
	for _, c := range op.calls {
		for _, h := range c.Headers {
			if !credential(h) || len(h.Value) == 0 {
				continue
			}
			switch how := strings.ToLower(strings.TrimSpace(h.Value[0].Lit)); {
			case strings.EqualFold(h.Name, "Authorization") && (how == "bearer" || how == "basic"):
				add(how, data.NewObject("type", "http", "scheme", how))
			case strings.EqualFold(h.Name, "Authorization"):
				add("authorization", data.NewObject("type", "apiKey", "in", "header", "name", "Authorization"))
			case !strings.Contains(words(h.Name), "csrf") && !strings.Contains(words(h.Name), "xsrf"):
				add(identifierOf(h.Name), data.NewObject("type", "apiKey", "in", "header", "name", h.Name))
			}
		}
		if !slices.Contains(d.suite.Auth, c) {
			for _, name := range d.suite.Cookies {
				if c.sent[name] != "" {
					add("cookie"+identifierOf(name), data.NewObject("type", "apiKey", "in", "cookie", "name", name))
				}
			}
		}
	}
	return list
}

// jsonSchema writes a schema as JSON Schema 2020-12.
func jsonSchema(s *Schema) *data.Object {
	var types []any
	for _, t := range []struct {
		is   bool
		name string
	}{{s.Object, "object"}, {s.List, "array"}, {s.String, "string"}, {s.Number && s.Whole, "integer"}, {s.Number && !s.Whole, "number"}, {s.Flag, "boolean"}, {s.Null, "null"}} {
		if t.is {
			types = append(types, t.name)
		}
	}
	o := data.NewObject()
	switch {
	case len(types) == 1 && types[0] != "null":
		o.Set("type", types[0])
	case len(types) > 1:
		o.Set("type", types)
	}
	if s.String && s.Format != "" && (s.Format != "date-time" || standardTime(s.Example)) {
		o.Set("format", s.Format)
	}
	if s.Object && s.Open {
		o.Set("additionalProperties", true)
	}
	if s.Object && !s.Open {
		props, required := data.NewObject(), []any{}
		for _, k := range s.Keys {
			props.Set(k, jsonSchema(s.Props[k]))
			if !s.Props[k].Optional {
				required = append(required, k)
			}
		}
		o.Set("properties", props)
		if len(required) > 0 {
			o.Set("required", required)
		}
	}
	if s.List {
		items := data.NewObject()
		if s.Items != nil {
			items = jsonSchema(s.Items)
		}
		o.Set("items", items)
	}
	return o
}

// alike has what is called the same be of the same kind of number everywhere: an amount
// that was 12 in all answers of one operation was 12.5 in those of another.
func alike(root any) {
	fractions := map[string]bool{}
	for _, change := range []bool{false, true} {
		numbers(root, func(name string, schema *data.Object, types []any) {
			if slices.Contains(types, any("number")) {
				fractions[name] = true
			}
			if n := slices.Index(types, any("integer")); change && n >= 0 && fractions[name] {
				types[n] = "number"
				if schema.Set("type", types[0]); len(types) > 1 {
					schema.Set("type", types)
				}
			}
		})
	}
}

// numbers tells of every schema with types below a value that is the property of an object,
// or the items of one.
func numbers(v any, tell func(name string, schema *data.Object, types []any)) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			numbers(one, tell)
		}
	case *data.Object:
		for k, one := range v.All() {
			props, ok := one.(*data.Object)
			if k == "example" {
				continue
			}
			if k == "properties" && ok {
				for name, schema := range props.All() {
					named := schema
					for { // the items of a list are called as it is
						o, ok := named.(*data.Object)
						if !ok {
							break
						}
						types, several := get(o, "type").([]any)
						if !several {
							types = []any{get(o, "type")}
						}
						tell(name, o, types)
						named = get(o, "items")
					}
				}
			}
			numbers(one, tell)
		}
	}
}

func get(o *data.Object, key string) any {
	v, _ := o.Get(key)
	return v
}

// standardTime says whether a moment is written as the format date-time wants it.
func standardTime(v any) bool {
	text, _ := v.(string)
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}
