#!/usr/bin/env bash
# Vets and tests the module. The race detector needs cgo and a C compiler; without them the tests run
# plainly, and one line says so.
set -eu -o pipefail
cd "$(dirname "$0")/.."

read -r cc _ <<<"$(go env CC)"

if [ "$(go env CGO_ENABLED)" != 1 ]; then
	race=
	echo "test: without the race detector (CGO_ENABLED is not 1)"
elif ! command -v "$cc" >/dev/null; then
	race=
	echo "test: without the race detector (no C compiler: ${cc:-CC} not found)"
else
	race=-race
	echo "test: with the race detector"
fi

go vet ./...
exec scripts/gotest.sh . ${race:+"$race"} ./...
