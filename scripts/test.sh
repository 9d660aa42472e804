#!/usr/bin/env bash
# Usage: scripts/test.sh short|all
#
# Tests the module. `short` is for everyday work: without the race detector, and tests that try many random or
# recorded cases try fewer (go test -short). `all` vets everything and runs every case, with the race detector where
# it works.
#
# A package has half an hour: on a busy machine the slowest of them needs more than the ten minutes that go test
# gives by default.
set -eu -o pipefail
cd "$(dirname "$0")/.."
. scripts/compile-env.sh

# Some packages mostly wait, for programs, databases and limits on time: with more of them at once than there are
# CPUs, others use that time.
at_once=$(($(getconf _NPROCESSORS_ONLN) * 3 / 2 + 1))

case ${1:-} in
short)
	echo "test: the short form: fewer cases, no vet, no race detector; the whole is \`make test-all\`" >&2
	exec scripts/gotest.sh . -short -p "$at_once" -timeout 30m ./...
	;;
all)
	race=$(scripts/race-flag.sh)
	go vet ./...
	if [ -z "$race" ]; then
		exec scripts/gotest.sh . -p "$at_once" -timeout 30m ./...
	fi
	# These packages start no goroutines, or try their many random cases in one, and the race detector makes these take
	# ten times as long: with it they run in the short form, which has the tests that share something between
	# goroutines, and in full without it.
	sequential=$(go list ./evasion ./policy ./llm ./sluicetest/... ./stream/... ./wire/... \
		./policy/{call,command,effect,file,flow,follow,invocation,output,program,project,rule,secret,shell,sql,text,tools}/...)
	others=$(go list ./... | grep -vxF "$sequential")
	# shellcheck disable=SC2086 # lists of words
	{
		scripts/gotest.sh . "$race" -p "$at_once" -timeout 30m $others
		scripts/gotest.sh . "$race" -short -timeout 30m $sequential
		scripts/gotest.sh . -timeout 30m $sequential
	}
	;;
*)
	echo "usage: scripts/test.sh short|all" >&2
	exit 2
	;;
esac
