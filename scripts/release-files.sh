#!/usr/bin/env bash
# Usage: scripts/release-files.sh <directory>
#
# Writes the completion scripts and manual pages of this checkout into a directory, for packages and archives, and
# builds the program that writes bills of materials.
set -eu -o pipefail
cd "$(dirname "$0")/.."

target=$1
rm -rf "$target"
mkdir -p "$target/completions" "$target/man" "$target/bin"

go build -trimpath -o "$target/sbom" ./internal/sbom
go build -trimpath -o "$target/bin/sluice" ./cmd/sluice
sluice=$target/bin/sluice

"$sluice" completion bash >"$target/completions/sluice.bash"
"$sluice" completion zsh >"$target/completions/_sluice"
"$sluice" completion fish >"$target/completions/sluice.fish"
"$sluice" completion powershell >"$target/completions/sluice.ps1"

# Pages compress well, and the same commit gives the same bytes.
"$sluice" man --dir "$target/man"
gzip -n -9 "$target"/man/*.1
rm -rf "$target/bin"
