#!/usr/bin/env bash
# Vets and tests the module, with the race detector where it works.
set -eu -o pipefail
cd "$(dirname "$0")/.."

race=$(scripts/race-flag.sh)

go vet ./...
exec scripts/gotest.sh . ${race:+"$race"} ./...
