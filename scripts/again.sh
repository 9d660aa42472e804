#!/usr/bin/env bash
# Usage: scripts/again.sh <what is done> <command>...
#
# Runs a command that fetches something until it succeeds, four times at most: not everything comes through at the
# first try. What the command prints goes to standard error. When it fails in the end, the last line says what was to
# be done and how, and the exit status is the command's.
set -u

what=$1
shift
status=0
for try in 1 2 3 4; do
	"$@" >&2 && exit 0
	status=$?
	[ "$try" -lt 4 ] || break
	echo "$what: it failed with status $status; trying again in $((try * ${AGAIN_SECONDS:-10})) s" >&2
	sleep $((try * ${AGAIN_SECONDS:-10}))
done
echo "$what: it failed $try times, the last time with status $status, see above: $*" >&2
exit "$status"
