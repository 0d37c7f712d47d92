# One command for each thing one does with rove. `make help` lists them.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# How many packages at a time, and how many tests of each: most of a test with a browser
# is waiting for it.
PARALLEL ?= 3
TOGETHER ?= 3
TIMEOUT  ?= 30m
# Added to every go test, such as TESTFLAGS='-run Frame -v'.
TESTFLAGS ?=
PACKAGES  ?= ./...

# The tag, or the commit since.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS  = -s -w -X rove/internal/cli.release=$(VERSION)

# bench is a module of its own, so that its tables of tokens stay out of rove.
BENCH := $(wildcard bench/go.mod)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## bin/rove, static
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/rove ./cmd/rove

.PHONY: dist
dist: ## dist/: rove for every platform, static, with checksums
	scripts/dist.sh '$(LDFLAGS)' '$(VERSION)'

.PHONY: demo
demo: ## show what rove can do, on pages of its own
	go run ./cmd/rove demo

# make check vets.
.PHONY: test
test: ## everything, in real browsers: Chromium and a headless shell; gets what is missing
	@scripts/test.sh "$(PACKAGES)" $$(scripts/race.sh) -count=1 -vet=off -p $(PARALLEL) -parallel $(TOGETHER) -timeout $(TIMEOUT) $(TESTFLAGS)
ifneq ($(BENCH),)
	cd bench && go test -count=1 -timeout $(TIMEOUT) ./...
endif

.PHONY: check
check: ## all that needs no browser: format, lint, other platforms, house rules, unit tests
	@$(MAKE) --no-print-directory -j2 --output-sync=target format vet cross unit
	@$(MAKE) --no-print-directory generated

.PHONY: format
format:
	scripts/check-format.sh

.PHONY: vet
vet:
	go vet ./...
	go tool staticcheck ./...
ifneq ($(BENCH),)
	cd bench && go vet ./...
endif

# The platforms that cannot be run here are at least compiled, tests included.
.PHONY: cross
cross:
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go vet ./...
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go vet ./...

# With -short, tests that need a browser step aside.
.PHONY: unit
unit:
	go test -short -timeout 2m ./...

.PHONY: generated
generated:
	scripts/check-generated.sh

.PHONY: generate
generate: ## the page script's bundle and all other files that programs write
	go generate ./...
	go test -count=1 -run TestRequirementsAreCounted ./internal/house -update

.PHONY: fmt
fmt: ## format the Go files
	go tool gofumpt -w .

.PHONY: bench-peers
bench-peers: ## measure rove beside other browsers for agents; they come from npm
	@scripts/ensure-browser.sh
	cd bench && go run ./peers $(PEERS)

# A module of its own again, so that what it compares with stays out of everything else.
.PHONY: bench-drivers
bench-drivers: ## measure the driver beside chromedp and rod, turn by turn
	cd bench/drivers && go run . $(DRIVERS)

.PHONY: bench-karate
bench-karate: ## measure rove beside real Karate, from Maven, on the same features
	cd bench && go run ./karate $(KARATE)

SEEDS ?= 5
.PHONY: bench-tasks
bench-tasks: ## have a script do small web tasks of a public set, SEEDS times each; it comes from the Python package index
	@scripts/ensure-browser.sh
	cd bench && go run ./tasks -seeds $(SEEDS) -out results $(TASKS)

.PHONY: grid
grid: ## drive a real Selenium Grid, whose jars come from Maven, with java and chromedriver
	@scripts/ensure-browser.sh
	scripts/grid.sh

.PHONY: conformance
conformance: ## hold MCP to the protocol's own conformance suite and inspector, from npm
	@scripts/ensure-browser.sh
	ROVE_CONFORMANCE=1 go test -count=1 -v -timeout 15m -run TestConformance ./internal/mcp

.PHONY: derive
derive: ## derive scripts from flows and run them with rove, real Karate, Playwright Test (npm) and go test
	ROVE_DERIVE=1 go test -count=1 -v -timeout 30m -run "DerivedScriptsRunElsewhere|TestProveEveryWrite" . ./internal/replay

.PHONY: karate
karate: ## run our corpus of features with rove and with real Karate, from Maven, and compare how each scenario ends
	ROVE_KARATE=1 go test -count=1 -v -timeout 30m -run "BesideKarate" ./feature ./internal/apitest

.PHONY: outside
outside: ## have programs of others read the reports: junitparser, a Cucumber reporter, axe
	@scripts/ensure-browser.sh
	ROVE_OUTSIDE=1 go test -count=1 -v -timeout 15m -run TestReportsOutside ./feature

# Random calls of every tool, valid and not, in a few sessions, while browsers are
# killed: see internal/soak.
MINUTES ?= 10
SEED    ?= 1
.PHONY: soak
soak: ## random calls of every tool for MINUTES, made up from SEED
	@scripts/ensure-browser.sh
	ROVE_SOAK_TIME=$(MINUTES)m ROVE_SOAK_SEED=$(SEED) go test -count=1 -v -timeout $$(( $(MINUTES) + 15 ))m -run TestSoak ./internal/soak

# Fifty sessions behind one door: nothing crosses over, and ten thousand calls leave
# nothing behind. ROVE_SOAK_TIME and the like set other bounds.
.PHONY: soak-doors
soak-doors: ## many sessions at once, for ten minutes
	@scripts/ensure-browser.sh
	ROVE_SOAK_SESSIONS=$${ROVE_SOAK_SESSIONS:-50} ROVE_SOAK_CALLS=$${ROVE_SOAK_CALLS:-10000} ROVE_SOAK_TIME=$${ROVE_SOAK_TIME:-10m} \
		go test -count=1 -v -timeout 30m -run 'TestNothingCrossesOver|TestNoGrowth' ./internal/httpapi
	ROVE_TEST_KILLS=$${ROVE_TEST_KILLS:-25} go test -count=1 -timeout 15m -run TestKilledAtAnyMoment ./internal/daemon

FUZZTIME ?= 20s
.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME, one after the other
	scripts/fuzz.sh $(FUZZTIME)

.PHONY: fuzz-keep
fuzz-keep: ## keep what fuzzing has found worth keeping, for go test to run
	scripts/fuzz-keep.sh

.PHONY: bench
bench: ## measure rove beside the raw layer, in one table
	@scripts/ensure-browser.sh
	cd bench && go run .
