# Two commands do everything on a fresh machine: `make run` starts the game, `make test` proves that it works.

CARGO := cargo
LOCKED := --locked
FUZZ_SECONDS ?= 120
# Most tests wait for a server more than they compute.
TEST_THREADS ?= $(shell echo $$((3 * $$(getconf _NPROCESSORS_ONLN))))
ARGS ?=
PARTS ?=

.PHONY: help run build test test-rust test-web test-browsers browsers web binary screenshots bench proof fuzz fmt

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: build ## build everything and start the game (ARGS="perft 11" runs that instead)
	$(CARGO) run --release $(LOCKED) -p outflank -- $(ARGS)

build: web
	@scripts/setup rust
	$(CARGO) build --release $(LOCKED) -p outflank

test: test-rust test-web test-browsers ## format, lints, every test, the documentation: what CI runs

test-rust: web
	@scripts/setup rust
	@! git grep -nE '^(<{7}|>{7}) ' || { echo "the marks of a merge were left in"; exit 1; }
	$(CARGO) fmt --all --check
	$(CARGO) clippy $(LOCKED) --workspace --all-targets -- -D warnings
	@RUST_TEST_THREADS=$(TEST_THREADS) scripts/services run $(CARGO) test $(LOCKED) --workspace
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(LOCKED) --workspace --no-deps
	@scripts/dependencies
	@if command -v python3 >/dev/null; then python3 docs/scale.py --check; else echo "skipped: docs/scale.py, there is no python3"; fi

# The page. `web` builds what the server embeds, so it comes before every Rust build; `test-web` checks and tests it.
PAGE := $(shell find web/src web/public web/build web/index.html web/vite.config.ts locales -type f 2>/dev/null)

web: web/dist/index.html

web/node_modules/.package-lock.json: web/package-lock.json
	@scripts/setup web
	cd web && npm ci --no-audit --no-fund

web/dist/index.html: web/node_modules/.package-lock.json $(PAGE)
	cd web && npm run build

# What pages are tested on. As `cargo test` builds it for its own tests: alone it would be built, with most of what it uses, once more.
binary: web
	@scripts/setup rust
	$(CARGO) test $(LOCKED) --workspace --no-run --test serve

test-web: binary
	@scripts/setup browser
	cd web && npm run check && npm test && npm run e2e

# In the browsers that are there; which are not, and how to get them, is said.
test-browsers: binary
	cd web && npm run browsers

browsers: ## play a game in Firefox and in WebKit too, and install what that needs
	@scripts/setup rust browsers
	@$(MAKE) test-browsers

screenshots: binary ## take the pictures of the README from the real page, and every scene for people to look at
	@scripts/setup browser
	cd web && npm run screenshots

bench: ## measure: how fast positions are counted, games imported, endgames solved
	@scripts/setup rust
	$(CARGO) bench $(LOCKED) -p outflank-rules -p outflank-record --bench perft --bench wthor
	$(CARGO) run --release $(LOCKED) -p outflank -- bench

proof: web ## measure all that is promised of study and server, an hour or more (PARTS="study people waits faults")
	@scripts/setup rust
	@scripts/proof $(PARTS)

fuzz: ## try to break every parser, FUZZ_SECONDS each
	@scripts/setup rust
	@fuzz/run $(FUZZ_SECONDS)

fmt: ## put the source into its form
	$(CARGO) fmt --all
