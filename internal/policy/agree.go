package policy

import (
	"fmt"
	"strings"
)

// Agrees says whether what somebody typed is a yes to a question of which so many
// characters are not shown: where there are any, it is their number.
func Agrees(answer string, unseen int) bool {
	word := strings.ToLower(strings.TrimSpace(answer))
	if unseen > 0 {
		return word == fmt.Sprint(unseen)
	}
	return word == "y" || word == "yes"
}

// HowToAgree says what to type for a yes.
func HowToAgree(unseen int) string {
	if unseen > 0 {
		return fmt.Sprintf("Not all of it is shown. Type %d to agree to that too, anything else is no:", unseen)
	}
	return "Do it? [y/N]"
}
