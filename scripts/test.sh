#!/usr/bin/env bash
# Usage: scripts/test.sh short|all
#
# Tests the module. `short` is for everyday work: without the race detector, and tests that try many random or
# recorded cases try fewer (go test -short). `all` vets everything and runs every case, with the race detector where
# it works; what takes too long with it runs there in part, and in full without it.
#
# A package has half an hour: on a busy machine the slowest of them needs more than the ten minutes that go test
# gives by default.
set -eu -o pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
short)
	echo "test: the short form: fewer cases, no vet, no race detector; the whole is \`make test-all\`" >&2
	# On the first run most of the time goes into compiling: vet reads all dependencies once more, and without debug
	# information programs are linked faster.
	exec scripts/gotest.sh . -short -vet=off -ldflags='-s -w' -timeout 30m ./...
	;;
all)
	race=$(scripts/race-flag.sh)
	go vet ./...
	scripts/gotest.sh . ${race:+"$race"} -timeout 30m ./...
	# The race detector takes ten times as long, so there these judge a sample; now all cases.
	if [ -n "$race" ]; then
		scripts/gotest.sh . -timeout 30m ./evasion
	fi
	;;
*)
	echo "usage: scripts/test.sh short|all" >&2
	exit 2
	;;
esac
