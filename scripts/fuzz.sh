#!/usr/bin/env bash
# Usage: [FUZZSEED=number] scripts/fuzz.sh [time for each target, default 10s]
#
# Runs every fuzz target of the module and prints a line for each. All targets run; the script fails at the end
# when one of them failed. A failing input is kept under the package's testdata/fuzz and belongs in the repository
# together with the fix.
#
# Every run looks for other inputs: one target after the other, each on all CPUs and guided by what its inputs cover.
# With FUZZSEED a target makes the same inputs each time, so that what passed once passes again on another machine:
# for a check that gates a change. A few hundred inputs are too few to be guided, so the programs are those of the
# other tests. With the instruments for coverage the module and all that it imports would be compiled once more, and
# what slows inputs down and sets aside those that are new would decide how many are tried. One worker has to make
# the inputs, so as many packages as there are CPUs run at once.
set -eu -o pipefail
cd "$(dirname "$0")/.."
. scripts/compile-env.sh

fuzztime=${1:-10s}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

at_once=1
workers=$(getconf _NPROCESSORS_ONLN)
build='-fuzz=^Fuzz'
corpus=$(go env GOCACHE)/fuzz
if [ -n "${FUZZSEED:-}" ]; then
	export GODEBUG="${GODEBUG:+$GODEBUG,}fuzzseed=$FUZZSEED"
	at_once=$workers
	workers=1
	build='-ldflags=-s -w'
	corpus=$scratch/corpus # inputs that earlier runs found would make other ones
fi

# run_target runs one target of a program where its package is, and leaves what it said in $output.
run_target() {
	(cd "$1" && "$program" -test.parallel "$workers" -test.run '^$' -test.fuzz "^$3\$" -test.fuzztime "$fuzztime" \
		-test.fuzzcachedir "$corpus/$2") >"$output" 2>&1
}

# A fuzz run that is stopped by its time limit while a worker starts can report the limit itself as the
# failure. No input is to blame then, so such a run is repeated once.
only_deadline() {
	grep -q 'context deadline exceeded' "$output" && ! grep -q 'Failing input written' "$output"
}

# fuzz_package PACKAGE DIRECTORY runs all targets of a package, and notes each in $scratch/results.
fuzz_package() {
	local package=$1 directory=$2 names name begun execs program output
	names=$(find "$directory" -maxdepth 1 -name "*_test.go" -exec cat {} + | sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p')
	[ -n "$names" ] || return 0
	program=$(mktemp "$scratch/program.XXXXXX")
	output=$program.output
	# One build for all targets of a package; one that does not build is a failure, not a package without targets.
	if ! go test -c "$build" -o "$program" "$package" >"$output" 2>&1; then
		echo failed >>"$scratch/results"
		printf 'FAIL  %s  does not build\n%s\n' "$package" "$(cat "$output")"
		return 0
	fi
	for name in $names; do
		begun=$SECONDS
		if run_target "$directory" "$package" "$name" || { only_deadline && run_target "$directory" "$package" "$name"; }; then
			execs=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$output" | tail -n 1)
			echo passed >>"$scratch/results"
			echo "ok    $package  $name  ${execs:-?} inputs in $((SECONDS - begun))s"
		else
			echo failed >>"$scratch/results"
			printf 'FAIL  %s  %s\n%s\n' "$package" "$name" "$(cat "$output")"
		fi
	done
	rm -f "$program"
}

: >"$scratch/results"
export -f fuzz_package run_target only_deadline
export fuzztime scratch workers build corpus
go list -f '{{.ImportPath}} {{.Dir}}' ./... >"$scratch/packages"
xargs -P "$at_once" -n 2 bash -eu -o pipefail -c 'fuzz_package "$@"' fuzz <"$scratch/packages"

targets=$(wc -l <"$scratch/results")
failed=$(grep -c failed "$scratch/results" || true)
echo "fuzz: $((targets)) targets, $fuzztime each, $failed failures"
[ "$targets" -gt 0 ] && [ "$failed" -eq 0 ]
