package data

import (
	"iter"
	"slices"
)

// Object is a JSON object. Its keys keep the order in which they were set first.
// The zero value is an empty object.
type Object struct {
	keys   []string
	values []any
	places map[string]int // only of large objects
}

// large is the number of keys from which an index pays.
const large = 12

// usual is how many keys room is made for with the first.
const usual = 4

// NewObject makes an object of keys and values that take turns.
func NewObject(pairs ...any) *Object {
	o := &Object{}
	for i := 0; i+1 < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func (o *Object) place(key string) int {
	if o.places != nil {
		if i, ok := o.places[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(o.keys, key)
}

// Get gives the value of a key, and whether the key is there.
func (o *Object) Get(key string) (any, bool) {
	if i := o.place(key); i >= 0 {
		return o.values[i], true
	}
	return nil, false
}

// Set sets a key to a value: in its place if it is there, else at the end.
func (o *Object) Set(key string, v any) {
	if i := o.place(key); i >= 0 {
		o.values[i] = v
		return
	}
	if o.keys == nil {
		o.keys, o.values = make([]string, 0, usual), make([]any, 0, usual)
	}
	o.keys = append(o.keys, key)
	o.values = append(o.values, v)
	switch {
	case o.places != nil:
		o.places[key] = len(o.keys) - 1
	case len(o.keys) >= large:
		o.index()
	}
}

func (o *Object) index() {
	o.places = make(map[string]int, 2*len(o.keys))
	for i, key := range o.keys {
		o.places[key] = i
	}
}

// Delete removes a key and says whether it was there.
func (o *Object) Delete(key string) bool {
	i := o.place(key)
	if i < 0 {
		return false
	}
	o.keys = slices.Delete(o.keys, i, i+1)
	o.values = slices.Delete(o.values, i, i+1)
	if o.places != nil {
		o.index()
	}
	return true
}

// Keys gives the keys in order.
func (o *Object) Keys() []string { return slices.Clone(o.keys) }

// Len is the number of keys.
func (o *Object) Len() int { return len(o.keys) }

// All goes through keys and values in order. The object must not lose keys
// meanwhile.
func (o *Object) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for i := 0; i < len(o.keys); i++ {
			if !yield(o.keys[i], o.values[i]) {
				return
			}
		}
	}
}

// Clone copies the object with all that is in it.
func (o *Object) Clone() *Object {
	c := &Object{keys: slices.Clone(o.keys), values: make([]any, len(o.values))}
	for i, v := range o.values {
		c.values[i] = Clone(v)
	}
	if o.places != nil {
		c.index()
	}
	return c
}
