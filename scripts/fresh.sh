#!/usr/bin/env bash
# Clones the committed tree into a temporary directory and runs there the two commands that the README
# gives to a newcomer. Uncommitted changes are not included.
set -eu -o pipefail
cd "$(dirname "$0")/.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

git clone --quiet --no-hardlinks . "$dir/sluice"
cd "$dir/sluice"

# The demo would stay up; --once ends it.
for command in 'go run ./cmd/sluice demo' 'make test'; do
	if ! grep -qF "$command" README.md; then
		echo "fresh: README.md does not show the command: $command" >&2
		exit 1
	fi
	case $command in *demo) command+=' --once' ;; esac
	echo "fresh: $command"
	$command
done

echo "fresh: ok"
