#!/usr/bin/env bash
# Usage: scripts/gotest.sh <directory> <arguments of go test>
#
# Runs go test in a directory. When TEST_LOG names a file, the run is recorded there in the format of
# `go test -json` (appended, for scripts/count-tests.sh), and people see the package lines and the output
# of what failed.
set -eu -o pipefail
scripts=$(cd "$(dirname "$0")" && pwd)
. "$scripts/compile-env.sh"

cd "$1"
shift

test=(go test -vet=off -ldflags='-s -w')
if [ -z "${TEST_LOG:-}" ]; then
	exec "${test[@]}" "$@"
fi

"${test[@]}" -json "$@" | tee -a "$TEST_LOG" | awk -f "$scripts/show-tests.awk"
