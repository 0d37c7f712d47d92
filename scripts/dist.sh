#!/usr/bin/env bash
# Builds rove for every platform into dist/: one archive each, static, without
# paths of the machine that built it, and SHA256SUMS over all of them. The same
# commit gives the same bytes.
#
#   scripts/dist.sh LDFLAGS VERSION
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
ldflags=$1
version=$2
# What a file is dated with: the commit, so that archives are the same twice.
when=$(git log -1 --format=%ct 2>/dev/null || echo 0)

rm -rf dist
mkdir dist
for platform in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do
	os=${platform%/*} arch=${platform#*/}
	name=rove-$version-$os-$arch
	program=rove
	if [ "$os" = windows ]; then program=rove.exe; fi
	echo "$name"
	mkdir "dist/$name"
	GOOS=$os GOARCH=$arch CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "$ldflags -buildid=" -o "dist/$name/$program" ./cmd/rove
	cp LICENSE README.md "dist/$name"
	tar -C dist --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$when" -cf - "$name" | gzip -n9 >"dist/$name.tar.gz"
	rm -r "dist/${name:?}"
done
cd dist
sha256sum -- *.tar.gz >SHA256SUMS
cat SHA256SUMS
