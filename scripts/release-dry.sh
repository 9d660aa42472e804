#!/usr/bin/env bash
# Usage: scripts/release-dry.sh <goreleaser>
#
# Builds a whole release of this checkout into dist/ and publishes nothing: archives, packages, checksums and bills
# of materials. Then it looks at what was built: nothing is missing, the checksums hold, the program for this
# machine runs and names its commit.
set -eu -o pipefail
cd "$(dirname "$0")/.."

goreleaser=$1

# A checkout without a remote is no release to goreleaser, which then knows no commit either.
RELEASE_COMMIT=$(git rev-parse HEAD)
RELEASE_DATE=$(git show -s --format=%cI HEAD)
export RELEASE_COMMIT RELEASE_DATE

"$goreleaser" check
"$goreleaser" release --snapshot --clean --parallelism "$(getconf _NPROCESSORS_ONLN)"

cd dist
wrong=0
expect() {
	local found
	found=$(find . -maxdepth 1 -name "$2" | wc -l)
	echo "release-dry: $found of $1  $2"
	[ "$found" -eq "$1" ] || wrong=1
}
expect 4 '*.tar.gz'
expect 2 '*.zip'
expect 2 '*.deb'
expect 2 '*.rpm'
expect 6 '*.cdx.json'
expect 1 '*_checksums.txt'
[ "$wrong" -eq 0 ] || { echo "release-dry: something is missing in dist/" >&2; exit 1; }

sha256sum --quiet -c ./*_checksums.txt
echo "release-dry: the checksums hold"

inside=$(tar -tzf ./*_linux_amd64.tar.gz)
for file in sluice LICENSE completions/_sluice man/sluice-run.1.gz; do
	grep -qx "$file" <<<"$inside" || { echo "release-dry: the archive has no $file" >&2; exit 1; }
done

os=$(go env GOHOSTOS) arch=$(go env GOHOSTARCH)
program=$(find . -path "./sluice_${os}_${arch}*/sluice" | head -n 1)
said=$("$program" version)
echo "$said"
grep -qF "$(git rev-parse HEAD)" <<<"$said" || { echo "release-dry: the program does not name its commit" >&2; exit 1; }
