// Package token counts what a text costs a model.
package token

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// encoder is o200k_base. Building its tables takes a while and 100 MB, so that
// only those who count tokens do.
var encoder = sync.OnceValues(func() (tokenizer.Codec, error) {
	return tokenizer.Get(tokenizer.O200kBase)
})

// Count counts the tokens of a text, by o200k_base.
func Count(text string) (int, error) {
	enc, err := encoder()
	if err != nil {
		return 0, err
	}
	return enc.Count(text)
}
