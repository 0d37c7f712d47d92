package feature

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"rove/internal/data"
	"rove/internal/gherkin"
	"rove/internal/script"
)

// The keywords of data and flow. Those of HTTP and of the browser are in files
// of their own.
func init() {
	addKeywords(map[string]keyword{
		"def":       {run: assign(asIs)},
		"copy":      {run: assign(asCopy)},
		"json":      {run: assign(asJSONValue)},
		"xml":       {run: assign(asXMLValue)},
		"xmlstring": {run: assign(asXMLText)},
		"string":    {run: assign(asText)},
		"bytes":     {run: assign(asBytes)},
		"text":      {run: assignDoc(func(text string) (any, error) { return text, nil })},
		"yaml":      {run: assignDoc(data.ParseYAML)},
		"csv": {run: assignDoc(func(text string) (any, error) {
			list, err := data.ParseCSV(text)
			return list, err
		})},
		"table":     {run: runTable},
		"replace":   {run: runReplace},
		"set":       {run: runSet},
		"remove":    {run: runRemove},
		"assert":    {run: runAssert},
		"print":     {run: runPrint},
		"eval":      {run: runEval},
		"match":     {run: runMatch},
		"call":      {run: runCall},
		"callonce":  {run: runCall},
		"configure": {run: runConfigure},
		"doc":       {run: runDoc},
		"listen":    {run: runListen},
	})
}

var nameForm = regexp.MustCompile(`^[a-zA-Z_$][\w$]*$`)

// validName says why a name cannot be that of a variable.
func validName(name string) error {
	switch {
	case !nameForm.MatchString(name):
		return fmt.Errorf("invalid variable name: %s", name)
	case name == "karate":
		return errors.New("'karate' is a reserved name")
	case name == "request":
		return errors.New("'request' is a reserved name, use the form '* request <expression>' instead")
	}
	return nil
}

// splitAssign parts a name from the expression behind the equals sign.
func splitAssign(in *input) (name, expr string, err error) {
	name, expr, ok := strings.Cut(in.rest, "=")
	if !ok {
		return "", "", fmt.Errorf("%s needs a name, = and an expression: %s", in.word, in.step.text)
	}
	return strings.TrimSpace(name), in.expression(expr), nil
}

// cast makes one kind of value of any.
type cast func(s *scenario, v any) (any, error)

func assign(c cast) func(*scenario, *input) error {
	return func(s *scenario, in *input) error {
		name, expr, err := splitAssign(in)
		if err != nil {
			return err
		}
		if err := validName(name); err != nil {
			return err
		}
		v, err := s.eval(in.ctx, expr)
		if err != nil {
			return err
		}
		if v, err = c(s, v); err != nil {
			return err
		}
		s.scope.Set(name, v)
		return nil
	}
}

// assignDoc is for keywords whose doc string is taken as it is; without one the
// expression gives the text.
func assignDoc(read func(text string) (any, error)) func(*scenario, *input) error {
	return func(s *scenario, in *input) error {
		name, expr, ok := strings.Cut(in.rest, "=")
		if !ok {
			return fmt.Errorf("%s needs a name and =: %s", in.word, in.step.text)
		}
		name = strings.TrimSpace(name)
		if err := validName(name); err != nil {
			return err
		}
		text := in.doc
		if !in.hasDoc {
			v, err := s.evalData(in.ctx, expr)
			if err != nil {
				return err
			}
			text = data.Text(v)
		}
		v, err := read(text)
		if err != nil {
			return err
		}
		s.scope.Set(name, v)
		return nil
	}
}

func asIs(_ *scenario, v any) (any, error) { return v, nil }

func asCopy(s *scenario, v any) (any, error) { return data.Clone(s.data(v)), nil }

func asText(s *scenario, v any) (any, error) { return data.Text(s.data(v)), nil }

func asJSONValue(s *scenario, v any) (any, error) {
	switch d := s.data(v).(type) {
	case string, *data.XML:
		return asJSON(d)
	case []byte:
		return data.ParseRelaxed(string(d))
	default:
		return v, nil
	}
}

func asXMLValue(s *scenario, v any) (any, error) { return asXML(s.data(v)) }

func asXMLText(s *scenario, v any) (any, error) {
	x, err := asXML(s.data(v))
	if err != nil {
		return nil, err
	}
	return x.String(), nil
}

func asBytes(s *scenario, v any) (any, error) {
	d := s.data(v)
	if b, ok := d.([]byte); ok {
		return b, nil
	}
	return []byte(data.Text(d)), nil
}

// rows gives the rows of a step's table.
func rows(in *input) ([]gherkin.Row, error) {
	if in.table == nil || len(in.table.Rows) == 0 {
		return nil, fmt.Errorf("%s needs a table below the step", in.word)
	}
	return in.table.Rows, nil
}

func runTable(s *scenario, in *input) error {
	all, err := rows(in)
	if err != nil {
		return err
	}
	if err := validName(in.rest); err != nil {
		return err
	}
	list := []any{}
	for _, row := range all[1:] {
		o := data.NewObject()
		for i, cell := range row.Cells {
			v, err := s.eval(in.ctx, cell)
			if err != nil {
				return fmt.Errorf("line %d, column %s: %w", row.Line, all[0].Cells[i], err)
			}
			if s.value(v).Null() && !parenthesized(cell) {
				continue
			}
			o.Set(all[0].Cells[i], v)
		}
		list = append(list, o)
	}
	s.scope.Set(in.rest, list)
	return nil
}

func runReplace(s *scenario, in *input) error {
	if left, expr, ok := strings.Cut(in.rest, "="); ok && in.table == nil {
		name, token, ok := strings.Cut(strings.TrimSpace(left), ".")
		if !ok {
			return fmt.Errorf("replace needs name.token = expression: %s", in.step.text)
		}
		return s.replace(in, name, token, in.expression(expr))
	}
	all, err := rows(in)
	if err != nil {
		return err
	}
	at, value := -1, -1
	for i, cell := range all[0].Cells {
		if cell == "token" {
			at = i
		} else if value < 0 {
			value = i
		}
	}
	if at < 0 || value < 0 {
		return errors.New("a table for replace needs a column 'token' and one with the values")
	}
	for _, row := range all[1:] {
		if err := s.replace(in, in.rest, row.Cells[at], row.Cells[value]); err != nil {
			return err
		}
	}
	return nil
}

func (s *scenario) replace(in *input, name, token, expr string) error {
	name, token, expr = strings.TrimSpace(name), strings.TrimSpace(token), strings.TrimSpace(expr)
	target, ok := s.scope.Get(name)
	if !ok {
		return fmt.Errorf("no variable found with name: %s", name)
	}
	if expr == "" || token == "" {
		return nil
	}
	v, err := s.evalData(in.ctx, expr)
	if err != nil {
		return fmt.Errorf("expression error (replace string values need to be within quotes): %w", err)
	}
	if v == nil || v == data.Undefined {
		return nil
	}
	if c := token[0]; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
		token = "<" + token + ">"
	}
	s.scope.Set(name, strings.ReplaceAll(data.Text(target.Export()), token, data.Text(v)))
	return nil
}

func runSet(s *scenario, in *input) error {
	if in.table != nil {
		name, path, _ := strings.Cut(in.rest, " ")
		return s.setTable(in.ctx, name, strings.TrimSpace(path), in.table)
	}
	name, path, expr, ok := cutSet(in.rest)
	if !ok {
		return fmt.Errorf("set needs a path, = and an expression, or a table: %s", in.step.text)
	}
	v, err := s.eval(in.ctx, in.expression(expr))
	if err != nil {
		return err
	}
	return s.apply(change{name: name, path: path, value: v})
}

// cutSet parts the left side of set from the right: the equals sign is the first
// that is not in brackets or quotes.
func cutSet(text string) (name, path, expr string, ok bool) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		case c == '=' && depth <= 0:
			left := strings.TrimSpace(text[:i])
			name, path, _ = strings.Cut(left, " ")
			return name, strings.TrimSpace(path), text[i+1:], name != ""
		}
	}
	return "", "", "", false
}

func runRemove(s *scenario, in *input) error {
	name, path, _ := strings.Cut(in.rest, " ")
	if err := s.apply(change{name: name, path: path, remove: true}); err != nil {
		s.print("remove failed: " + err.Error())
	}
	return nil
}

func runAssert(s *scenario, in *input) error {
	expr := in.expression(in.rest)
	v, err := s.js(in.ctx, expr)
	if err != nil {
		return err
	}
	if v.Export() != true {
		return fmt.Errorf("did not evaluate to 'true': %s", expr)
	}
	return nil
}

func runPrint(s *scenario, in *input) error {
	if !s.config.bool("printEnabled") {
		return nil
	}
	_, err := s.js(in.ctx, "karate.log('[print]',"+in.expression(in.rest)+"\n)")
	return err
}

func runEval(s *scenario, in *input) error {
	_, err := s.js(in.ctx, in.expression(in.rest))
	return err
}

func runConfigure(s *scenario, in *input) error {
	name, expr, err := splitAssign(in)
	if err != nil {
		return err
	}
	v, err := s.eval(in.ctx, expr)
	if err != nil {
		return err
	}
	return s.configureValue(name, s.value(v))
}

func runDoc(s *scenario, in *input) error {
	v, err := s.evalData(in.ctx, in.expression(in.rest))
	if err != nil {
		return err
	}
	_, err = s.document(in.ctx, v)
	return err
}

// logged is what print and log write of a value.
func logged(v script.Value) string {
	switch d := v.Export().(type) {
	case string:
		return d
	case *data.XML:
		return d.Pretty()
	case *data.Object, []any:
		return data.Pretty(d)
	default:
		return data.Text(d)
	}
}
