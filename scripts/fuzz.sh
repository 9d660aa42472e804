#!/usr/bin/env bash
# Usage: [FUZZSEED=number] scripts/fuzz.sh [time for each target, default 10s]
#
# Runs every fuzz target of the module, one after the other, and prints a line for each. All targets run;
# the script fails at the end when one of them failed. A failing input is kept by go test under the
# package's testdata/fuzz and belongs in the repository together with the fix.
#
# Every run tries other inputs. With FUZZSEED one worker makes the same inputs each time, so that what
# passed once passes again on another machine: for a check that gates a change.
set -eu -o pipefail
cd "$(dirname "$0")/.."

fuzztime=${1:-10s}
output=$(mktemp)
trap 'rm -f "$output"' EXIT

workers=$(getconf _NPROCESSORS_ONLN)
if [ -n "${FUZZSEED:-}" ]; then
	export GODEBUG="${GODEBUG:+$GODEBUG,}fuzzseed=$FUZZSEED"
	workers=1
fi

# fuzz runs one target and leaves what it said in $output.
fuzz() {
	go test -parallel "$workers" -run '^$' -fuzz "^$2\$" -fuzztime "$fuzztime" "$1" >"$output" 2>&1
}

# A fuzz run that is stopped by its time limit while a worker starts can report the limit itself as the
# failure. No input is to blame then, so such a run is repeated once.
only_deadline() {
	grep -q 'context deadline exceeded' "$output" && ! grep -q 'Failing input written' "$output"
}

targets=0
failed=0

packages=$(go list ./...)
for package in $packages; do
	# Discovery builds the tests; a package that does not build is a failure, not a package without targets.
	if ! go test -list '^Fuzz' "$package" >"$output" 2>&1; then
		failed=$((failed + 1))
		echo "FAIL  $package  does not build"
		cat "$output"
		continue
	fi
	names=$(grep -E '^Fuzz[A-Za-z0-9_]*$' "$output" || true)

	for name in $names; do
		targets=$((targets + 1))
		begun=$SECONDS
		if fuzz "$package" "$name" || { only_deadline && fuzz "$package" "$name"; }; then
			execs=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$output" | tail -n 1)
			echo "ok    $package  $name  ${execs:-?} inputs in $((SECONDS - begun))s"
		else
			failed=$((failed + 1))
			echo "FAIL  $package  $name"
			cat "$output"
		fi
	done
done

echo "fuzz: $targets targets, $fuzztime each, $failed failures"
[ "$failed" -eq 0 ]
