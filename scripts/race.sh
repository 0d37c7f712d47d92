#!/usr/bin/env bash
# Prints -race where the race detector can be built, else nothing and the reason
# on stderr: it needs cgo, a C compiler and one of a few platforms.
set -euo pipefail

without() {
	echo "race: testing without the race detector: $*" >&2
	exit 0
}

[ "${RACE:-1}" != 0 ] || without "RACE=0"
[ "$(go env CGO_ENABLED)" = 1 ] || without "CGO_ENABLED is $(go env CGO_ENABLED)"
cc=$(go env CC)
command -v "${cc%% *}" >/dev/null || without "no C compiler ($cc)"
case "$(go env GOOS)/$(go env GOARCH)" in
linux/amd64 | linux/arm64 | linux/ppc64le | linux/s390x | darwin/amd64 | darwin/arm64 | windows/amd64 | freebsd/amd64) ;;
*) without "not available on $(go env GOOS)/$(go env GOARCH)" ;;
esac
echo -race
