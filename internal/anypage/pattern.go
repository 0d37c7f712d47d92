package anypage

// Matches says whether a URL is one of a pattern's, in which * is any text, ? any one
// character, and \ takes the next as it is; "" is every URL. See backend.Pattern.
func Matches(pattern, url string) bool {
	if pattern == "" {
		return true
	}
	// The last * is where it goes on when it fails.
	p, u, star, from := 0, 0, -1, 0
	for u < len(url) {
		if p < len(pattern) {
			c := pattern[p]
			switch {
			case c == '*':
				star, from = p, u
				p++
				continue
			case c == '?':
				p++
				u++
				continue
			case c == '\\' && p+1 < len(pattern):
				if pattern[p+1] == url[u] {
					p += 2
					u++
					continue
				}
			case c == url[u]:
				p++
				u++
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, u = star+1, from
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
