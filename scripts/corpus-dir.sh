#!/usr/bin/env bash
# Prints the absolute path of the recorded corpus: SLUICE_CORPUS, or ../shared/corpus beside the checkout.
# The recordings are not part of the repository.
set -eu -o pipefail
cd "$(dirname "$0")/.."

dir=${SLUICE_CORPUS:-../shared/corpus}

if [ ! -d "$dir" ]; then
	if [ -n "${SLUICE_CORPUS:-}" ]; then
		echo "corpus: SLUICE_CORPUS=$SLUICE_CORPUS is not a directory" >&2
	else
		echo "corpus: no recordings: set SLUICE_CORPUS to the directory that holds them" >&2
	fi
	exit 1
fi

cd "$dir" && pwd
