#!/usr/bin/env bash
# Usage: scripts/container.sh
#
# Builds the container image of this checkout and tries it: it prints its version, plays the demonstration and blocks
# a destructive command. Where no image can be built it says why and ends well: that is no fault of the checkout.
set -eu -o pipefail
cd "$(dirname "$0")/.."

skip() { echo "container: skipped: $*"; exit 0; }

builder=
for candidate in docker podman; do
	if command -v "$candidate" >/dev/null && "$candidate" info >/dev/null 2>&1; then
		builder=$candidate
		break
	fi
done
[ -n "$builder" ] || skip "there is no docker or podman here that can build (none installed, or its service does not run)"

base=$(sed -n 's/^FROM \([^ ]*\) AS build$/\1/p' Containerfile)
"$builder" pull --quiet "$base" >/dev/null 2>&1 || "$builder" image inspect "$base" >/dev/null 2>&1 ||
	skip "the image $base, which the program is built in, cannot be fetched"

image=sluice-smoke:$$
trap '"$builder" image rm -f "$image" >/dev/null 2>&1 || true' EXIT
commit=$(git rev-parse HEAD)
"$builder" build --quiet -f Containerfile -t "$image" --build-arg VERSION=0.0.0-smoke --build-arg COMMIT="$commit" .

said=$("$builder" run --rm "$image" version)
echo "$said"
grep -qF "$commit" <<<"$said" || { echo "container: the program does not name its commit" >&2; exit 1; }

"$builder" run --rm "$image" demo --once | tail -n 20

status=0
"$builder" run --rm "$image" policy try --shell 'rm -rf ~' || status=$?
[ "$status" -eq 3 ] || { echo "container: a destructive command ended with $status, want 3 (blocked)" >&2; exit 1; }
echo "container: ok"
