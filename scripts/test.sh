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
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # several packages are several words
if go test "$@" $packages 2>&1 | tee "$log"; then
	exit 0
fi
failed=$(awk '$1 == "FAIL" && $2 ~ /^rove/ {print $2}' "$log" | sort -u | tr '\n' ' ')
if [ -z "$failed" ]; then
	exit 1
fi
echo "failed, and run once more: $failed"
# shellcheck disable=SC2086
go test "$@" $failed
