# `make` sets up and runs the program, `make test` sets up and runs every check and test.
# Needed: Python 3.11 or newer with venv, make, a network. Node comes from a wheel.

PYTHON ?= python3
BIN := .venv/bin
BENCH := .venv-bench/bin
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links

# Many containers tell Python to keep no bytecode: then every server that a test starts compiles the program anew, and
# every worker of pytest all tests.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := run
.PHONY: run setup check check-python check-web test collected soak siege coverage browsers dev bench bench-server format lock clean
.DELETE_ON_ERROR:

# `make ARGS='--port 8001'` passes flags on.
run: setup
	@$(BIN)/ubongo serve $(ARGS)

# Both are always asked, since the answer is quick: one compares a hash of web/ with the one last built, the other looks
# for what Numba has kept. Side by side whatever -j says, since one waits for the network while the other compiles.
setup: .venv/.project
	@$(BIN)/python -m ubongo.kernel.warm & compiling=$$!; \
	$(BIN)/python hatch_build.py; built=$$?; wait $$compiling && exit $$built

# Everything is pinned with its hash, and the lock is complete: pip has nothing to decide. --clear: what a lock no longer
# names is gone, so nobody's tests pass by it.
.venv/.packages: requirements-dev.lock
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and f"Python 3.11 or newer is needed; $(PYTHON) is {v.major}.{v.minor}. Another one: make PYTHON=python3.12")'
	@echo "Setting up .venv"
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

.venv/.project: .venv/.packages pyproject.toml ubongo/__init__.py
	@UBONGO_SKIP_CLIENT=1 $(BIN)/python $(PIP_INSTALL) --no-build-isolation --no-deps --editable .
	@touch $@

# Both halves side by side; what each prints stays together.
check: setup
	@$(MAKE) --no-print-directory --output-sync=target -j2 check-python check-web $(BESIDE)

check-python:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check-web:
	$(BIN)/python hatch_build.py npm run --silent check
	$(BIN)/python hatch_build.py npm run --silent test

# Fast checks first, pytest's closing line last. A test that fails once has failed: there is no second try.
test: BESIDE := collected
test: check
	$(BIN)/python -m pytest --numprocesses auto --durations 10

# What pytest's workers would else make all at the same time, each for itself, is made before and kept: bytecode of the
# tests, with what pytest adds to it, and the compiled code that importing them takes.
collected: .venv/.collected
	@:

.venv/.collected: .venv/.project $(wildcard ubongo/kernel/*.py)
	@said=$$($(BIN)/python -m pytest --collect-only --quiet --quiet) || { echo "$$said"; exit 1; }
	@touch $@

# The whole suite again and again, where it is hardest: `make soak ARGS='--minutes 60'`.
soak: setup
	$(BIN)/python -m tests.soak $(ARGS)

# Every attack that is known, a minute each, beside honest players: `make siege ARGS='--seconds 10 --only trailers moves'`.
siege: setup
	$(BIN)/python -m bench.siege $(ARGS)

# Which lines the tests reach. Apart, since watching every line, also in the servers they start, takes minutes.
coverage: setup
	$(BIN)/python -m pytest --numprocesses auto --cov

# A round of each game by mouse and by touch in Chromium, Firefox and WebKit; what is missing of them it says. Apart, since
# a machine for tests need not have them. `make browsers ARGS='firefox cards touch'` plays only what is named.
browsers: setup
	@$(BIN)/python -m tests.engines $(ARGS)

# The page is at the address that Vite prints, and asks the server behind it; both reload what you change.
dev: setup
	@$(BIN)/uvicorn --factory ubongo.server.app:build --reload --reload-dir ubongo --log-level warning & server=$$!; \
	trap 'kill $$server' EXIT; $(BIN)/python hatch_build.py npm run --silent dev

bench: .venv-bench/.packages
	$(BENCH)/python bench/tiling.py
	$(BENCH)/python bench/material.py

# An environment of its own: what we measure against is no part of the program.
.venv-bench/.packages: requirements.lock bench/requirements.lock
	@$(PYTHON) -m venv --clear .venv-bench
	@$(BENCH)/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements.lock
	@$(BENCH)/python $(PIP_INSTALL) --no-deps --require-hashes -r bench/requirements.lock
	@echo "$(CURDIR)" > "$$($(BENCH)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/ubongo.pth"
	@touch $@

# Installs what we measure against in bench/peers. `make bench-server ARGS='--people --idle 0'` leaves the long parts out.
bench-server: setup
	$(BIN)/python -m bench.server --peers $(ARGS)

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python hatch_build.py npm run --silent format

# The newest versions that pyproject.toml and package.json allow. Look at the difference before you commit it.
lock: .venv/.packages
	$(COMPILE) --upgrade pyproject.toml --output-file requirements.lock
	$(COMPILE) --upgrade pyproject.toml --group dev --constraint requirements.lock --output-file requirements-dev.lock
	$(COMPILE) --upgrade --group pyproject.toml:bench --constraint requirements.lock --output-file bench/requirements.lock
	$(BIN)/python hatch_build.py npm update --package-lock-only
	$(BIN)/python hatch_build.py npm --prefix ../tests/browser update --package-lock-only
	$(BIN)/python hatch_build.py npm --prefix ../bench/peers update --package-lock-only

clean:
	rm -rf .venv .venv-bench dist ubongo/server/static web/node_modules web/.built tests/browser/node_modules \
		bench/peers/node_modules \
		tests/browser/.chromium tests/browser/.fetching tests/browser/pictures tests/engines/pictures .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage
