#!/usr/bin/env bash
# Usage: scripts/e2e-setup.sh
#
# Installs the real clients of the end-to-end tests into .tools/e2e of this checkout, in the versions that
# bench/e2e/clients/package-lock.json pins, and prints that directory on the last line. Clients that are there
# already are left alone. The clients are large (about 2 GB).
#
# Exit status 3: this machine cannot install them (no npm), which is not a fault of the clients.
set -eu -o pipefail
cd "$(dirname "$0")/.."

pinned=bench/e2e/clients
target=$PWD/.tools/e2e
mark=$target/installed-lock.json

say() { echo "e2e-setup: $*" >&2; }
fail() { say "$*"; exit 1; }

if cmp -s "$pinned/package-lock.json" "$mark"; then
	say "the clients are in place"
	echo "$target"
	exit 0
fi

if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
	say "npm and node are needed to install the clients; install Node.js (any version from 20 on) and run this again"
	exit 3
fi

say "installing $(grep -c '^    "' "$pinned/package.json") clients and libraries into .tools/e2e (once, some minutes)"
mkdir -p "$target"
rm -f "$mark"
cp "$pinned/package.json" "$pinned/package-lock.json" "$target/"

# No install scripts: they compile or fetch what the tests do not need. The two that put a native program in
# its place are run by name below. `npm install` keeps to the lock file like `npm ci`, and does not insist on
# the optional programs of other platforms, of which the lock file knows only some.
#
# Two gigabytes do not always arrive at the first try: npm keeps what arrived, so that another try asks only
# for the rest.
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
if ! scripts/again.sh "installing the clients into .tools/e2e" npm --prefix "$target" install --ignore-scripts --no-audit --no-fund \
	--loglevel=error --fetch-retries=5 --logs-dir="$logs"; then
	say "what npm wrote last:"
	grep -hv " silly " "$logs"/* | tail -n 40 >&2 || true
	fail "npm install failed in .tools/e2e; its messages are above"
fi

modules=$target/node_modules
say "placing the native programs of Claude Code and opencode"
(cd "$modules/@anthropic-ai/claude-code" && node install.cjs >&2) || fail "Claude Code has no program for this platform"
(cd "$modules/opencode-ai" && node postinstall.mjs >&2) || fail "opencode has no program for this platform"

# Several clients need Node 22 or newer; the package node-<platform> carries it.
runtime=$(ls "$modules"/node-{linux,darwin}-*/bin/node 2>/dev/null | head -n 1 || true)
[ -n "$runtime" ] || runtime=$(command -v node)
ln -sfn "$runtime" "$modules/.bin/node"

for program in node claude codex opencode qwen gemini; do
	[ -x "$modules/.bin/$program" ] || fail "$program is missing after the install"
done
major=$("$modules/.bin/node" -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 22 ] || fail "Node 22 or newer is needed, and $runtime is version $major"

cp "$pinned/package-lock.json" "$mark"
say "done"
echo "$target"
