#!/usr/bin/env bash
# Usage: scripts/readers-setup.sh
#
# Installs the client libraries of JavaScript and Python with which `make sdk` reads answers into .tools/readers of
# this checkout, in the versions that bench/readers pins (js/package-lock.json, python/requirements.txt), and prints
# that directory on the last line. What is there already is left alone. It takes about a minute, and half a gigabyte.
#
# Exit status 3: this machine cannot install them (no npm, no Python), which is no fault of the libraries.
set -eu -o pipefail
cd "$(dirname "$0")/.."

pinned=bench/readers
target=$PWD/.tools/readers
modules=$target/node_modules

say() { echo "readers-setup: $*" >&2; }
fail() { say "$*"; exit 1; }

javascript() {
	local own=
	! command -v node >/dev/null || own=$(node -p 'process.versions.node.split(".")[0] >= 22 ? process.execPath : ""')
	# The libraries need Node 22 or newer; where there is an older one, the package node-<platform> carries it.
	local optional=--include=optional
	[ -z "$own" ] || optional=--omit=optional
	cp "$pinned/js/package.json" "$pinned/js/package-lock.json" "$target/"
	scripts/again.sh "installing the libraries of JavaScript" npm --prefix "$target" install "$optional" --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=5
	local runtime=$own
	[ -n "$runtime" ] || runtime=$(ls "$modules"/node-{linux,darwin}-*/bin/node 2>/dev/null | head -n 1 || true)
	[ -n "$runtime" ] || fail "there is no Node 22 or newer for this platform; install it and run this again"
	mkdir -p "$modules/.bin"
	ln -sfn "$runtime" "$modules/.bin/node"
	cp "$pinned/js/package-lock.json" "$target/installed-lock.json"
}

python() {
	rm -rf "$target/venv"
	python3 -m venv "$target/venv" >&2
	scripts/again.sh "installing the libraries of Python" "$target/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
		-r "$pinned/python/requirements.txt"
	cp "$pinned/python/requirements.txt" "$target/installed-requirements.txt"
}

js_in_place() { cmp -s "$pinned/js/package-lock.json" "$target/installed-lock.json" && [ -x "$modules/.bin/node" ]; }
python_in_place() { cmp -s "$pinned/python/requirements.txt" "$target/installed-requirements.txt" && [ -x "$target/venv/bin/python" ]; }

if ! js_in_place && ! command -v npm >/dev/null; then
	say "npm is needed to install the libraries of JavaScript; install Node.js and run this again"
	exit 3
fi
if ! python_in_place && ! python3 -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
	say "Python 3.11 or newer with venv is needed to install the libraries of Python; install python3-venv and run this again"
	exit 3
fi

mkdir -p "$target"
if js_in_place; then
	say "the libraries of JavaScript are in place"
else
	say "installing the libraries of JavaScript into .tools/readers (once)"
	rm -f "$target/installed-lock.json"
	javascript
fi
if python_in_place; then
	say "the libraries of Python are in place"
else
	say "installing the libraries of Python into .tools/readers (once)"
	rm -f "$target/installed-requirements.txt"
	python
fi
echo "$target"
