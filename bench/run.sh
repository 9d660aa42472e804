#!/usr/bin/env bash
# Measures. Usage:
#   run.sh               what one chunk costs, then what the gateway costs
#   run.sh [flags]       what one chunk costs, here and in other libraries; run.sh -h lists the flags
#   run.sh load [flags]  what the gateway costs, compared with a plain proxy and none; run.sh load -h lists the flags
#   run.sh judge [flags] what the recommended policies cost, and the search for secrets; run.sh judge -h lists the flags
#   run.sh agents [flags]  what an agent loop costs, compared with eino and genkit; run.sh agents -h lists the flags
set -eu
cd "$(dirname "$0")"
if [ "${1:-}" = load ]; then
	shift
	exec go run ./load "$@"
fi
if [ "${1:-}" = judge ]; then
	shift
	exec go run ./judge "$@"
fi
if [ "${1:-}" = agents ]; then
	shift
	cd agents # a module of its own
	exec go run . "$@"
fi
go run . "$@"
if [ $# -eq 0 ]; then
	go run ./judge
	exec go run ./load
fi
