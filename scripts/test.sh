#!/usr/bin/env bash
# Runs the tests: all of them on the full browser, and those that drive a browser again
# on the headless shell, which is what a machine without a browser gets. With one of the
# two, all of them on that one. A test that fails is run once more, alone, and both
# results are shown: a machine that was too busy for a moment is told from a fault, which
# fails twice.
#
#   scripts/test.sh "PACKAGES" FLAGS...
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
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
# Those whose tests have a browser.
driving=''
# shellcheck disable=SC2086
[ -z "$with" ] || driving=$(go list -f '{{$p := .ImportPath}}{{range .TestImports}}{{if eq . "rove/internal/testkit"}}{{$p}}{{"\n"}}{{end}}{{end}}{{range .XTestImports}}{{if eq . "rove/internal/testkit"}}{{$p}}{{"\n"}}{{end}}{{end}}' $with | sort -u)
flags=()
for f in "$@"; do
	[ "$f" = -race ] || flags+=("$f")
done

found=$(scripts/browsers.sh) || exit 1
# on KIND PATH COMMAND...: says which browser it is, and runs the command with it.
on() {
	local what=Chromium from=$SECONDS code=0
	[ "$1" = chrome ] || what="a headless shell"
	printf 'test: on %s, %s\n' "$what" "$2"
	ROVE_BROWSER=$2 "${@:3}" || code=1
	printf 'test: on %s, %s: %s after %d s\n' "$what" "$2" "$([ $code = 0 ] && echo passed || echo FAILED)" $((SECONDS - from))
	return $code
}
# tested FLAGS... PACKAGES: the tests that fail are run once more, alone. A data race, a
# panic or a package that does not build is a fault at once.
tested() {
	local log failed code=0
	log=$(mktemp)
	# No debugger looks at these: linked without its tables they are there sooner.
	if go test -ldflags=-w "$@" 2>&1 | tee "$log"; then
		rm -f "$log"
		return 0
	fi
	failed=$(awk '/^--- FAIL: / {names = names "|" $3} /^FAIL\trove/ {print $2, substr(names, 2); names = ""} /^ok  \trove/ {names = ""}' "$log")
	if [ -z "$failed" ] || grep -qE '^WARNING: DATA RACE|^panic: |\[(build|setup) failed\]' "$log"; then
		rm -f "$log"
		return 1
	fi
	rm -f "$log"
	local again=()
	for f in "$@"; do
		case "$f" in rove | rove/*) ;; *) again+=("$f") ;; esac
	done
	while read -r package names; do
		[ -n "$names" ] || return 1
		printf 'failed, and run once more: %s %s\n' "$package" "$names"
		go test -ldflags=-w ${again[@]+"${again[@]}"} -run "^($names)\$" "$package" </dev/null || code=1
	done <<<"$failed"
	return $code
}
everything() {
	local code=0
	# shellcheck disable=SC2086
	[ -z "$without" ] || tested ${flags[@]+"${flags[@]}"} $without || code=1
	# shellcheck disable=SC2086
	[ -z "$with" ] || tested "$@" $with || code=1
	return $code
}
# Doors and what is behind them, whatever the browser: one browser is enough for these.
once=" rove/internal/mcp rove/internal/daemon rove/internal/httpapi rove/internal/repl rove/internal/session rove/internal/soak rove/internal/apitest "
# The race detector has seen all of it already, and long tests of what no browser has a
# part in step aside.
again() {
	local p left=''
	for p in $driving; do
		case "$once" in *" $p "*) ;; *) left+=" $p" ;; esac
	done
	# shellcheck disable=SC2086
	[ -z "$left" ] || ROVE_TESTED=1 tested ${flags[@]+"${flags[@]}"} $left
}

code=0 first=1
while IFS=$'\t' read -r kind path; do
	if [ $first = 1 ]; then
		on "$kind" "$path" everything "$@" </dev/null || code=1
	else
		on "$kind" "$path" again </dev/null || code=1
	fi
	first=0
done <<<"$found"
exit $code
