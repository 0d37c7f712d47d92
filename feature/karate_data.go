package feature

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/dlclark/regexp2/v2"

	"rove/internal/data"
	"rove/internal/match"
	"rove/internal/script"
)

// What karate does with data.
func init() {
	addKarate(map[string]karateFunc{
		"append": kAppend, "appendTo": kAppendTo, "distinct": kDistinct, "extract": kExtract, "extractAll": kExtractAll,
		"filter": kFilter, "filterKeys": kFilterKeys, "forEach": kForEach, "fromJson": kFromJSON, "fromString": kFromString,
		"jsonPath": kJSONPath, "keysOf": kKeysOf, "lowerCase": kLowerCase, "map": kMap, "mapWithKey": kMapWithKey, "match": kMatch,
		"merge": kMerge, "pretty": kPretty, "prettyXml": kPrettyXML, "range": kRange, "repeat": kRepeat, "sizeOf": kSizeOf, "sort": kSort,
		"toCsv": kToCSV, "toBean": kToBean, "toJava": kSame, "toMap": kSame, "toList": kSame, "toJson": kToJSON, "toString": kToString, "toBytes": kToBytes, "typeOf": kTypeOf,
		"urlEncode": kURLEncode, "urlDecode": kURLDecode, "valuesOf": kValuesOf, "xmlPath": kXMLPath, "uuid": kUUID,
	}, nil)
}

// add appends a value to a list; a list with all that is in it.
func add(list script.Value, v script.Value) {
	if !v.IsList() {
		list.Append(v)
		return
	}
	for i := range v.Len() {
		list.Append(v.Index(i))
	}
}

func (c *karateCall) list() script.Value { return c.s.value([]any{}) }

func kAppend(c *karateCall) (any, error) {
	list := c.list()
	for _, v := range c.args {
		add(list, v)
	}
	return list, nil
}

func kAppendTo(c *karateCall) (any, error) {
	list := c.arg(0)
	if name, ok := list.Export().(string); ok {
		v, found := c.s.scope.Get(name)
		if !found || !v.IsList() {
			return nil, nil
		}
		list = v
	}
	if !list.IsList() {
		list = c.list()
	}
	for _, v := range c.args[min(1, len(c.args)):] {
		add(list, v)
	}
	return list, nil
}

func kDistinct(c *karateCall) (any, error) {
	list, in := c.list(), c.arg(0)
	if !in.IsList() {
		return list, nil
	}
	var seen []any
	for i := range in.Len() {
		v := in.Index(i)
		d := v.Export()
		if !slices.ContainsFunc(seen, func(have any) bool { return data.Equal(have, d) }) {
			seen = append(seen, d)
			list.Append(v)
		}
	}
	return list, nil
}

// pattern finds what a regular expression matches, and the group that is wanted of it.
func (c *karateCall) pattern() (found [][]string, group int, err error) {
	text, err := c.text(0)
	if err != nil {
		return nil, 0, err
	}
	source, err := c.text(1)
	if err != nil {
		return nil, 0, err
	}
	re, err := regexp2.Compile(source, regexp2.None)
	if err != nil {
		return nil, 0, c.wrong("%v", err)
	}
	re.MatchTimeout = regexLimit
	if len(c.args) > 2 {
		n, err := c.number(2)
		if err != nil {
			return nil, 0, err
		}
		group = int(n)
	}
	m, err := re.FindStringMatch(text)
	for ; m != nil && err == nil; m, err = re.FindNextMatch(m) {
		var groups []string
		for _, g := range m.Groups() {
			groups = append(groups, g.String())
		}
		found = append(found, groups)
	}
	if err != nil {
		return nil, 0, c.wrong("%v", err)
	}
	if len(found) > 0 && (group < 0 || group >= len(found[0])) {
		return nil, 0, c.wrong("there is no group %d in %s", group, source)
	}
	return found, group, nil
}

// regexLimit bounds a search: expressions with look-around can take for ever.
const regexLimit = 10 * time.Second

func kExtract(c *karateCall) (any, error) {
	found, group, err := c.pattern()
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0][group], nil
}

func kExtractAll(c *karateCall) (any, error) {
	found, group, err := c.pattern()
	if err != nil {
		return nil, err
	}
	list := []any{}
	for _, m := range found {
		list = append(list, m[group])
	}
	return list, nil
}

func kFilter(c *karateCall) (any, error) {
	return c.through(func(list, v, given script.Value) {
		if given.Truthy() {
			list.Append(v)
		}
	})
}

// through makes a list by a function: take gets each value of the list given, and what the
// function gives for it.
func (c *karateCall) through(take func(list, v, given script.Value)) (any, error) {
	list, in := c.list(), c.arg(0)
	if !in.IsList() {
		return list, nil
	}
	f, err := c.function()
	if err != nil {
		return nil, err
	}
	for i := range in.Len() {
		v := in.Index(i)
		given, err := f.Do(c.ctx, v, int64(i))
		if err != nil {
			return nil, err
		}
		take(list, v, given)
	}
	return list, nil
}

func kFilterKeys(c *karateCall) (any, error) {
	out := c.s.value(data.NewObject())
	in := c.arg(0)
	var keys []string
	for _, a := range c.args[min(1, len(c.args)):] {
		switch {
		case a.IsList():
			for i := range a.Len() {
				keys = append(keys, a.Index(i).Text())
			}
		case a.IsObject():
			keys = append(keys, a.Keys()...)
		default:
			keys = append(keys, a.Text())
		}
	}
	have := in.Keys()
	for _, key := range keys {
		if slices.Contains(have, key) {
			_ = out.Set(key, in.Get(key))
		}
	}
	return out, nil
}

func kForEach(c *karateCall) (any, error) {
	in := c.arg(0)
	f, err := c.function()
	if err != nil {
		return nil, err
	}
	switch {
	case in.IsList():
		for i := range in.Len() {
			if _, err := f.Do(c.ctx, in.Index(i), int64(i)); err != nil {
				return nil, err
			}
		}
	case in.IsObject():
		for i, key := range in.Keys() {
			if _, err := f.Do(c.ctx, key, in.Get(key), int64(i)); err != nil {
				return nil, err
			}
		}
	default:
		return nil, c.wrong("not an array or object: %s", data.Text(in.Export()))
	}
	return undefined, nil
}

func kFromJSON(c *karateCall) (any, error) {
	text, err := c.text(0)
	if err != nil {
		return nil, err
	}
	return data.ParseRelaxed(text)
}

func kFromString(c *karateCall) (any, error) {
	text, err := c.text(0)
	if err != nil {
		return nil, err
	}
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return text, nil
	}
	switch trimmed[0] {
	case '{', '[':
		if v, err := data.ParseRelaxed(trimmed); err == nil {
			return v, nil
		}
	case '<':
		if x, err := data.ParseXML(trimmed); err == nil {
			return x, nil
		}
	}
	// A word that names a function, such as text, is a word.
	if v, err := c.s.eval(c.ctx, trimmed); err == nil && !c.s.value(v).Callable() {
		return v, nil
	}
	return text, nil
}

func kJSONPath(c *karateCall) (any, error) {
	path, err := c.text(1)
	if err != nil {
		return nil, err
	}
	v, err := c.s.jsonPath(c.arg(0), path)
	if err == nil && v == data.NotPresent {
		return nil, c.wrong("No results for path: %s", path)
	}
	return v, err
}

func kKeysOf(c *karateCall) (any, error) {
	list := []any{}
	if o := c.object(0); o != nil {
		for _, key := range o.Keys() {
			list = append(list, key)
		}
	}
	return list, nil
}

func kValuesOf(c *karateCall) (any, error) {
	in := c.arg(0)
	if in.IsList() {
		return in.Copy(), nil
	}
	if !in.IsObject() {
		return nil, nil
	}
	list := c.list()
	for _, key := range in.Keys() {
		list.Append(in.Get(key))
	}
	return list, nil
}

func kLowerCase(c *karateCall) (any, error) { return lowerCase(c.arg(0).Export()), nil }

func lowerCase(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ToLower(v)
	case *data.XML:
		if x, err := data.ParseXML(strings.ToLower(v.String())); err == nil {
			return x
		}
		return v
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = lowerCase(e)
		}
		return list
	case *data.Object:
		o := data.NewObject()
		for key, e := range v.All() {
			o.Set(strings.ToLower(key), lowerCase(e))
		}
		return o
	}
	return v
}

func kMap(c *karateCall) (any, error) {
	return c.through(func(list, _, given script.Value) { list.Append(given) })
}

func kMapWithKey(c *karateCall) (any, error) {
	list, in := c.list(), c.arg(0)
	if !in.IsList() {
		return list, nil
	}
	key, err := c.text(1)
	if err != nil {
		return nil, err
	}
	for i := range in.Len() {
		list.Append(data.NewObject(key, in.Index(i)))
	}
	return list, nil
}

func kMatch(c *karateCall) (any, error) {
	if len(c.args) == 1 {
		text, err := c.text(0)
		if err != nil {
			return nil, err
		}
		r, err := c.s.matchText(c.ctx, text)
		if err != nil {
			return nil, err
		}
		return c.matched(r), nil
	}
	if len(c.args) >= 3 {
		if op, ok := expectations[c.arg(1).Text()]; ok {
			return c.matched(c.s.match(c.ctx, c.arg(0).Export(), c.arg(2).Export(), op.op, op.each)), nil
		}
	}
	return c.matched(c.s.match(c.ctx, c.arg(0).Export(), c.arg(1).Export(), match.Equals, false)), nil
}

func kMerge(c *karateCall) (any, error) {
	if len(c.args) == 0 {
		return nil, nil
	}
	out := c.s.value(data.NewObject())
	for _, v := range c.args {
		for _, key := range v.Keys() {
			_ = out.Set(key, v.Get(key))
		}
	}
	return out, nil
}

func kPretty(c *karateCall) (any, error) {
	text := logged(c.arg(0))
	if c.arg(0).IsList() || c.arg(0).IsObject() {
		text += "\n"
	}
	return text, nil
}

func kPrettyXML(c *karateCall) (any, error) {
	x, err := asXML(c.arg(0).Export())
	if err != nil {
		return nil, err
	}
	return x.Pretty(), nil
}

// most bounds lists that a number makes.
const most = 10_000_000

// kToBean gives the object itself for the maps of java.util. There are no other
// beans.
func kToBean(c *karateCall) (any, error) {
	if name := c.arg(1).Text(); !strings.HasPrefix(name, "java.util.") {
		return nil, c.wrong("there is no bean %s here; use the object as it is", name)
	}
	return c.arg(0), nil
}

func kRange(c *karateCall) (any, error) {
	start, err := c.number(0)
	if err != nil {
		return nil, err
	}
	end, err := c.number(1)
	if err != nil {
		return nil, err
	}
	step := 1.0
	if len(c.args) > 2 {
		if step, err = c.number(2); err != nil {
			return nil, err
		}
	}
	if step <= 0 {
		return nil, c.wrong("interval must be a positive integer")
	}
	if math.Abs(end-start)/step > most {
		return nil, c.wrong("that are too many")
	}
	list := []any{}
	if start <= end {
		for i := start; i <= end; i += step {
			list = append(list, int64(i))
		}
	} else {
		for i := start; i >= end; i -= step {
			list = append(list, int64(i))
		}
	}
	return list, nil
}

func kRepeat(c *karateCall) (any, error) {
	n, err := c.number(0)
	if err != nil {
		return nil, err
	}
	f, err := c.function()
	if err != nil {
		return nil, err
	}
	list := c.list()
	for i := range int(n) {
		v, err := f.Do(c.ctx, int64(i))
		if err != nil {
			return nil, err
		}
		list.Append(v)
	}
	return list, nil
}
