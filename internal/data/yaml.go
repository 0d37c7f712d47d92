package data

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ParseYAML reads the first document of a YAML text. Keys keep their order; yes,
// no, on and off are booleans, as in YAML 1.1.
func ParseYAML(text string) (any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, &SyntaxError{Format: "YAML", Message: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	r := yamlReader{left: 1_000_000}
	v, err := r.value(doc.Content[0], 0)
	if err != nil {
		return nil, &SyntaxError{Format: "YAML", Message: err.Error()}
	}
	return v, nil
}

// yamlReader makes values of nodes. Aliases can blow a small text up without
// bound, so the number of nodes has one.
type yamlReader struct{ left int }

func (r *yamlReader) value(n *yaml.Node, depth int) (any, error) {
	if r.left--; r.left < 0 || depth > maxDepth {
		return nil, errors.New("too large: its aliases stand for too much")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, c := range n.Content {
			v, err := r.value(c, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		return r.mapping(n, depth)
	}
	return scalar(n), nil
}

func (r *yamlReader) mapping(n *yaml.Node, depth int) (any, error) {
	o := &Object{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		v, err := r.value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		if n.Content[i].Tag == "!!merge" {
			merge(o, v)
			continue
		}
		key, err := r.value(n.Content[i], depth+1)
		if err != nil {
			return nil, err
		}
		o.Set(Text(key), v)
	}
	return o, nil
}

// merge adds the keys of "<<" that are not there yet.
func merge(o *Object, v any) {
	switch v := v.(type) {
	case *Object:
		for key, value := range v.All() {
			if _, ok := o.Get(key); !ok {
				o.Set(key, value)
			}
		}
	case []any:
		for _, e := range v {
			merge(o, e)
		}
	}
}

func scalar(n *yaml.Node) any {
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 && n.Tag != "!!binary" {
		return n.Value
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int":
		s := strings.ReplaceAll(n.Value, "_", "")
		if i, err := strconv.ParseInt(s, 0, 64); err == nil {
			return i
		}
		if i, ok := new(big.Int).SetString(s, 0); ok {
			return i
		}
	case "!!float":
		switch strings.ToLower(strings.TrimLeft(n.Value, "+-")) {
		case ".inf":
			return math.Inf(1 - 2*strings.Count(n.Value, "-"))
		case ".nan":
			return math.NaN()
		}
		if f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64); err == nil {
			return f
		}
	case "!!str":
		switch strings.ToLower(n.Value) {
		case "yes", "on":
			return true
		case "no", "off":
			return false
		}
	case "!!timestamp":
		return n.Value
	}
	return n.Value
}
