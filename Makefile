.PHONY: wheels test-wheels link-packages test-link-packages messages report report-studies report-all survey quick lint test test-slow test-full test-link test-link-programs test-latex test-slh-dsa test-traces test-packages test-container test-site test-board test-silicon prove prove-mutants prove-in-c prove-linux demo-link site setup setup-all setup-link setup-test clean prove-arm

# What set-up could only put there, such as a newer Rust.
export PATH := $(PATH):$(CURDIR)/.venv/bin
# Tests start Python some hundred times: it keeps what it has compiled, whatever the machine's environment says.
unexport PYTHONDONTWRITEBYTECODE

EXPERIMENTS = libraries sensor records
ALL_EXPERIMENTS = $(EXPERIMENTS) aead hashes records-arm beaglebone biglittle channel

# What was measured on simulated boards, as far as its very firmware is not audited yet: the report and pick say what
# leaks.
AUDIT = .venv/bin/bancada audit $(EXPERIMENTS:%=--experiment %)

# Builds everything, runs the experiments on the simulated boards, audits them, draws report/index.html.
report: setup
	@.venv/bin/bancada run $(EXPERIMENTS); status=$$?; $(AUDIT) || status=$$?; .venv/bin/bancada report && exit $$status

# The same, with the libraries that the studies themselves used, which git fetches. Longer: some of them take a tenth of
# a second for a block. What cannot be fetched is a row that says so.
report-studies: setup
	@.venv/bin/bancada run --from-git $(EXPERIMENTS); status=$$?; $(AUDIT) || status=$$?; \
	.venv/bin/bancada report && exit $$status

# Every experiment: message sizes, the ARM targets, and the validation of their cost tables. About 6,400 cases, half an
# hour to an hour on two cores.
report-all: setup-all
	@.venv/bin/bancada run $(ALL_EXPERIMENTS); status=$$?; $(AUDIT) || status=$$?; \
	.venv/bin/bancada validate || status=$$?; .venv/bin/bancada report && exit $$status

# Every library on every device, what leaks on an UNO, and docs/reference/survey.md from it. About as long as report-all.
survey: setup-all
	@.venv/bin/bancada run survey; status=$$?; .venv/bin/bancada audit --experiment survey || status=$$?; \
	.venv/bin/bancada export --format survey --experiment survey > docs/survey.partial && mv docs/survey.partial docs/reference/survey.md && exit $$status

# Formats, lints and types. It changes nothing; `.venv/bin/ruff format` and `ruff check --fix` mend.
PYTHON = conftest.py action bancada candidates experiments link packages tatu tatulink tests website wheels
lint: setup-test
	@$(MAKE) --no-print-directory --jobs --output-sync lint-python lint-types lint-c lint-rust

.PHONY: lint-python lint-types lint-c lint-rust
lint-python:
	.venv/bin/ruff format --check --quiet $(PYTHON)
	.venv/bin/ruff check --quiet $(PYTHON)

lint-types:
	.venv/bin/mypy

lint-c:
	git ls-files '*.c' '*.h' '*.cpp' | xargs .venv/bin/clang-format --dry-run -Werror

# simavr's own Makefile, which a build script calls, cannot run in parallel.
RUST_FOLDERS := engines/simavr engines/simavr/audit engines/simavr/device link
lint-rust: export MAKEFLAGS =
lint-rust:
	if cargo clippy --version >/dev/null 2>&1; then \
	for crate in $(RUST_FOLDERS); do \
	(cd $$crate && cargo clippy --quiet --all-targets --target-dir $(CURDIR)/build/clippy -- -D warnings) || exit 1; done; fi
	if cargo fmt --version >/dev/null 2>&1; then \
	for crate in $(RUST_FOLDERS); do (cd $$crate && cargo fmt --all --check) || exit 1; done; fi

# What needs no compiler and no emulator (the mark `quick`), in under a minute: the loop while one writes.
quick: setup-test
	.venv/bin/python -m pytest -q --numprocesses 2 --dist loadfile -m quick

# Every test that an ordinary change must pass. Two processes more than cores: some tests wait. Long files come first.
TEST_PROCESSES = $(shell expr $$(nproc) + 2)
# Types are checked beside the tests: mypy keeps one core busy, and the tests the rest.
test: setup-test
	@$(MAKE) --no-print-directory --jobs --output-sync lint-python lint-c lint-rust
	@$(MAKE) --no-print-directory --jobs 2 lint-types every-test

.PHONY: every-test
every-test: export MAKEFLAGS =
every-test:
	.venv/bin/python -m pytest --numprocesses $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder

# More cases of what `make test` shows already: other processors, compilers and levels, larger proofs (the mark `slow`).
test-slow: export MAKEFLAGS =
test-slow: setup-test
	.venv/bin/python -m pytest --numprocesses $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder -m slow

# The Monte-Carlo tests of AESAVS whole, for every candidate: about half an hour.
test-full: setup
	.venv/bin/bancada run libraries sensor --full

# Every proof of Tatu's assembly for AVR (docs/reference/prove.md), checked by a second solver if there is one. What is
# stored is not proved again.
SECOND_SOLVER = $(firstword $(foreach name,cadical minisat cryptominisat5,$(if $(shell command -v $(name)),$(name))))
prove: setup
	.venv/bin/bancada prove tatu --jobs 2 --limit-seconds 300 $(addprefix --check-with ,$(SECOND_SOLVER))

# The same of Tatu for Cortex-M: Armv6-M and Armv7E-M.
prove-arm: setup-all
	@status=0; for target in samd21 stm32f4; do \
	.venv/bin/bancada prove tatu --target $$target --jobs 2 --limit-seconds 300 $(addprefix --check-with ,$(SECOND_SOLVER)) \
	|| status=$$?; done; exit $$status

# The same of Tatu's assembly for AArch64 and for Armv7-A with NEON. No cycles: these cores have caches.
prove-linux: setup-all
	@status=0; for target in rpi3 bbb; do \
	.venv/bin/bancada prove tatu --target $$target --jobs 2 --limit-seconds 300 $(addprefix --check-with ,$(SECOND_SOLVER)) \
	|| status=$$?; done; exit $$status

# Of each proved kernel, programs with one instruction changed, and docs/reference/prove-mutants.md from them: each is
# refuted in the engine too, or proved equal. What is stored is not judged again.
MUTANTS = 12
prove-mutants: setup
	@mkdir -p build; .venv/bin/bancada prove tatu --mutants $(MUTANTS) --jobs 2 >build/mutants.md && \
	sed '/^| proof /,$$d' docs/reference/prove-mutants.md >build/prove-mutants.md && \
	cat build/mutants.md >>build/prove-mutants.md && cp build/prove-mutants.md docs/reference/prove-mutants.md

# Tatu's C as gcc compiles it at -Os and -O2 for an AVR, a Cortex-M0+ and a Cortex-M4, held to the same specifications:
# four minutes of processor time. And libyubikey's AES as clang 14 compiles it for an AVR, right at -Os and wrong at -O2.
prove-in-c: setup-test
	.venv/bin/python -m pytest -q tests/prove/long_portable.py tests/prove/long_clang.py

# The catalogue of Brazilian Portuguese in step with the sources: new messages have no text yet (bancada/language/README.md).
messages: setup-test
	.venv/bin/python -m tests.language.messages

# Tatu's packages, each built and taken in by its own tool: Debian (with lintian), cargo, pip, Zephyr's and ESP-IDF's CMake.
test-packages:
	@./setup.sh packages
	.venv/bin/python -m pytest -q tests/tatu/long_packages.py

# The Containerfile, in a fresh Debian that debootstrap makes. Needs root.
test-container:
	@./setup.sh packages
	.venv/bin/python -m pytest -q tests/container/long_container.py

# Wheels in dist/: bancada, and its engines for this machine and, with Debian's cross compiler, for aarch64 (wheels/README.md).
wheels: setup-test
	.venv/bin/python -m wheels.make_wheels dist

# Debian packages of the link's gateway and server in dist/, for this machine and, with Debian's cross compilers, for arm64
# and armhf (packages/README.md).
link-packages: setup-test
	.venv/bin/python -m packages.make_packages dist

# The same packages: lintian, the programs of a Pi in QEMU, installed, used, upgraded and removed in a fresh Debian. Needs
# root.
test-link-packages: setup-test
	@./setup.sh packages
	.venv/bin/python -m pytest -q tests/packages/long_link_packages.py

# The wheels twice, byte for byte; then pip, pipx and uvx in a Debian with Python and nothing else. Needs root.
test-wheels: setup-test
	@./setup.sh packages
	.venv/bin/python -m pytest -q -s tests/wheels/long_wheels.py

# The documentation as static pages with a search, and the report of what is stored: build/site/index.html.
site:
	@./setup.sh site
	.venv/bin/python website/make_site.py build/site

# The site in Chromium, wide and narrow.
test-site: setup-test
	@./setup.sh site
	.venv/bin/python -m pytest -q tests/website/long_site.py

# The link's long tests: kills, forgeries, replays, torn writes, ten thousand sensors, a day offline. Prints what was reached.
test-link: setup-test
	.venv/bin/python link/tests/long.py

# Prometheus and InfluxDB take in what the link's server hands out: Debian's packages, a minute.
test-link-programs:
	@./setup.sh programs
	.venv/bin/python -m pytest -q link/server/tests/long_programs.py

# The reference of SLH-DSA makes the designers' ten known answers: minutes.
test-slh-dsa: setup-test
	PYTHONPATH=. .venv/bin/python tests/tatu/slh_dsa_known_answers.py

# Traces of everything that handles a secret, for other secrets, on many builds: each a line, half a minute at most.
test-traces: setup-test
	PYTHONPATH=. .venv/bin/python tests/portability/every_trace.py

# Every published figure of silicon, costed by the cores' tables, and the bands: a minute, the first time five.
test-silicon: setup-test
	.venv/bin/python -m pytest -q tests/validate/long_silicon.py

# The experiment `sensor` whole through a serial port, held against the simulator; PORT=/dev/ttyACM0 for your own board, else a simulated one.
test-board: setup-test
	.venv/bin/python tests/engines/board/long_sensor.py $(PORT)

# Compiles the planted table and the studies' tables of your store with Debian's LaTeX.
test-latex:
	@./setup.sh latex
	.venv/bin/python -m tests.answers.paper.compile_latex sensor libraries beaglebone biglittle channel

# Two simulated sensors, gateway, broker with TLS, server and page, all on this machine, until Ctrl-C.
demo-link: setup-link
	@.venv/bin/bancada link demo

setup:
	@./setup.sh report

setup-all:
	@./setup.sh all

setup-link:
	@./setup.sh link

setup-test:
	@./setup.sh test

clean:
	rm -rf report build dist .mypy_cache .pytest_cache
