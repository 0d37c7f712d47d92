package backend

import "strings"

// WithoutLogin is an address as scripts see it, and as it may be told and
// recorded: the name and password that led there are not part of it.
func WithoutLogin(address string) string {
	scheme, authority, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	if end := strings.IndexAny(authority, "/?#"); end >= 0 {
		authority = authority[:end]
	}
	at := strings.LastIndexByte(authority, '@')
	return scheme + "://" + address[len(scheme)+len("://")+at+1:]
}
