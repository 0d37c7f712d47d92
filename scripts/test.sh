#!/usr/bin/env bash
# Runs the tests. Where a full browser and a headless shell are there: everything on the
# shell, which is what a machine without a browser gets and where a session costs a third;
# on the full browser all that is about browsers (testkit.OnEveryBrowser). With one of the
# two, everything on that one. A test that fails is run once more, alone, and both results
# are shown: a machine that was too busy for a moment is told from a fault, which fails
# twice.
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
long="rove rove/feature rove/internal/chrome rove/internal/apitest rove/internal/tool rove/internal/bidi rove/internal/webdriver rove/driver rove/internal/outlet rove/internal/daemon rove/internal/pwserver rove/internal/replay rove/internal/cli rove/internal/mcp rove/internal/httpapi rove/perceive"
# Doors and what stands on the driver are about rove, whatever the browser: the shell is
# enough for them.
doors="rove/internal/har rove/internal/tool rove/internal/mcp rove/internal/daemon rove/internal/httpapi rove/internal/repl rove/internal/session rove/internal/soak rove/internal/apitest rove/internal/replay rove/record rove/proposal rove/feature rove/perceive rove/internal/cli"
# Those whose tests have a browser of their own, once.
elsewhere="rove/internal/bidi rove/internal/webdriver rove/internal/pwserver"

# among WORD WORDS: whether a word is one of several.
among() { case " $2 " in *" $1 "*) ;; *) return 1 ;; esac }
# concurrent PACKAGE: it has goroutines or what they share, its tests included.
concurrent() {
	grep -qE '^[[:space:]]*go (func|[a-zA-Z_.]+)\(|"sync/atomic"|sync\.(WaitGroup|Mutex|RWMutex|Map|Pool|Cond)' "$(go list -f '{{.Dir}}' "$1")"/*.go
}
# driving PACKAGES: those whose tests have a browser.
driving() {
	go list -f '{{$p := .ImportPath}}{{range .TestImports}}{{if eq . "rove/internal/testkit"}}{{$p}} {{end}}{{end}}{{range .XTestImports}}{{if eq . "rove/internal/testkit"}}{{$p}} {{end}}{{end}}' "$@" | tr -d '\n'
}

# shellcheck disable=SC2086 # several packages are several words
all=$(go list $packages | tr '\n' ' ') || exit 1
# shellcheck disable=SC2086
have=$(driving $all)
# most are run with the race detector; plain are those that compute, and have nothing for
# it to find: it makes them ten times slower.
browser='' most='' plain=''
for p in $long $all; do
	among "$p" "$all" && ! among "$p" "$most $plain" || continue
	if ! among "$p" "$have" && ! concurrent "$p"; then
		plain+=" $p"
		continue
	fi
	most+=" $p"
	if among "$p" "$have" && ! among "$p" "$doors $elsewhere"; then
		browser+=" $p"
	fi
done

# tested PACKAGES FLAGS...: the tests that fail are run once more, alone. A data race, a
# panic or a package that does not build is a fault at once.
tested() {
	local these=$1 log failed code=0
	shift
	[ -n "${these// /}" ] || return 0
	log=$(mktemp)
	# No debugger looks at these: linked without its tables they are there sooner.
	# shellcheck disable=SC2086
	if go test -ldflags=-w "$@" $these 2>&1 | tee "$log"; then
		rm -f "$log"
		return 0
	fi
	failed=$(awk '/^--- FAIL: / {names = names "|" $3} /^FAIL\trove/ {print $2, substr(names, 2); names = ""} /^ok  \trove/ {names = ""}' "$log")
	if [ -z "$failed" ] || grep -qE '^WARNING: DATA RACE|^panic: |\[(build|setup) failed\]' "$log"; then
		rm -f "$log"
		return 1
	fi
	rm -f "$log"
	while read -r package names; do
		[ -n "$names" ] || return 1
		printf 'failed, and run once more: %s %s\n' "$package" "$names"
		go test -ldflags=-w "$@" -run "^($names)\$" "$package" </dev/null || code=1
	done <<<"$failed"
	return $code
}

code=0
# on KIND PATH COMMAND...: says which browser it is, and runs the command with it.
on() {
	local what=Chromium from=$SECONDS passed=passed
	[ "$1" = chrome ] || what="a headless shell"
	printf 'test: on %s, %s\n' "$what" "$2"
	ROVE_BROWSER=$2 "${@:3}" </dev/null || code=1 passed=FAILED
	printf 'test: on %s, %s: %s after %d s\n' "$what" "$2" "$passed" $((SECONDS - from))
}
without=()
for f in "$@"; do
	[ "$f" = -race ] || without+=("$f")
done
# The race detector sees these tests on the shell.
about_browsers() { ROVE_TEST_SHELL=1 tested "$browser$plain" ${without[@]+"${without[@]}"}; }
concurrently() { tested "$most" "$@"; }
everything() {
	local failed=0
	tested "$plain" ${without[@]+"${without[@]}"} || failed=1
	concurrently "$@" || failed=1
	return $failed
}

found=$(scripts/browsers.sh) || exit 1
full=$(awk -F '\t' '$1 == "chrome" {print $2}' <<<"$found")
shell=$(awk -F '\t' '$1 == "shell" {print $2}' <<<"$found")
if [ -n "$full" ] && [ -n "$shell" ]; then
	on chrome "$full" about_browsers
	ROVE_TEST_FULL=$full on shell "$shell" concurrently "$@"
else
	IFS=$'\t' read -r kind path <<<"$found"
	on "$kind" "$path" everything "$@"
fi
exit $code
