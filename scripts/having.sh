#!/usr/bin/env bash
# Usage: scripts/having.sh <directory of a module> <word>
#
# Prints the packages of a module that have a test with a word in its name, so that no programs are built for the
# others. It fails where there is none.
set -eu -o pipefail
cd "$(dirname "$0")/../$1"

found=$(go list -f '{{.Dir}}' ./... | while read -r dir; do
	if grep -qsE "^func (Test|Fuzz|Example)[A-Za-z0-9_]*$2" "$dir"/*_test.go; then
		echo ".${dir#"$PWD"}"
	fi
done)
if [ -z "$found" ]; then
	echo "no test in $1 has $2 in its name" >&2
	exit 1
fi
echo "$found"
