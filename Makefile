# The two commands of a fresh machine: `make demo` and `make test`. They need git and Python 3.11.
#
# Set-up is done once. A stamp in .venv carries the digest of what it was made from, so that
# neither a checkout's new time stamps nor a `touch` does it again.

PYTHON ?= python3
BIN := .venv/bin
LOCKED := .venv/locked-$(shell git hash-object .ci/requirements.txt)
INSTALLED := .venv/installed-$(shell git hash-object pyproject.toml)

.PHONY: help venv test lint format demo bench lock

help:
	@echo "make demo          see it at work on a small repository made for the purpose"
	@echo "make demo REPO=dir the same on a clone of a repository of yours"
	@echo "make test          everything that CI runs; PYTEST='-m \"not slow\"' leaves installs out"
	@echo "make lint          ruff, mypy and the import contracts; make format mends what it can"
	@echo "make bench         how fast, as ratios to git and to python"
	@echo "make lock          lock the newest versions of what pyproject.toml names"

venv: $(INSTALLED)

$(LOCKED):
	@PYTHON="$(PYTHON)" bash .ci/venv
	@touch $@

# pip says nothing here but errors; what it builds with is in the lock, hence no isolation.
$(INSTALLED): $(LOCKED)
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@rm -f .venv/installed-* && touch $@

test: venv lint
	$(BIN)/python -m pytest -n 2 --dist loadgroup $(PYTEST)

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: venv
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

demo: venv
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash docs/demo.sh $(REPO)

bench: venv
	$(BIN)/python -m benchmarks

lock: venv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --custom-compile-command "make lock" \
		--extra llm --group dev --output-file .ci/requirements.txt pyproject.toml
