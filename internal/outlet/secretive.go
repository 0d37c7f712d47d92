package outlet

import "regexp"

var (
	// secretName are names of places that hold what nobody else may know.
	secretName = regexp.MustCompile(`(?i)passw|passphrase|^pass$|^pwd$|^pin$|secret|credential|authorization|api[-_]?key|apikey|private[-_]?key|access[-_]?key|^otp$|^cvv$|^cvc$|card[-_]?number|token|session[-_]?id|^sid$|^sess|jwt|csrf|xsrf|nonce|^_?auth$|bearer|signature`)
	// plainName are names that only sound secret.
	plainName = regexp.MustCompile(`(?i)^(token_?type|next[-_]?page[-_]?token|page[-_]?token|continuation[-_]?token|token_?expires.*|expires.*|password_?reset|has_?password|sync[-_]?token)$`)
)

// Secretive says that a name of a field, header or parameter speaks of a secret.
func Secretive(name string) bool { return secretName.MatchString(name) && !plainName.MatchString(name) }
