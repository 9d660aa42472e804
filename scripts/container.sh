#!/usr/bin/env bash
# Usage: scripts/container.sh
#
# Builds the container image of this checkout and tries it: it prints its version, runs the demo and blocks a
# destructive command. If no image can be built it says why and succeeds: that is not a fault of the checkout.
#
# buildah comes first: it needs neither a service nor cgroups of its own, so it works inside of other containers, and
# what it makes is kept in a directory that is removed at the end.
set -eu -o pipefail
cd "$(dirname "$0")/.."

skip() { echo "container: skipped: $*"; exit 0; }
fail() { echo "container: $*" >&2; exit 1; }

builder=
for candidate in buildah docker podman; do
	if command -v "$candidate" >/dev/null && "$candidate" info >/dev/null 2>&1; then
		builder=$candidate
		break
	fi
done
[ -n "$builder" ] || skip "there is no buildah, docker or podman here that can build (none installed, or its service does not run)"

work=$(mktemp -d)
image=sluice-smoke:$$
cleanup() {
	[ "$builder" = buildah ] || "$builder" image rm -f "$image" >/dev/null 2>&1 || true
	rm -rf "$work"
}
trap cleanup EXIT
base=$(sed -n 's/^FROM \([^ ]*\) AS build$/\1/p' Containerfile)
flags=()

# store runs buildah with images of its own.
store() { buildah --root "$work/images" --runroot "$work/run" --storage-driver vfs "$@"; }

# stand_in makes an image in the place of the one that the program is built in, of this machine's shell and
# certificates; its Go and modules are mounted.
stand_in() {
	local rootfs=$work/rootfs file
	mkdir -p "$rootfs/bin" "$rootfs/tmp" "$rootfs/etc/ssl/certs"
	cp -L /bin/sh "$rootfs/bin/sh"
	for file in $(ldd /bin/sh | grep -o '/[^ ]*'); do
		mkdir -p "$rootfs$(dirname "$file")"
		cp -L "$file" "$rootfs$file"
	done
	cp -L /etc/ssl/certs/ca-certificates.crt "$rootfs/etc/ssl/certs/"
	printf '%s\n' 'FROM scratch' 'COPY . /' 'ENV PATH=/usr/local/go/bin:/bin GOPATH=/go GOCACHE=/cache GOPROXY=off GOSUMDB=off GOTOOLCHAIN=local GOGC=400' >"$work/stand-in"
	store build --quiet --isolation chroot -f "$work/stand-in" -t "$base" "$rootfs" >/dev/null
	scripts/again.sh "fetching the modules" go mod download
	flags=(-v "$(go env GOROOT):/usr/local/go:ro" -v "$(go env GOMODCACHE):/go/pkg/mod" -v "$(go env GOCACHE):/cache")
}

if [ "$builder" = buildah ]; then
	if ! store pull --quiet "$base" >/dev/null 2>&1; then
		if [ "$(uname -s)" != Linux ] || ! [ -r /etc/ssl/certs/ca-certificates.crt ]; then
			skip "the image $base, which the program is built in, cannot be fetched"
		fi
		echo "container: $base cannot be fetched: this machine's shell and Go take its place"
		stand_in
	fi
else
	"$builder" pull --quiet "$base" >/dev/null 2>&1 || "$builder" image inspect "$base" >/dev/null 2>&1 ||
		skip "the image $base, which the program is built in, cannot be fetched"
fi

commit=$(git rev-parse HEAD)
args=(-f Containerfile -t "$image" --build-arg VERSION=0.0.0-smoke --build-arg COMMIT="$commit")
container=
if [ "$builder" = buildah ]; then
	store build --quiet --isolation chroot "${flags[@]}" "${args[@]}" .
	# It runs what it is told, so the entry point of the image is looked up.
	container=$(store from "$image")
	entry=$(store inspect --type image --format '{{index .OCIv1.Config.Entrypoint 0}} {{.OCIv1.Config.Cmd}}' "$image")
	[ "$entry" = "/sluice [serve]" ] || fail "the image runs $entry, not /sluice [serve]"
else
	"$builder" build --quiet "${args[@]}" .
fi

# sluice runs the program in a container.
sluice() {
	if [ "$builder" = buildah ]; then
		store run --isolation chroot "$container" -- /sluice "$@"
	else
		"$builder" run --rm "$image" "$@"
	fi
}

said=$(sluice version)
echo "$said"
grep -qF "$commit" <<<"$said" || fail "the program does not name its commit"

sluice demo --once | tail -n 20

status=0
refused=$(sluice serve 2>&1) || status=$?
[ "$status" -eq 2 ] && grep -qF 'there are no keys' <<<"$refused" || fail "the gateway was to refuse to serve other machines without a key; it ended with $status: $refused"

status=0
sluice policy try --shell 'rm -rf ~' || status=$?
[ "$status" -eq 3 ] || fail "a destructive command ended with $status, want 3 (blocked)"
echo "container: ok, with $builder"
