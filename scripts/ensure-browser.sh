#!/usr/bin/env bash
# Sees to it that the tests have a browser, and does nothing where there is one.
#
# A full Chromium is wanted, since a headless shell cannot do everything that is
# tested. As root on a Debian-like system it comes from the package manager;
# anywhere else rove's own provisioning fetches what it can.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "ensure-browser: $*" >&2; }

present() {
	if [ -n "${ROVE_BROWSER:-}" ]; then
		[ -x "$ROVE_BROWSER" ] && return 0
		say "ROVE_BROWSER is $ROVE_BROWSER, which cannot be run; unset it, or name an executable"
		exit 1
	fi
	local name
	for name in chromium chromium-browser google-chrome google-chrome-stable; do
		# Running it tells a browser from Ubuntu's placeholder for a snap.
		if command -v "$name" >/dev/null && "$name" --version >/dev/null 2>&1; then return 0; fi
	done
	for name in "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
		"/Applications/Chromium.app/Contents/MacOS/Chromium"; do
		[ -x "$name" ] && return 0
	done
	return 1
}

present && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	say "installing Chromium with apt-get"
	export DEBIAN_FRONTEND=noninteractive
	# Without a network this fails in seconds, and waits for another apt-get.
	apt=(apt-get -qq -o Acquire::Retries=2 -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 -o DPkg::Lock::Timeout=300)
	if { "${apt[@]}" update && "${apt[@]}" install -y chromium; } >&2; then
		present && exit 0
		say "the package chromium holds no browser that runs here"
	else
		say "apt-get could not install Chromium"
	fi
fi

say "letting rove fetch a browser"
if go run ./cmd/rove browser install >&2; then exit 0; fi
say "no browser could be had: install Chromium or Chrome, or set ROVE_BROWSER to one"
exit 1
