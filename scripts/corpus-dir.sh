#!/usr/bin/env bash
# Prints the absolute path of the recorded corpus, which SLUICE_CORPUS names. The recordings are not part of
# the repository.
set -eu -o pipefail
cd "$(dirname "$0")/.."

if [ -z "${SLUICE_CORPUS:-}" ]; then
	echo "corpus: no recordings: set SLUICE_CORPUS to the directory that holds them" >&2
	exit 1
fi
if [ ! -d "$SLUICE_CORPUS" ]; then
	echo "corpus: SLUICE_CORPUS=$SLUICE_CORPUS is not a directory" >&2
	exit 1
fi

cd "$SLUICE_CORPUS" && pwd
