#!/usr/bin/env bash
# Usage: [FUZZSEED=number] scripts/fuzz.sh [time for each target, default 10s]
#
# Runs every fuzz target of the module, one after the other, and prints a line for each. All targets run;
# the script fails at the end when one of them failed. A failing input is kept under the package's testdata/fuzz
# and belongs in the repository together with the fix.
#
# Every run tries other inputs. With FUZZSEED one worker makes the same inputs each time, so that what
# passed once passes again on another machine: for a check that gates a change.
set -eu -o pipefail
cd "$(dirname "$0")/.."

fuzztime=${1:-10s}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
output=$scratch/output
program=$scratch/fuzz.test
corpus=$(go env GOCACHE)/fuzz

workers=$(getconf _NPROCESSORS_ONLN)
if [ -n "${FUZZSEED:-}" ]; then
	export GODEBUG="${GODEBUG:+$GODEBUG,}fuzzseed=$FUZZSEED"
	workers=1
	corpus=$scratch/corpus # inputs that earlier runs found would make other ones
fi

# fuzz runs one target of the program where its package is, and leaves what it said in $output.
fuzz() {
	(cd "$1" && "$program" -test.parallel "$workers" -test.run '^$' -test.fuzz "^$3\$" -test.fuzztime "$fuzztime" \
		-test.fuzzcachedir "$corpus/$2") >"$output" 2>&1
}

# A fuzz run that is stopped by its time limit while a worker starts can report the limit itself as the
# failure. No input is to blame then, so such a run is repeated once.
only_deadline() {
	grep -q 'context deadline exceeded' "$output" && ! grep -q 'Failing input written' "$output"
}

targets=0
failed=0

while read -r package directory; do
	names=$(find "$directory" -maxdepth 1 -name "*_test.go" -exec cat {} + | sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p')
	[ -n "$names" ] || continue
	# One build for all targets of a package; one that does not build is a failure, not a package without targets.
	if ! go test -c -fuzz '^Fuzz' -o "$program" "$package" >"$output" 2>&1; then
		failed=$((failed + 1))
		echo "FAIL  $package  does not build"
		cat "$output"
		continue
	fi
	for name in $names; do
		targets=$((targets + 1))
		begun=$SECONDS
		if fuzz "$directory" "$package" "$name" || { only_deadline && fuzz "$directory" "$package" "$name"; }; then
			execs=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$output" | tail -n 1)
			echo "ok    $package  $name  ${execs:-?} inputs in $((SECONDS - begun))s"
		else
			failed=$((failed + 1))
			echo "FAIL  $package  $name"
			cat "$output"
		fi
	done
done < <(go list -f '{{.ImportPath}} {{.Dir}}' ./...)

echo "fuzz: $targets targets, $fuzztime each, $failed failures"
[ "$targets" -gt 0 ] && [ "$failed" -eq 0 ]
