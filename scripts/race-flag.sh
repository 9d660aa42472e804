#!/usr/bin/env bash
# Prints -race where the race detector works: it needs cgo and a C compiler. Whether it does is
# printed on standard error.
set -eu -o pipefail

read -r cc _ <<<"$(go env CC)"

if [ "$(go env CGO_ENABLED)" != 1 ]; then
	echo "test: without the race detector (CGO_ENABLED is not 1)" >&2
elif ! command -v "$cc" >/dev/null; then
	echo "test: without the race detector (no C compiler: ${cc:-CC} not found)" >&2
else
	echo "test: with the race detector" >&2
	echo -race
fi
