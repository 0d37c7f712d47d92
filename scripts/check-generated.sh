#!/usr/bin/env bash
# Fails when `make generate` changes a file: what is generated must be committed
# as its sources make it. The new files are left in place.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sums() { find . -path ./.git -prune -o -path ./bin -prune -o -type f -print0 | sort -z | xargs -0 cksum; }

before=$(sums)
make --no-print-directory generate
after=$(sums)
if [ "$before" != "$after" ]; then
	echo "generated files were out of date; they have been written anew, commit them:" >&2
	diff <(echo "$before") <(echo "$after") | awk '/^>/ {print "  " $4}' >&2 || true
	exit 1
fi
