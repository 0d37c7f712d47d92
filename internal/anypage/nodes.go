package anypage

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"rove/driver/backend"
	"rove/internal/wire"
)

// World is one of the two in which scripts run in a frame.
type World int

const (
	ScriptWorld World = iota // of the page script, which the page cannot see
	PageWorld                // of the page itself
)

// Caller is what of a protocol makes all the rest of a page possible: it calls functions
// in a world of one frame. N is how the protocol knows a node; one that came from a call
// may be given to another, in either world.
type Caller[N any] interface {
	// Value calls a function and gives what it returns as JSON, once its promise is
	// kept. What JSON cannot say (NaN, a bigint) comes as a string, undefined as null.
	Value(ctx context.Context, w World, function string, args ...Arg[N]) ([]byte, error)
	// Nodes calls a function that returns a list, and gives the nodes in it.
	Nodes(ctx context.Context, w World, function string, args ...Arg[N]) ([]N, error)
}

// Arg is an argument of a call: a value, encoded as JSON, or a node.
type Arg[N any] struct {
	Value  any
	Node   N
	IsNode bool
}

// Plain is a value as an argument.
func Plain[N any](value any) Arg[N] { return Arg[N]{Value: value} }

func nodeArgs[N any](nodes []N) []Arg[N] {
	args := make([]Arg[N], len(nodes))
	for i, n := range nodes {
		args[i] = Arg[N]{Node: n, IsNode: true}
	}
	return args
}

// Elements are what the page script knows by ref numbers.
func Elements[N any](ctx context.Context, c Caller[N], refs []int) ([]N, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	nodes, err := c.Nodes(ctx, ScriptWorld, "(refs) => refs.map(rove.element)", Plain[N](refs))
	if err != nil {
		return nil, err
	}
	if gone := len(refs) - len(nodes); gone > 0 {
		return nil, &backend.Error{Kind: backend.KindNavigated, Text: fmt.Sprintf("%d of %d elements are gone", gone, len(refs))}
	}
	return nodes, nil
}

// EvalOn calls a function in the page's own world with elements that the page script
// knows; see backend.Tab.
func EvalOn[N any](ctx context.Context, c Caller[N], f backend.Function) ([]byte, error) {
	nodes, err := Elements(ctx, c, f.Refs)
	if err != nil {
		return nil, err
	}
	return c.Value(ctx, PageWorld, f.Text, nodeArgs(nodes)...)
}

// Refer does the same and makes the elements that the function gives known to the page
// script; see backend.Tab.
func Refer[N any](ctx context.Context, c Caller[N], refs []int, function string, next int) (found []int, free int, err error) {
	nodes, err := Elements(ctx, c, refs)
	if err != nil {
		return nil, next, err
	}
	list := "async function(...elements) {\nconst found = await (" + function + "\n)(...elements);\n" +
		"return found === null || found === undefined ? [] : found.nodeType ? [found] : Array.from(found);\n}"
	if nodes, err = c.Nodes(ctx, PageWorld, list, nodeArgs(nodes)...); err != nil {
		return nil, next, err
	}
	answer, err := c.Value(ctx, ScriptWorld, "(...args) => rove.adopt(...args)", append([]Arg[N]{Plain[N](next)}, nodeArgs(nodes)...)...)
	if err != nil {
		return nil, next, err
	}
	var text string
	var known struct {
		Refs []int `json:"refs"`
		Next int   `json:"next"`
	}
	if wire.Unmarshal(answer, &text) != nil || wire.Unmarshal([]byte(text), &known) != nil {
		return nil, next, &backend.Error{Kind: backend.KindProtocol, Text: "the page script's adopt answered " + string(answer)}
	}
	return known.Refs, known.Next, nil
}

// InlineArgs writes the arguments of a call into its text, as JSON is JavaScript, but for
// nodes: these are a[0], a[1] and so on.
func InlineArgs[N any](args []Arg[N]) (given string, nodes []N) {
	var list []string
	for _, a := range args {
		if a.IsNode {
			list = append(list, "a["+strconv.Itoa(len(nodes))+"]")
			nodes = append(nodes, a.Node)
		} else {
			list = append(list, string(Encode(a.Value)))
		}
	}
	return strings.Join(list, ", "), nodes
}

// Encode is a value as JSON, null for what has none.
func Encode(v any) []byte {
	b, err := wire.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return b
}
