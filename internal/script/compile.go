package script

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// Place says where a text stands: the file and the line of its first line.
// Errors are told by it.
type Place struct {
	Name string
	Line int
}

// Program is a text that was compiled. It belongs to no runtime and may run in
// many, at the same time too.
type Program struct {
	program  *goja.Program
	place    Place
	declared []string // the names that it declares at its top level
	source   string
	constant goja.Value // what it gives, where it is no more than a literal
}

// Source is the text it was made of.
func (p *Program) Source() string { return p.source }

// scopeName is the global that holds the scope of the program that begins. No
// script can name it.
const scopeName = "\x00scope"

// Compile compiles an expression, or statements where it is none. What begins
// with a brace or with "function" is an expression first.
func Compile(place Place, source string) (*Program, error) {
	if v := literal(source); v != nil {
		return &Program{place: place, source: source, constant: v}, nil
	}
	if p, err := compile(place, source, asExpression); err == nil {
		return p, nil
	}
	p, err := compile(place, source, asStatements)
	if err == nil || !strings.Contains(source, "await") {
		return p, err
	}
	// A step may wait for a promise by name. An expression gives its value.
	for _, form := range []form{asAwaitedExpression, asAwaitedStatements} {
		if p, err := compile(place, source, form); err == nil {
			return p, nil
		}
	}
	return nil, err
}

// Literal is the value of a text that is a plain literal, as data.
func Literal(source string) (any, bool) {
	if v := literal(source); v != nil {
		return plain(v), true
	}
	return nil, false
}

// literal is the value of a text that is a number of few digits, a truth, or a
// quoted text without anything to escape; nil for all else. Half of what features
// write is such, and needs neither a compiler nor an engine.
func literal(source string) goja.Value {
	source = strings.TrimSpace(source)
	const digits = 15 // what a number of JavaScript holds exactly
	switch n := len(source); {
	case n == 0:
		return nil
	case source[0] == '\'' || source[0] == '"':
		if n < 2 || strings.IndexByte(source[1:], source[0]) != n-2 || strings.ContainsAny(source, "\\\n\r\u2028\u2029") {
			return nil
		}
		return primitives.ToValue(source[1 : n-1])
	case source == "true", source == "false":
		return primitives.ToValue(source == "true")
	case n > digits || n > 1 && source[0] == '0':
		return nil
	}
	number := int64(0)
	for i := range len(source) {
		d := source[i] - '0'
		if d > 9 {
			return nil
		}
		number = number*10 + int64(d)
	}
	return primitives.ToValue(number)
}

// form is how a text is read. The wrapping stands on the text's own lines, so
// that positions hold.
type form struct{ before, after string }

var (
	asExpression        = form{"(", "\n)"}
	asStatements        = form{}
	asAwaitedExpression = form{"(async () => (", "\n))()"}
	asAwaitedStatements = form{"(async () => {", "\n})()"}
)

func compile(place Place, source string, f form) (*Program, error) {
	text := f.before + source + f.after
	tree, err := parser.ParseFile(nil, place.name(len(f.before)), text, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, syntaxError(place, source, err)
	}
	p := &Program{place: place, source: source}
	readFacts(tree, source)
	p.wrap(tree)
	if p.program, err = goja.CompileAST(tree, false); err != nil {
		return nil, syntaxError(place, source, err)
	}
	return p, nil
}

// name is what the engine has for the file: what it takes to give its positions
// as those of the text is in it.
func (p Place) name(ahead int) string {
	return fmt.Sprintf("%s\x00%d\x00%d", p.Name, max(p.Line, 1), ahead)
}

func placed(at file.Position) (name string, line, column int) {
	parts := strings.Split(at.Filename, "\x00")
	line, column = at.Line, at.Column
	if len(parts) == 3 {
		first, _ := strconv.Atoi(parts[1])
		if ahead, _ := strconv.Atoi(parts[2]); line == 1 {
			column = max(column-ahead, 1)
		}
		line += first - 1
	}
	return parts[0], line, column
}

// wrap puts the whole program into a with statement on its scope: names are
// looked up in the scope where the text stands, also by functions that are called
// from elsewhere later. What is declared at the top level goes to the scope, so
// that later texts see it and other scopes do not.
func (p *Program) wrap(tree *ast.Program) {
	seen := map[string]bool{}
	declare := func(name unistring.String) {
		if s := name.String(); !seen[s] {
			seen[s] = true
			p.declared = append(p.declared, s)
		}
	}
	for _, d := range tree.DeclarationList {
		for _, b := range d.List {
			bound(b.Target, declare)
		}
	}
	tree.DeclarationList = nil
	var first, rest []ast.Statement
	for _, s := range tree.Body {
		switch s := s.(type) {
		case *ast.FunctionDeclaration:
			declare(s.Function.Name.Name)
			first = append(first, &ast.ExpressionStatement{Expression: &ast.AssignExpression{
				Operator: token.ASSIGN, Left: &ast.Identifier{Name: s.Function.Name.Name, Idx: s.Function.Name.Idx}, Right: s.Function,
			}})
			continue
		case *ast.ClassDeclaration:
			declare(s.Class.Name.Name)
			rest = append(rest, &ast.ExpressionStatement{Expression: &ast.AssignExpression{
				Operator: token.ASSIGN, Left: &ast.Identifier{Name: s.Class.Name.Name, Idx: s.Class.Name.Idx}, Right: s.Class,
			}})
			continue
		case *ast.LexicalDeclaration:
			for _, b := range s.List {
				bound(b.Target, declare)
				if b.Initializer == nil {
					b.Initializer = &ast.UnaryExpression{Operator: token.VOID, Operand: &ast.NumberLiteral{Value: int64(0)}}
				}
			}
			rest = append(rest, &ast.VariableStatement{Var: s.Idx, List: s.List})
			continue
		}
		rest = append(rest, s)
	}
	tree.Body = []ast.Statement{&ast.WithStatement{
		Object: &ast.Identifier{Name: scopeName},
		Body:   &ast.BlockStatement{List: append(first, rest...)},
	}}
}

// bound calls declare for each name that a binding binds.
func bound(target ast.BindingTarget, declare func(unistring.String)) {
	var walk func(e ast.Expression)
	walk = func(e ast.Expression) {
		switch e := e.(type) {
		case *ast.Identifier:
			declare(e.Name)
		case *ast.AssignExpression:
			walk(e.Left)
		case *ast.ArrayPattern:
			for _, x := range e.Elements {
				walk(x)
			}
			walk(e.Rest)
		case *ast.ObjectPattern:
			for _, x := range e.Properties {
				switch x := x.(type) {
				case *ast.PropertyShort:
					declare(x.Name.Name)
				case *ast.PropertyKeyed:
					walk(x.Value)
				}
			}
			walk(e.Rest)
		}
	}
	walk(target)
}

// syntaxError tells a fault of the text with its place.
func syntaxError(place Place, source string, err error) error {
	e := &Error{Name: place.Name, Line: place.Line, Message: err.Error()}
	var list parser.ErrorList
	var one *goja.CompilerSyntaxError
	switch {
	case errors.As(err, &list) && len(list) > 0:
		_, e.Line, e.Column = placed(list[0].Position)
		e.Message = "SyntaxError: " + list[0].Message
	case errors.As(err, &one):
		if one.File != nil {
			_, e.Line, e.Column = placed(one.File.Position(one.Offset))
		}
		e.Message = "SyntaxError: " + one.Message
	}
	// The end of the wrapping is the end of the text.
	e.Line = min(e.Line, max(place.Line, 1)+strings.Count(source, "\n"))
	return e
}

// Cache keeps programs by place and text, so that what many scenarios run is
// compiled once. It may be used by many goroutines.
type Cache struct {
	mu       sync.Mutex
	programs map[cacheKey]cached
}

type cacheKey struct {
	place  Place
	source string
}

type cached struct {
	program *Program
	err     error
}

// cacheLimit bounds a cache: texts that are made up as a suite runs must not
// fill the memory.
const cacheLimit = 20000

// Compile is Compile, once for each text at each place.
func (c *Cache) Compile(place Place, source string) (*Program, error) {
	if c == nil {
		return Compile(place, source)
	}
	if v := literal(source); v != nil {
		return &Program{place: place, source: source, constant: v}, nil
	}
	key := cacheKey{place, source}
	c.mu.Lock()
	have, ok := c.programs[key]
	c.mu.Unlock()
	if ok {
		return have.program, have.err
	}
	p, err := Compile(place, source)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.programs == nil || len(c.programs) >= cacheLimit {
		c.programs = map[cacheKey]cached{}
	}
	c.programs[key] = cached{p, err}
	return p, err
}
