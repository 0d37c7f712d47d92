package feature

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"rove/internal/data"
	"rove/internal/gherkin"
	"rove/internal/jsonpath"
	"rove/internal/script"
)

// change is a place in a variable that is set or removed.
type change struct {
	name, path string
	value      any
	remove     bool
	// create makes the variable where there is none: set with a table.
	create bool
}

// apply makes a change. The variable stays the same object: whoever else has it
// sees the change.
func (s *scenario) apply(c change) error {
	c.name, c.path = strings.TrimSpace(c.name), strings.TrimSpace(c.path)
	if c.path == "" {
		c.name, c.path = splitPath(c.name)
	}
	if c.name == "" {
		return errors.New("the name of a variable is missing")
	}
	if c.path == "$" {
		return fmt.Errorf("cannot replace root path $: use def to give %s another value", c.name)
	}
	target, ok := s.scope.Get(c.name)
	missing := !ok || target.Null()
	if missing && !c.create {
		return fmt.Errorf("variable is null or not set '%s'", c.name)
	}
	if strings.HasPrefix(c.path, "/") {
		return s.applyXML(c, target, missing)
	}
	if missing {
		var empty any = data.NewObject()
		if strings.HasPrefix(c.path, "$[") && !strings.HasPrefix(c.path, "$['") {
			empty = []any{}
		}
		s.scope.Set(c.name, empty)
		target, _ = s.scope.Get(c.name)
	}
	if !target.IsList() && !target.IsObject() {
		if text, ok := target.Export().(string); ok {
			return fmt.Errorf("cannot set json path on type: string (%s = %q)", c.name, text)
		}
		return fmt.Errorf("cannot set json path on type: %s (variable '%s')", data.TypeOf(target.Export()), c.name)
	}
	p, err := jsonpath.Compile(c.path)
	if err != nil {
		return err
	}
	var changed any
	if c.remove {
		changed, err = p.Delete(target.Export())
	} else {
		changed, err = p.Set(target.Export(), s.data(c.value))
	}
	if err != nil {
		return err
	}
	if !target.Assign(changed) {
		s.scope.Set(c.name, changed)
	}
	return nil
}

func (s *scenario) applyXML(c change, target script.Value, missing bool) error {
	var x *data.XML
	if missing {
		x = data.NewDocument()
		s.scope.Set(c.name, x)
	} else {
		var err error
		if x, err = asXML(target.Export()); err != nil {
			return err
		}
	}
	if c.remove {
		return x.Delete(c.path)
	}
	value := s.data(c.value)
	switch v := value.(type) {
	case *data.Object:
		node, err := data.FromObject(v)
		if err != nil {
			return err
		}
		value = node
	case *data.XML:
		value = v.Clone()
	default:
		value = data.Text(value)
	}
	if err := x.Set(c.path, value); err != nil {
		return err
	}
	s.scope.Set(c.name, x)
	return nil
}

// parenthesized says that null is meant: by default empty cells are left out.
func parenthesized(expr string) bool {
	expr = strings.TrimSpace(expr)
	return strings.HasPrefix(expr, "(") && strings.HasSuffix(expr, ")")
}

// setTable sets many places, one for each row and column.
func (s *scenario) setTable(ctx context.Context, name, path string, t *gherkin.Table) error {
	if path == "" {
		name, path = splitPath(name)
	}
	if path == "$" {
		path = ""
	}
	header := t.Rows[0].Cells
	at := -1
	var columns []int
	for i, cell := range header {
		if cell == "path" {
			at = i
		} else {
			columns = append(columns, i)
		}
	}
	if at < 0 {
		return errors.New("a table for set needs a column 'path'")
	}
	for _, row := range t.Rows[1:] {
		add := row.Cells[at]
		for n, column := range columns {
			expr := strings.TrimSpace(row.Cells[column])
			if expr == "" {
				continue
			}
			suffix := ""
			if i, err := strconv.Atoi(header[column]); err == nil {
				suffix = fmt.Sprintf("[%d]", i)
			} else if len(columns) > 1 {
				suffix = fmt.Sprintf("[%d]", n)
			}
			v, err := s.eval(ctx, expr)
			if err != nil {
				return fmt.Errorf("row %s, column %s: %w", add, header[column], err)
			}
			if s.value(v).Null() && !parenthesized(expr) {
				continue
			}
			if err := s.apply(change{name: name, path: tablePath(path, suffix, add), value: v, create: true}); err != nil {
				return fmt.Errorf("row %s: %w", add, err)
			}
		}
	}
	return nil
}

func tablePath(path, suffix, add string) string {
	if strings.HasPrefix(add, "/") || strings.HasPrefix(path, "/") {
		if path == "" {
			return add + suffix
		}
		return path + suffix + "/" + add
	}
	if path == "" {
		path = "$"
	}
	if strings.HasPrefix(add, "[") {
		return path + suffix + add
	}
	return path + suffix + "." + add
}
