// Package inject holds rove's page script: the JavaScript that runs in an
// isolated world of every frame and tells what is on the page. What it gives is
// written down in CONTRACT.md, its sources are in src.
package inject

import _ "embed"

//go:generate go run ./bundle

// Source is the page script as one file. It sets `rove` on the global of the
// world it runs in, and nothing else anywhere.
//
//go:embed bundle.js
var Source string
