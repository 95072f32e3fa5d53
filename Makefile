# dplens. `make help` lists the targets.
# Everything is installed into .venv. Nothing outside this directory changes.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

WORKERS ?= 2
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check install -qq
RUNTIME := $(VENV)/.stamp-runtime
DEV := $(VENV)/.stamp-dev

# Recreate the environment if its interpreter is gone.
$(shell [ -x $(PY) ] || rm -f $(RUNTIME) $(DEV))

# The first interpreter that runs, is new enough and can create environments.
# Only used to create .venv; override with `make PYTHON=/path/to/python …`.
CAN_BUILD := import sys, ensurepip, venv; raise SystemExit(sys.version_info < (3, 10))
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.10 python3 python; do \
	"$$p" -c '$(CAN_BUILD)' >/dev/null 2>&1 && { echo "$$p"; break; }; done)

.PHONY: help setup demo test verify fuzz lint map bench survey papers docs clean

help:
	@echo "make demo    install the library, assess a realistic release, print the risk card and write the report"
	@echo "make test    install the development tools and run the fast tests and the doctests"
	@echo "make verify  run the other tests: browser, other libraries, races, simulations, long draws"
	@echo "make fuzz    call every public name with hostile arguments for SECONDS=600 and report failures"
	@echo "make lint    run ruff, pyright and import-linter"
	@echo "make bench   run the benchmarks and write benchmarks/RESULTS.md"
	@echo "make survey  compare dplens with its peers on 200 settings and update the last section of RESULTS.md (about half an hour)"
	@echo "make papers  reproduce the papers and write the gallery to papers/ (about a minute)"
	@echo "make map     update the map in CONTRIBUTING.md from the packages' docstrings"
	@echo "make docs    build the documentation in docs/_build/html"
	@echo "make setup   install the development tools into $(VENV)"
	@echo "make clean   remove $(VENV), caches and the built documentation"

setup: $(DEV)

demo: $(RUNTIME)
	@$(VENV)/bin/dplens assess examples/hospital-mean.yaml
	@$(VENV)/bin/dplens report examples/hospital-mean.yaml --output demo-report.html

# The tests of a file share cached results, so keep them on one worker. BLAS threads would compete with the workers.
# Keep compiled files, because many tests start the command line in a new process.
PYTEST := PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 $(PY) -m pytest -q -n $(WORKERS)
test: $(DEV)
	@$(PYTEST) --dist loadfile -m "not verify" $(ARGS)

verify: $(DEV)
	@HYPOTHESIS_PROFILE=verify $(PYTEST) --dist worksteal -m "verify or draws" $(ARGS)

lint: $(DEV)
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m pyright
	@$(VENV)/bin/lint-imports --no-logo

SECONDS ?= 600
fuzz: $(DEV)
	@OPENBLAS_NUM_THREADS=1 $(PY) -W ignore -m tests.fuzz --seconds $(SECONDS) --workers $(WORKERS)

bench: $(DEV)
	@$(PY) -m benchmarks

survey: $(DEV)
	@OPENBLAS_NUM_THREADS=1 $(PY) -m benchmarks.survey

map: $(DEV)
	@$(PY) -m tests.house_map

papers: $(RUNTIME)
	@$(VENV)/bin/dplens reproduce --output papers

# The gallery is part of the documentation and is rebuilt when its sources change. Skip it with `make docs GALLERY=`.
GALLERY := docs/gallery/papers/index.html
$(GALLERY): $(wildcard src/dplens/papers/*.py src/dplens/papers/templates/*) | $(DEV)
	@echo "Doing the papers again (about a minute)"
	@$(VENV)/bin/dplens reproduce --output docs/gallery/papers >/dev/null

docs: $(DEV) $(GALLERY)
	@$(PY) -m sphinx -q -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean:
	rm -rf $(VENV) demo-report.html papers docs/_build docs/gallery dist build .pytest_cache .hypothesis .ruff_cache .import_linter_cache
	find src tests benchmarks examples docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(PY):
	@py="$(PYTHON)"; \
	if [ -z "$$py" ] || ! "$$py" -c '$(CAN_BUILD)' 2>/dev/null; then \
		echo "dplens needs Python 3.10 or newer with the venv and ensurepip modules$${py:+; '$$py' is not that}." >&2; \
		echo "Install one (on Debian and Ubuntu: python3 and python3-venv), or name it: make PYTHON=/path/to/python" >&2; \
		exit 1; \
	fi; \
	echo "Creating $(VENV) with $$("$$py" -c 'import sys; print("Python", sys.version.split()[0])')"; \
	"$$py" -m venv --clear $(VENV)

# The demo needs the library with its command line and report.
$(RUNTIME): pyproject.toml | $(PY)
	@echo "Installing dplens into $(VENV)"
	@$(PIP) -e '.[cli,report]'
	@$(PY) -m compileall -q src/dplens # so that the first command is as fast as later ones
	@touch $@

# The development tools include everything above.
$(DEV): pyproject.toml | $(PY)
	@echo "Installing dplens and its development tools into $(VENV) (about a minute)"
	@$(PIP) -e '.[dev]'
	@touch $(RUNTIME) $@
