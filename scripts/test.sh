#!/usr/bin/env bash
# Runs go test on packages. One that fails is run once more, alone, and both
# results are shown: a machine that was too busy for a moment is told from a
# fault, which fails twice.
#
#   scripts/test.sh "PACKAGES" FLAGS...
set -uo pipefail
packages=$1
shift
# With the race detector every program sleeps for a second before it ends; the tests
# of the doors run hundreds.
export GORACE=${GORACE:-atexit_sleep_ms=0}

# Those that take longest, which begin first: none of them is left to run alone at
# the end.
long="rove rove/driver rove/internal/daemon rove/internal/tool rove/internal/chrome rove/internal/mcp rove/internal/cli rove/perceive"
# Those that compute, and have nothing for the race detector to find: it makes them ten
# times slower.
plain="rove/aria rove/internal/image"

# shellcheck disable=SC2086 # several packages are several words
all=$(go list $packages) || exit 1
chosen() { grep -qx "$1" <<<"$all"; }
# concurrent PACKAGE: it has goroutines or locks, its tests included.
concurrent() {
	grep -qE '^[[:space:]]*go (func|[a-zA-Z_.]+)\(|"sync|\.Parallel\(\)' "$(go list -f '{{.Dir}}' "$1")"/*.go
}
with='' without=''
for p in $plain; do
	if chosen "$p" && ! concurrent "$p"; then without+=" $p"; fi
done
for p in $long; do
	if chosen "$p"; then with+=" $p"; fi
done
for p in $all; do
	case " $with $without " in *" $p "*) ;; *) with+=" $p" ;; esac
done
flags=()
for f in "$@"; do
	[ "$f" = -race ] || flags+=("$f")
done

log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0
# No debugger looks at these: linked without its tables they are there sooner.
if [ -n "$without" ]; then
	# shellcheck disable=SC2086
	go test -ldflags=-w ${flags[@]+"${flags[@]}"} $without 2>&1 | tee "$log" || code=1
fi
if [ -n "$with" ]; then
	# shellcheck disable=SC2086
	go test -ldflags=-w "$@" $with 2>&1 | tee -a "$log" || code=1
fi
[ "$code" != 0 ] || exit 0
failed=$(awk '$1 == "FAIL" && $2 ~ /^rove/ {print $2}' "$log" | sort -u | tr '\n' ' ')
if [ -z "$failed" ]; then
	exit 1
fi
echo "failed, and run once more: $failed"
# shellcheck disable=SC2086
go test -ldflags=-w "$@" $failed
