#!/usr/bin/env bash
# Usage: scripts/platforms.sh [os/arch...]
#
# Vets the module for each platform that it is built for: everything compiles there, tests too. Nothing is run,
# so code is compiled without optimisation and debug information, which takes half the time.
set -eu -o pipefail
cd "$(dirname "$0")/.."
. scripts/compile-env.sh

platforms=("$@")
if [ "$#" -eq 0 ]; then
	platforms=(windows/amd64 darwin/arm64 freebsd/amd64 linux/386 linux/arm)
fi

failed=()
for platform in "${platforms[@]}"; do
	begun=$SECONDS
	if GOOS=${platform%/*} GOARCH=${platform#*/} CGO_ENABLED=0 go vet -gcflags='all=-N -l -dwarf=false' ./...; then
		echo "ok    $platform  $((SECONDS - begun))s"
	else
		echo "FAIL  $platform"
		failed+=("$platform")
	fi
done
if [ "${#failed[@]}" -gt 0 ]; then
	echo "platforms: the module does not compile for ${failed[*]}, see above" >&2
	exit 1
fi
