#!/usr/bin/env bash
# Prints the browsers to test with, a line each: its kind, a tab, its path. Both kinds
# where both are there or can be had, the full browser first; with ROVE_BROWSER that one
# alone. What is missing, and why, goes to stderr. With "any" the first that is found is
# enough.
#
#   chrome	/usr/bin/chromium
#   shell	…/browsers/shell-153.0.0/chrome-headless-shell
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "browsers: $*" >&2; }

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/rove" ./cmd/rove

# there KIND: a line for a browser of that kind that runs here.
there() {
	local path
	path=$(ROVE_BROWSER='' "$dir/rove" browser path --browser "$1" 2>/dev/null) || return 1
	# Running it tells a browser from Ubuntu's placeholder for a snap.
	[ "$1" = shell ] || "$path" --version >/dev/null 2>&1 || return 1
	printf '%s\t%s\n' "$1" "$path"
}

case "${ROVE_BROWSER:-}" in
'') ;;
shell | chrome)
	there "$ROVE_BROWSER" || "$dir/rove" browser install "$ROVE_BROWSER" >/dev/null && there "$ROVE_BROWSER"
	exit
	;;
*)
	path=$("$dir/rove" browser path) || exit 1
	if "$dir/rove" browser path --headed >/dev/null 2>&1; then kind=chrome; else kind=shell; fi
	printf '%s\t%s\n' "$kind" "$path"
	exit
	;;
esac

# get PACKAGE: as root on a Debian-like system a browser comes from the package manager;
# anywhere else it is used if it is there.
get() {
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
	say "installing $1 with apt-get, which takes a minute or two"
	export DEBIAN_FRONTEND=noninteractive
	# Without a network this fails in seconds, and waits for another apt-get.
	local apt=(apt-get -qq -o Acquire::Retries=2 -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 -o DPkg::Lock::Timeout=300)
	# What it says is of use only where it fails.
	{ "${apt[@]}" update && "${apt[@]}" install -y "$1"; } >"$dir/apt.log" 2>&1 ||
		{ tail -n 20 "$dir/apt.log" >&2 && say "apt-get could not install $1"; }
}

# program NAME: whether it is on the PATH. command -v would find the functions of this
# script as well.
program() { type -P "$1" >/dev/null; }

full() {
	there chrome || { get chromium && there chrome; }
}

# Tests of other backends find it by themselves.
firefox() {
	program firefox || program firefox-esr || { get firefox-esr && program firefox-esr; }
}

driver() {
	program chromedriver || { get chromium-driver && program chromedriver; }
}

# The headless shell is what rove fetches for somebody who has no browser.
shell() {
	there shell || { "$dir/rove" browser install shell >/dev/null && there shell; }
}

found=0
if full; then
	found=1
	[ "${1:-}" != any ] || exit 0
else
	say "no full browser here: what needs a window cannot be tested"
fi
firefox || say "no Firefox here: what is tested on it is skipped"
driver || say "no chromedriver here: what is tested through it is skipped"
program geckodriver || [ -x "$HOME/.cargo/bin/geckodriver" ] || say "no geckodriver here: what is tested through it is skipped; cargo install geckodriver builds it, in minutes"
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && program WebKitWebDriver ||
	say "no WebKit (webkit2gtk-driver) with a display here: WebDriver alone is tested on chromedriver; with both: xvfb-run -a go test -run TestWebKitBackend ./internal/webdriver"
if shell; then found=1; else say "no headless shell here: nothing is tested on it"; fi
if [ $found = 0 ]; then
	say "no browser could be had: install Chromium or Chrome, or set ROVE_BROWSER to one"
	exit 1
fi
