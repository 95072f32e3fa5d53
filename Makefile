# dplens: few targets, each does what its line in `make help` says.
# Everything is installed into .venv; nothing outside this directory is touched.

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

# An environment whose interpreter has vanished counts as missing and is made anew.
$(shell [ -x $(PY) ] || rm -f $(RUNTIME) $(DEV))

# The first interpreter that really runs, is new enough and can make environments.
# Only looked up when .venv has to be created; `make PYTHON=/path/to/python …` overrides.
CAN_BUILD := import sys, ensurepip, venv; raise SystemExit(sys.version_info < (3, 10))
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.10 python3 python; do \
	"$$p" -c '$(CAN_BUILD)' >/dev/null 2>&1 && { echo "$$p"; break; }; done)

.PHONY: help setup demo test fuzz lint bench survey papers docs clean

help:
	@echo "make demo    install the library, assess a realistic release, show the card and write the report"
	@echo "make test    install the development tools and run all tests and doctests"
	@echo "make fuzz    call everything public with hostile arguments for SECONDS=600, report what goes wrong"
	@echo "make lint    ruff, pyright, import-linter"
	@echo "make bench   measure speed, write benchmarks/RESULTS.md"
	@echo "make survey  ask 200 settings of every kind, ours and peers, write the last section of it (about half an hour)"
	@echo "make papers  do the papers again, write the gallery into papers/ (about a minute)"
	@echo "make docs    build the documents into docs/_build/html"
	@echo "make setup   only install the development tools into $(VENV)"
	@echo "make clean   remove $(VENV), caches and built documents"

setup: $(DEV)

demo: $(RUNTIME)
	@$(VENV)/bin/dplens assess examples/statistical-office.yaml
	@$(VENV)/bin/dplens report examples/statistical-office.yaml --output demo-report.html

# What a file has worked out serves all its tests, so they stay together; threads within workers would wait for each other.
# Compiled files are kept: many tests start the command line anew.
test: $(DEV)
	@PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 $(PY) -m pytest -q -n $(WORKERS) --dist loadfile $(ARGS)

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

papers: $(RUNTIME)
	@$(VENV)/bin/dplens reproduce --output papers

# The gallery is part of the documents, and is made again when what makes it has changed (`make docs GALLERY=`: without it).
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

# What the demo needs: the library with its command line and report.
$(RUNTIME): pyproject.toml | $(PY)
	@echo "Installing dplens into $(VENV)"
	@$(PIP) -e '.[cli,report]'
	@$(PY) -m compileall -q src/dplens # the first command starts as fast as later ones
	@touch $@

# The development tools include all of that.
$(DEV): pyproject.toml | $(PY)
	@echo "Installing dplens and its development tools into $(VENV) (about a minute)"
	@$(PIP) -e '.[dev]'
	@touch $(RUNTIME) $@
