# Two commands do everything on a fresh machine: `make run` starts the game, `make test` proves that it works.

CARGO := cargo
LOCKED := --locked
FUZZ_SECONDS ?= 120
ARGS ?=

.PHONY: help run build test test-rust test-web web bench fuzz fmt

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: build ## build everything and start the game (ARGS="perft 11" runs that instead)
	$(CARGO) run --release $(LOCKED) -p outflank -- $(ARGS)

build: web
	@scripts/setup rust
	$(CARGO) build --release $(LOCKED) -p outflank

test: test-rust test-web ## format, lints, every test, the documentation: what CI runs

test-rust: web
	@scripts/setup rust
	$(CARGO) fmt --all --check
	$(CARGO) clippy $(LOCKED) --workspace --all-targets -- -D warnings
	$(CARGO) test $(LOCKED) --workspace
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(LOCKED) --workspace --no-deps

# The page. `web` builds what the server embeds, so it comes before every Rust build; `test-web` checks and tests it.
web:

test-web: web

bench: ## measure: how fast positions are counted and games imported
	@scripts/setup rust
	$(CARGO) bench $(LOCKED) -p outflank-rules -p outflank-record

fuzz: ## try to break every parser, FUZZ_SECONDS each
	@scripts/setup rust
	@fuzz/run $(FUZZ_SECONDS)

fmt: ## put the source into its form
	$(CARGO) fmt --all
