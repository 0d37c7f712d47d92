#!/usr/bin/env bash
# Fails when gofumpt would change a file, and names it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=$(go tool gofumpt -l .)
if [ -n "$out" ]; then
	printf 'not formatted (make fmt mends it):\n%s\n' "$out" >&2
	exit 1
fi
