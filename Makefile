# `make` or `make help` lists the targets.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Tools are pinned and live in this checkout only.
GOLANGCI_VERSION := v2.14.0
GOVULNCHECK_VERSION := v1.8.0
GORELEASER_VERSION := v2.16.0
GOLANGCI := .tools/golangci-lint-$(GOLANGCI_VERSION)
GOVULNCHECK := .tools/govulncheck-$(GOVULNCHECK_VERSION)
GORELEASER := .tools/goreleaser-$(GORELEASER_VERSION)

# How long each fuzz target runs.
FUZZTIME ?= 10s

# The matrix of bad input.
FAULTS := CutAnywhere|Garbage|EndlessLine|InvalidUTF8|DeepNesting|EndlessComments|EmptyDeltas|ManyBlocks|CrowdedPayload|NameCarriesNoLine|HiddenCalls|HiddenTools

# A target that is also a directory must be listed here, or make takes it for done.
.PHONY: help test test-all firsthour platforms release-dry container service lint vuln fuzz corpus sdk peers e2e faults evasion bench live fresh cover fmt clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: ## test the module in short: fewer random cases, no race detector; a few minutes
	@scripts/test.sh short

test-all: ## vet the module and test all of it, with the race detector if there is a C compiler
	@scripts/test.sh all

firsthour: ## do what a new user does: run every command and snippet of README, docs and --help in a home of its own
	@SLUICE_FIRSTHOUR=1 scripts/gotest.sh . -count=1 -parallel 4 -timeout 30m ./firsthour

platforms: ## vet the module for Windows, macOS, FreeBSD and 32-bit Linux: everything compiles there, tests too
	@scripts/platforms.sh

release-dry: $(GORELEASER) ## build a whole release into dist/, and publish nothing
	@scripts/release-dry.sh $(GORELEASER)

container: ## build the container image and try it, where buildah, docker or podman can build
	@scripts/container.sh

service: ## install the gateway as a service under a real systemd in namespaces, and try it, where root may
	@scripts/service.sh

lint: $(GOLANGCI) ## run golangci-lint on the module and on bench
	@$(GOLANGCI) run ./...
	@if [ -f bench/go.mod ]; then cd bench && ../$(GOLANGCI) run --config ../.golangci.yml ./...; fi
	@if [ -f bench/agents/go.mod ]; then cd bench/agents && ../../$(GOLANGCI) run --config ../../.golangci.yml ./...; fi

vuln: $(GOVULNCHECK) ## look for known vulnerabilities
	@scripts/vuln.sh $(GOVULNCHECK)

fuzz: ## run every fuzz target for FUZZTIME (default 10s)
	@scripts/fuzz.sh $(FUZZTIME)

corpus: ## run the tests on recorded streams; needs SLUICE_CORPUS=<directory>
	@corpus=$$(scripts/corpus-dir.sh); export SLUICE_CORPUS="$$corpus"; \
	packages=$$(scripts/having.sh . Corpus); \
	scripts/gotest.sh . -run Corpus -count=1 -timeout 30m $$packages

sdk: ## read and write streams with the official clients (installs some into .tools/readers); needs SLUICE_CORPUS=<directory>
	@corpus=$$(scripts/corpus-dir.sh); export SLUICE_CORPUS="$$corpus"; \
	status=0; readers=$$(scripts/readers-setup.sh) || status=$$?; \
	packages=$$(scripts/having.sh bench SDK); \
	case "$$status" in 0) ;; 3) echo "sdk: the clients of JavaScript and Python are skipped, see above";; *) exit "$$status";; esac; \
	SLUICE_READERS="$$readers" SLUICE_STREAMS="$${SLUICE_STREAMS:-20000}" scripts/gotest.sh bench -run SDK -count=1 -timeout 60m $$packages

peers: ## run the same scripts through other agent loops, and compare the results
	@scripts/gotest.sh bench/agents -count=1 -timeout 30m ./...

e2e: ## drive real agents and SDKs through the real program (installs them into .tools/e2e); E2EFLAGS=-short leaves slow ones out
	@status=0; clients=$$(scripts/e2e-setup.sh) || status=$$?; \
	if [ "$$status" -eq 3 ]; then echo "e2e: skipped, see above"; exit 0; fi; \
	[ "$$status" -eq 0 ] || exit "$$status"; \
	SLUICE_E2E="$$clients" scripts/gotest.sh bench -run E2E -count=1 -timeout 20m $(E2EFLAGS) ./e2e/...

faults: ## bad input at full size (truncated, garbage, endless lines, a million empty deltas, a million answers that contradict themselves), bad judges, hosts and clients
	@SLUICE_FULL=1 go test -count=1 -timeout 30m -run '^Test($(FAULTS))' ./wire
	@race=$$(scripts/race-flag.sh); SLUICE_FULL=1 go test $$race -count=1 -timeout 40m -skip 'Corpus|Alike|Contradictions' ./policy ./policy/judge ./policy/hook ./policy/internal/decisions
	@SLUICE_FULL=1 go test -count=1 -timeout 40m -run Contradictions ./policy
	@race=$$(scripts/race-flag.sh); SLUICE_FULL=1 go test $$race -count=1 -timeout 40m -run 'Fault|Attack' ./gateway ./gateway/server

evasion: ## run the suites of hostile and harmless calls in all shapes, dialects and chunkings; SLUICE_COMMANDS=<directory> adds real commands
	@SLUICE_LONG=1 SLUICE_COMMANDS="$(SLUICE_COMMANDS)" go test -count=1 -timeout 90m -v -run 'Hostile|Harmless|Suites|Call|Commands|Labels' ./evasion

bench: ## measure, and compare with other libraries
	@cd bench && ./run.sh
	@cd bench && ./run.sh agents

live: ## ask real providers for a few answers and report deviations; asks those whose keys are in the environment
	@cd bench && go run ./live

fresh: ## clone the committed tree and run the README's commands in the clone
	@scripts/fresh.sh

cover: ## test with coverage; the profile is cover.out
	@go test -timeout 30m -coverprofile=cover.out ./...
	@go tool cover -func=cover.out | tail -n 1

fmt: ## fail when a file is not formatted by gofmt
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "not formatted; run gofmt -w on:" >&2; echo "$$files" >&2; exit 1; fi

clean: ## remove what builds and tests leave behind; the tools in .tools stay
	@rm -rf bin build dist cover.out sluice
	@go clean -testcache

$(GOLANGCI):
	@echo "installing golangci-lint $(GOLANGCI_VERSION) into .tools (once)"
	@GOBIN=$(CURDIR)/.tools scripts/again.sh "installing golangci-lint" go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@mv .tools/golangci-lint $@

$(GOVULNCHECK):
	@echo "installing govulncheck $(GOVULNCHECK_VERSION) into .tools (once)"
	@GOBIN=$(CURDIR)/.tools scripts/again.sh "installing govulncheck" go install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)
	@mv .tools/govulncheck $@

$(GORELEASER):
	@echo "installing goreleaser $(GORELEASER_VERSION) into .tools (once, some minutes)"
	@GOBIN=$(CURDIR)/.tools scripts/again.sh "installing goreleaser" go install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)
	@mv .tools/goreleaser $@
