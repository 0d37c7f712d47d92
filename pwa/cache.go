package pwa

import (
	"context"

	"rove/internal/wire"
)

// Cache is one cache of Cache Storage.
type Cache struct {
	Name    string       `json:"name"`
	Count   int          `json:"count"`   // of entries
	Entries []CacheEntry `json:"entries"` // the first of them
}

// CacheEntry is a request and what is kept for it.
type CacheEntry struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Status int    `json:"status"` // 0 for an answer of another origin that nobody may read
	Type   string `json:"type,omitempty"`
	Size   int64  `json:"size,omitempty"` // as the server said
	Opaque bool   `json:"opaque,omitempty"`
}

// Caches lists the caches of the page's origin, so many entries of each.
func (p *Page) Caches(ctx context.Context, entries int) ([]Cache, error) {
	arg, err := wire.Marshal(max(entries, 0))
	if err != nil {
		return nil, err
	}
	list := []Cache{}
	return list, p.run(ctx, "caches("+string(arg)+")", &list)
}
