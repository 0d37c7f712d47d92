#!/usr/bin/env bash
# Keeps what fuzzing has found worth keeping: of the inputs in go's cache, the small
# ones that run code of the package, or as often, as those before them do not. go test
# runs them from then on.
#
#	scripts/fuzz-keep.sh [PACKAGE-DIRECTORY ...]
set -euo pipefail
cd "$(dirname "$0")/.."
largest=400 # bytes
most=20     # inputs of one target
found=$(go env GOCACHE)/fuzz/$(go list -m)
dirs=("$@")
if [ ${#dirs[@]} -eq 0 ]; then
	mapfile -t dirs < <(cd "$found" && find . -type d -name 'Fuzz*' -printf '%h\n' | sort -u)
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# reached DIRECTORY PATTERN: the blocks that these tests run and how often, in powers
# of two, sorted
reached() {
	(cd "$1" && "$tmp/test" $short -test.run "$2" -test.coverprofile "$tmp/profile") >"$tmp/said" || return 1
	awk 'NR > 1 && $3 > 0 {print $1, int(log($3) / log(2) + 1e-9)}' "$tmp/profile" | sort -u
}

for dir in "${dirs[@]}"; do
	[ -d "$found/$dir" ] || continue
	go test -c -covermode=count -o "$tmp/test" "./$dir"
	for cached in "$found/$dir"/Fuzz*; do
		[ -d "$cached" ] || continue
		target=$(basename "$cached")
		short=-test.short
		if [[ $target == FuzzPage* ]]; then short=; fi
		kept=$dir/testdata/fuzz/$target
		mkdir -p "$kept"
		: >"$tmp/known"
		n=$(find "$kept" -type f | wc -l)
		while read -r file; do
			[ "$n" -lt "$most" ] || break
			name=$(basename "$file")
			[ ! -e "$kept/$name" ] || continue
			cp "$file" "$kept/$name"
			if ! reached "$dir" "^$target\$/^$name\$" >"$tmp/now"; then
				if grep -q 'corpus entry' "$tmp/said"; then
					rm "$kept/$name" # of the target as it was before
				else
					echo "$kept/$name fails"
				fi
				continue
			fi
			if [ -z "$(comm -13 "$tmp/known" "$tmp/now")" ]; then
				rm "$kept/$name"
				continue
			fi
			sort -u "$tmp/known" "$tmp/now" -o "$tmp/known"
			n=$((n + 1))
		done < <(find "$cached" -type f -size "-${largest}c" | sort)
		rmdir --ignore-fail-on-non-empty "$kept"
		echo "$dir $target: $n kept"
	done
done
