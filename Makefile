# Every way to build, test and pack OVEarth. `make help` lists the targets.
# Paths are relative on purpose: the checkout may lie in a folder with a space in its name.

.DEFAULT_GOAL := help
# Two recipes must never run pip or apt at the same time.
.NOTPARALLEL:
.PHONY: help demo test test-full lint bench package install-plugin test-qgis translations screenshots install-test install-qgis install-chromium install-peers clean distclean

# The Python of the headless environment; `make PYTHON=/path/to/python demo` overrides the choice.
PYTHON ?=
BIN := .venv/bin
CODE := ovearth_core ovearth_plugin tests tools $(wildcard benchmarks)

help: ## list these targets
	@awk -F ': .*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

demo: .venv/base.stamp ## score the embedded sample into build/demo, from nothing
	@mkdir -p build
	$(BIN)/ovearth demo build/demo

test: install-test install-qgis install-chromium package ## run all tests, QGIS included where apt can bring it
	@sh tools/test.sh

test-full: export OVEARTH_TEST_FULL = 1
test-full: install-test install-peers test ## the same tests with many more random examples

lint: .venv/test.stamp package ## format, style, types and the plugin site's security gate
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/python tools/check_imports.py ovearth_core ovearth_plugin
	$(BIN)/python tools/check_qt.py ovearth_plugin
	@sh tools/qt6.sh
	$(BIN)/mypy
	$(BIN)/python tools/gate.py build/ovearth

bench: .venv/test.stamp ## time the core against its peers, print the ratios, and measure memory
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python benchmarks/tiles.py

package: ## pack the QGIS plugin: build/ovearth.zip, and build/ovearth/ unpacked
	@python=$$(PYTHON="$(PYTHON)" sh tools/python.sh) && "$$python" tools/package.py

install-plugin: package ## put the plugin into a QGIS profile and turn it on (PROFILE=default, PROFILES=folder)
	@python=$$(PYTHON="$(PYTHON)" sh tools/python.sh) && "$$python" tools/install_plugin.py \
		$(if $(PROFILES),--profiles "$(PROFILES)") $(if $(PROFILE),--profile "$(PROFILE)")

test-qgis: package .venv/base.stamp ## the plugin's tests in another Debian's QGIS: SUITE=trixie (3.40) or forky (3.44)
	@sh tools/test_qgis.sh $(or $(SUITE),trixie)

translations: ## gather the plugin's texts into resources/i18n/ovearth.ts
	@python=$$(PYTHON="$(PYTHON)" sh tools/python.sh) && "$$python" tools/translations.py

screenshots: .venv/test.stamp install-qgis package ## take the pictures of QGIS in docs/images anew (PICTURES='collect review')
	$(BIN)/python tools/screenshots.py $(PICTURES)

clean: ## remove what was built, but keep the environments
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .qgis-settings
	find ovearth_core ovearth_plugin tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## remove the environments too
	rm -rf .venv .venv-qgis .venv-titiler .venv-nominatim .venv-qt6

install-test: .venv/test.stamp

install-peers:
	@sh tools/install_peers.sh

install-chromium:
	@sh tools/install_chromium.sh

# Not a file target: whether QGIS can be had is asked anew each time (and is quick once it's there).
install-qgis:
	@sh tools/install_qgis.sh

# The stamps are rebuilt when pyproject.toml or setup.py changes, and only then.
.venv/base.stamp: pyproject.toml setup.py tools/venv.sh
	@PYTHON="$(PYTHON)" sh tools/venv.sh '.[report]'
	@touch $@

.venv/test.stamp: pyproject.toml setup.py tools/venv.sh
	@PYTHON="$(PYTHON)" sh tools/venv.sh '.[test,lint,fast]'
	@touch .venv/base.stamp $@
