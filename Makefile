# `make` sets up and runs the program, `make test` sets up and runs every check and test.
# Needed: Python 3.11 or newer with venv, make, a network. Node comes from a wheel.

PYTHON ?= python3
BIN := .venv/bin
BENCH := .venv-bench/bin
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links

# Many containers tell Python to write no bytecode: then every server that a test starts would compile the program again,
# and every worker of pytest all tests.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := run
.PHONY: run setup check check-python check-web test collected soak siege coverage browsers dev bench bench-server format lock clean
.DELETE_ON_ERROR:

# `make ARGS='--port 8001'` passes flags on.
run: setup
	@$(BIN)/ubongo serve $(ARGS)

# Both always run, since they are quick if there is nothing to do: one compares a hash of web/ with the last build, the
# other looks into Numba's cache. They run in parallel for any -j, since one waits for the network while the other compiles.
setup: .venv/.project
	@$(BIN)/python -m ubongo.kernel.warm & compiling=$$!; \
	$(BIN)/python hatch_build.py; built=$$?; wait $$compiling && exit $$built

# Everything is pinned by hash, and the lock file is complete: pip resolves nothing. --clear removes packages that are no
# longer in the lock file, so that no test depends on them.
.venv/.packages: requirements-dev.lock
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and f"Python 3.11 or newer is needed; $(PYTHON) is {v.major}.{v.minor}. Another one: make PYTHON=python3.12")'
	@echo "Setting up .venv"
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

.venv/.project: .venv/.packages pyproject.toml ubongo/__init__.py
	@UBONGO_SKIP_CLIENT=1 $(BIN)/python $(PIP_INSTALL) --no-build-isolation --no-deps --editable .
	@touch $@

# Both halves in parallel; the output of each stays together.
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

# Prepares and caches what every worker of pytest would otherwise make at the same time: the tests' bytecode, with pytest's
# rewritten assertions, and the compiled code that importing them needs.
collected: .venv/.collected
	@:

.venv/.collected: .venv/.project $(wildcard ubongo/kernel/*.py)
	@said=$$($(BIN)/python -m pytest --collect-only --quiet --quiet) || { echo "$$said"; exit 1; }
	@touch $@

# Repeats the whole suite under load: `make soak ARGS='--minutes 60'`.
soak: setup
	$(BIN)/python -m tests.soak $(ARGS)

# Every known attack for a minute, next to honest players: `make siege ARGS='--seconds 10 --only trailers moves'`.
siege: setup
	$(BIN)/python -m bench.siege $(ARGS)

# Which lines the tests reach. Separate, since tracing every line, also in the servers they start, takes minutes.
coverage: setup
	$(BIN)/python -m pytest --numprocesses auto --cov

# Plays a round of each game by mouse and by touch in Chromium, Firefox and WebKit, and lists missing packages. Separate,
# since a test machine need not have these. `make browsers ARGS='firefox cards touch'` plays only that combination.
browsers: setup
	@$(BIN)/python -m tests.engines $(ARGS)

# The page is at the address that Vite prints, which forwards requests to the server; both reload on changes.
dev: setup
	@$(BIN)/uvicorn --factory ubongo.server.app:build --reload --reload-dir ubongo --log-level warning & server=$$!; \
	trap 'kill $$server' EXIT; $(BIN)/python hatch_build.py npm run --silent dev

bench: .venv-bench/.packages
	$(BENCH)/python bench/tiling.py
	$(BENCH)/python bench/material.py

# A separate environment: the solvers that we compare with are not part of the program.
.venv-bench/.packages: requirements.lock bench/requirements.lock
	@$(PYTHON) -m venv --clear .venv-bench
	@$(BENCH)/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements.lock
	@$(BENCH)/python $(PIP_INSTALL) --no-deps --require-hashes -r bench/requirements.lock
	@echo "$(CURDIR)" > "$$($(BENCH)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/ubongo.pth"
	@touch $@

# Installs the game servers that we compare with in bench/peers. `make bench-server ARGS='--people --idle 0'` skips the
# long parts.
bench-server: setup
	$(BIN)/python -m bench.server --peers $(ARGS)

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python hatch_build.py npm run --silent format

# The newest versions that pyproject.toml and package.json allow. Read the diff before you commit it.
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
