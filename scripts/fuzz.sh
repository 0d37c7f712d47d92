#!/usr/bin/env bash
# Runs every fuzz target there is, one after the other, each for a while:
#
#	scripts/fuzz.sh 20s [PACKAGE-DIRECTORY ...]
#
# What breaks one is kept by go in its testdata/fuzz: commit it with what mends it.
# What is worth keeping of the rest is put there by scripts/fuzz-keep.sh.
# Only targets that are called FuzzPage… need a browser.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-20s}
shift || true
dirs=("$@")
if [ ${#dirs[@]} -eq 0 ]; then
	mapfile -t dirs < <(grep -rl --include='*_test.go' '^func Fuzz' . --exclude-dir=bench | xargs -n1 dirname | sort -u)
fi
failed=0
for dir in "${dirs[@]}"; do
	for target in $(grep -h '^func Fuzz' "$dir"/*_test.go | sed 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/'); do
		short=-short
		if [[ $target == FuzzPage* ]]; then short=; fi
		echo "== $dir $target"
		# One that fails must not keep the others from their turn.
		go test $short -run '^$' -fuzz "^$target\$" -fuzztime "$time" "./$dir" | grep -v '^fuzz: elapsed' || failed=1
	done
done
exit $failed
