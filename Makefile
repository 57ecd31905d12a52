# Everything works from a fresh clone: a target makes the virtual environment first where it needs one.
# Choose another interpreter with PYTHON=/path/to/python3.12, re-execute the notebooks with EXECUTE=1.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BOOK := _build/.book-ready
SOURCES := _config.yml _toc.yml $(shell find book chapters exercises transformer_lib tests/library \
	tools/course_pages.py tools/teaching.py tools/equation_index.py tools/claims_ledger.py tools/evidence_pages.py \
	tools/results_page.py tools/api_pages.py tools/live_figures.py tools/front_page.py tools/built_formulas.py tools/typeset.js tools/light_pages.py \
	tools/reading_aids.py tools/quick_build.py -type f ! -path 'book/api/library/*' ! -path '*/.*' ! -path '*/__pycache__/*' ! -path '*.egg-info/*')

.DEFAULT_GOAL := help
.PHONY: help book open pdf slides test soak check bench lint spell js links lab refresh exercises kits lock clean
export PYTHON

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

$(READY): requirements.txt constraints.txt pyproject.toml exercises/autograder/pyproject.toml tools/environment.sh \
	tools/jupyter/jupyter_server_config.py tools/jupyter/labconfig/page_config.json
	@sh tools/environment.sh $(VENV)

$(BOOK): $(READY) $(SOURCES)
	@$(BIN)/python tools/build_book.py $(if $(filter book/_static/% _config.yml _toc.yml tools/% $(READY),$?),--all)
	@touch $@

book: $(if $(EXECUTE),refresh) $(BOOK)  ## render the book; EXECUTE=1 runs every notebook first
	@echo "The book is ready. Open _build/html/index.html, or run: make open"

open: $(BOOK)  ## serve the book on localhost and open it
	@$(BIN)/python tools/serve.py

pdf: $(BOOK)  ## print the book into _build/pdf/book.pdf, in some minutes; needs a Chromium
	@$(BIN)/python tools/print_book.py

slides: $(BOOK)  ## write a deck for each chapter into _build/html/slides, with notes and a plan of 90 minutes
	@$(BIN)/python tools/slides.py

test: $(READY)  ## style, types and every test: library, notebooks, graders, book in a browser
	@$(BIN)/python tools/run_tests.py all

soak: $(BOOK)  ## certify every question that is not certified on 10,000 inputs; kill training at 30 moments and a class of 200 at 10; every hostile submission; accessibility in both themes; every slide and the whole print; the coverage of the library
	@OMP_NUM_THREADS=1 $(BIN)/python -m autograder finish
	@OMP_NUM_THREADS=1 SOAK=30 $(BIN)/python -m pytest -q -s tests/soak tests/graders/classroom/test_hostile_bank.py tests/graders/judging/test_forms.py tests/graders/proving/test_banks.py tests/book/test_accessibility.py tests/book/test_slides.py tests/book/test_print.py
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -p no:nbval -n auto --dist loadfile --cov --cov-report=term:skip-covered tests/library

check: $(READY)  ## lint, format, types, fast tests and the notebooks you touched, in under 3 minutes
	@$(BIN)/python tools/run_tests.py check

bench: $(READY)  ## speed beside other implementations on the same work, in about half an hour; on a GPU with DEVICE=cuda
	@$(BIN)/python -m tests.benchmarks $(if $(DEVICE),--device $(DEVICE))

lint: $(READY)  ## lint, format and types
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

spell: $(READY)  ## misspellings in everything that people read; part of `make check`
	@$(BIN)/python tools/spelling.py

js:  ## types and lint of the pages' own JavaScript; needs Node, and a network the first time
	@npx --yes --package typescript@5.9.3 -- tsc -p tools/jsconfig.json
	@npx --yes oxlint@1.89.0 -c tools/oxlint.json book/_static/course.js book/_static/live tools/slides.js

links: $(BOOK)  ## ask for every address outside the book that its pages name; needs a network
	@$(BIN)/python tools/outside_links.py

lab: $(READY)  ## open the chapters and exercises in JupyterLab
	@$(BIN)/jupyter lab

refresh: $(READY)  ## run the notebooks again in place, and show which outputs changed
	@$(BIN)/python tools/refresh.py

exercises: $(READY)  ## write the exercises' notebooks again, and the kits for students and instructors
	@$(BIN)/python -m autograder build
	@$(BIN)/python tools/refresh.py exercises/*/*.ipynb
	@$(BIN)/python -m autograder kit

kits: $(READY)  ## write the kits for students and instructors into _build/kits, in two minutes
	@$(BIN)/python -m autograder kit

lock: $(READY)  ## resolve requirements.txt again into constraints.txt
	@$(BIN)/python tools/lock.py

clean:  ## remove the environment and everything built
	@rm -rf $(VENV) _build book/api/library .pytest_cache .ruff_cache .mypy_cache .hypothesis .coverage
