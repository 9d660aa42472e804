#!/usr/bin/env bash
# Usage: scripts/count-tests.sh <file>...
#
# Counts the tests in records of `go test -json` and prints `N passed, N failed, N skipped` alone on a
# line. It ends with an error when a test failed or when none ran.
#
# What counts as one test: a test or example without subtests, each innermost subtest, and a fuzz target
# together with its seeds. A test that ran in several records counts once: a failure beats a pass, a pass
# beats a skip. A test that has no end, a test that failed outside its subtests, and a package that
# failed without a failed test (it does not build, for example) each count as one failure.
set -eu -o pipefail

awk '
function field(name,    start, rest, i, c) {
	start = index($0, "\"" name "\":\"")
	if (!start) return ""
	rest = substr($0, start + length(name) + 4)
	for (i = 1; i <= length(rest); i++) {
		c = substr(rest, i, 1)
		if (c == "\\") i++
		else if (c == "\"") return substr(rest, 1, i - 1)
	}
	return ""
}

# worse keeps the strongest result seen: run (no end yet) < skip < pass < fail.
function worse(was, now) { return rank[now] > rank[was] ? now : was }

BEGIN { rank["run"] = 1; rank["skip"] = 2; rank["pass"] = 3; rank["fail"] = 4 }

/^\{/ {
	action = field("Action")
	if (action == "" || !(action in rank)) next
	pkg = field("Package")
	test = field("Test")

	if (test == "") {
		if (action == "fail") badPackage[pkg] = 1
		next
	}
	if (test ~ /^Fuzz/) sub(/\/.*/, "", test)

	key = pkg " " test
	result[key] = worse(result[key], action)

	# Mark every test around this one.
	outer = key
	while (match(outer, /\/[^\/]*$/) && RSTART > length(pkg) + 1) {
		outer = substr(outer, 1, RSTART - 1)
		hasSubtests[outer] = 1
		if (action == "fail") explained[outer] = 1
	}
	if (action == "fail") explained[pkg] = 1
}

END {
	for (key in result) if (result[key] == "run") {
		outer = key
		while (sub(/\/[^\/]*$/, "", outer) && index(outer, " ")) explained[outer] = 1
	}

	for (key in result) {
		r = result[key]
		if (r == "run") r = "fail"
		if (r == "fail") {
			split(key, part, " ")
			explained[part[1]] = 1
		}
		if (key in hasSubtests && !(r == "fail" && !(key in explained))) continue
		count[r]++
	}
	for (pkg in badPackage) if (!(pkg in explained)) count["fail"]++

	printf "%d passed, %d failed, %d skipped\n", count["pass"], count["fail"], count["skip"]
	if (count["pass"] + count["fail"] == 0) {
		print "count-tests: no test ran" > "/dev/stderr"
		exit 1
	}
	exit (count["fail"] > 0)
}
' "$@"
