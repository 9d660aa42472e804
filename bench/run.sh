#!/usr/bin/env bash
# Measures what one chunk costs, here and in other libraries. Usage: run.sh [flags]; run.sh -h lists them.
set -eu
cd "$(dirname "$0")"
exec go run . "$@"
