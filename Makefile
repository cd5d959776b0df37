# What one does with this tree. Bare "make" lists the verbs. Tools run at the
# versions given here and are no part of go.mod.

GO          ?= go
PKG         ?= ./...
TESTFLAGS   ?=
FUZZTIME    ?= 30s
BENCH       ?= .
BENCHCOUNT  ?= 10
TARGETS     ?=
OLD         ?= bench/out/old.txt
NEW         ?= bench/out/new.txt
LINT        := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
BENCHSTAT   := $(GO) run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da

CUDA        := gpu/_toolchain/tools.sh with $(GO)
GENERATED   := join/internal/dist/dist_amd64.s join/internal/dist/dist_amd64.go

.PHONY: help build cuda ptx cudatest check generate fmt lint cudalint test arrow purego v3 race fuzz bench benchsmoke benchcmp cover release

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## /{printf "%-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## bin/rtcluster, without cgo
	CGO_ENABLED=0 $(GO) build -o bin/rtcluster ./cmd/rtcluster

cuda: ## bin/rtcluster with the engine for NVIDIA cards; needs gcc, and CUDA 12 headers or pip
	$(CUDA) build -tags cuda -o bin/rtcluster ./cmd/rtcluster

ptx: ## compile the kernels anew; what comes out must be what is committed
	CGO_ENABLED=1 $(GO) run ./gpu/kernels/_ptx "$$(gpu/_toolchain/tools.sh nvrtc)" gpu/kernels

cudatest: ## vet, build and run the tests of the tagged build; those that need a card skip without
	$(CUDA) vet -tags cuda ./gpu/... ./cmd/... ./bench/gpu
	@mkdir -p bin/cuda/tests
	$(CUDA) test -c -tags cuda -o bin/cuda/tests/ ./gpu/... ./cmd/...
	$(CUDA) test -tags cuda $(TESTFLAGS) ./gpu/...
	$(CUDA) test -tags cuda $(TESTFLAGS) -run 'TestScripts/(devices|usage|memory)|TestDevices|TestAuto|TestFallback|TestCard|TestMemory' ./cmd/rtcluster

check: fmt lint test ## what to run before a commit

generate: ## make the assembly anew; what comes out must be what is committed
	rm -f $(GENERATED)
	$(GO) generate ./join/internal/dist
	git diff --exit-code -- $(GENERATED)

fmt: ## format all Go files
	$(LINT) fmt

lint: ## go vet and golangci-lint
	$(GO) vet $(PKG)
	$(LINT) run $(PKG)

cudalint: ## golangci-lint of the tagged build
	gpu/_toolchain/tools.sh with $(LINT) run --build-tags cuda ./gpu/... ./cmd/... ./bench/gpu

test: ## all tests, without cgo
	CGO_ENABLED=0 $(GO) test $(TESTFLAGS) $(PKG)

purego: ## all tests without assembly
	CGO_ENABLED=0 $(GO) test -tags purego $(TESTFLAGS) $(PKG)

v3: ## all tests compiled for amd64 v3, where Go may fuse a*b + c
	CGO_ENABLED=0 GOAMD64=v3 $(GO) test $(TESTFLAGS) $(PKG)

arrow: ## read what we write with Apache Arrow's library, in a module of its own
	cd io/table/_arrow && CGO_ENABLED=0 $(GO) test $(TESTFLAGS) ./...

race: ## short tests under the race detector; needs a C compiler
	CGO_ENABLED=1 $(GO) test -race -short $(TESTFLAGS) $(PKG)

fuzz: ## every fuzz target for FUZZTIME (30s)
	@set -e; for pkg in $$($(GO) list $(PKG)); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
		done; \
	done

bench: ## benchmarks matching BENCH (.) BENCHCOUNT (10) times, into NEW (bench/out/new.txt)
	@mkdir -p $(dir $(NEW))
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(BENCHCOUNT) $(PKG) | tee $(NEW)

benchsmoke: ## every benchmark once, to see that it runs
	$(GO) test -run '^$$' -bench . -benchtime 1x $(PKG)

benchcmp: ## compare OLD (bench/out/old.txt) with NEW
	$(BENCHSTAT) $(OLD) $(NEW)

cover: ## test coverage by function, total last
	@mkdir -p bench/out
	CGO_ENABLED=0 $(GO) test -coverpkg $(PKG) -coverprofile bench/out/cover.out $(PKG)
	$(GO) tool cover -func bench/out/cover.out

release: ## archives for TARGETS (if not given, five systems) and their SHA256SUMS, into dist
	rm -rf dist
	$(GO) run ./.ci/release -o dist $(if $(TARGETS),-targets $(TARGETS))
